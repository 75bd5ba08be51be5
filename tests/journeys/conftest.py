"""The real sites on sockets of their own, over one database, with real keys."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import Engine
from werkzeug.serving import make_server


@pytest.fixture
def live_portal(keys: Path, database: Engine) -> Iterator[str]:
    """The address of the public portal over ``database``, such as ``http://127.0.0.1:43211``."""
    from portal.web import create_app

    with _served(create_app()) as url:
        yield url


@pytest.fixture
def live_desk(keys: Path, database: Engine) -> Iterator[str]:
    """The address of the desk over the same database and files."""
    from portal.desk import create_app

    with _served(create_app()) as url:
        yield url


@contextmanager
def _served(app: Flask) -> Iterator[str]:
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
