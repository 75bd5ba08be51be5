"""A small town for the bot: two vehicles, one itinerary with its ends, and somebody with a phone."""

import json
import socket
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest
from sqlalchemy import URL, Engine, make_url

import portal.clock
from portal.config import Settings, settings
from portal.sealing.keys import KeyPair, new_key_pair
from portal.storage.database import make_engine
from tests.bot.town import NOW, TOWN, fill
from tests.conftest import _copy_of
from tests.telegram.driving import answering_at_once
from tests.telegram.server import bot_api
from tests.telegram.world import Person, World


@pytest.fixture
def at_two(monkeypatch: pytest.MonkeyPatch) -> datetime:
    """It is two minutes past two in the afternoon."""
    monkeypatch.setattr(portal.clock, "now", lambda: NOW)
    return NOW


@pytest.fixture
def keys(environment: Path) -> dict[str, KeyPair]:
    """Keys of the ombudsman and of the worker."""
    pairs = {"identity": new_key_pair(), "notice": new_key_pair()}
    public = {name: {"id": pair.id, "key": pair.public} for name, pair in pairs.items()}
    (environment / "public.json").write_text(
        json.dumps({"identity": {TOWN: public["identity"]}, "notice": public["notice"]})
    )
    return pairs


@pytest.fixture(scope="session")
def empty_database(empty_database: URL, tmp_path_factory: pytest.TempPathFactory) -> Iterator[URL]:
    """In place of an empty database: the register, the itinerary and the neighbourhood of the town, made once."""
    with _copy_of(empty_database, tmp_path_factory.mktemp("town")) as url:
        engine = make_engine(url)
        fill(engine)
        engine.dispose()
        yield make_url(url)


@pytest.fixture
def world() -> World:
    return World()


@pytest.fixture
def over_http(
    database: Engine, keys: dict[str, KeyPair], world: World, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Settings]:
    """A Bot API server on this machine and the settings of a bot, and its worker, that talk to it."""
    with bot_api(world) as address:
        monkeypatch.setenv("TELEGRAM_BASE_URL", address)
        monkeypatch.setenv("TELEGRAM_BOT_TOKEN", world.token)
        monkeypatch.setenv("NOTICE_PRIVATE_KEY", f"{keys['notice'].id}:{keys['notice'].private}")
        settings.cache_clear()
        yield settings()


@pytest.fixture(params=["polling", "webhook"])
def either_way(
    request: pytest.FixtureRequest, over_http: Settings, monkeypatch: pytest.MonkeyPatch
) -> Settings:
    """The same bot, asking Telegram for updates in one test and having them posted to it in the other."""
    if request.param == "webhook":
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        monkeypatch.setenv("TELEGRAM_WEBHOOK_URL", f"http://127.0.0.1:{port}/telegram")
        monkeypatch.setenv("TELEGRAM_WEBHOOK_PORT", str(port))
        monkeypatch.setenv("TELEGRAM_WEBHOOK_SECRET", "only-for-tests")
        settings.cache_clear()
    return settings()


@pytest.fixture
def bot(database: Engine, keys: dict[str, KeyPair], world: World) -> Iterator[World]:
    """The real application, answering without sockets."""
    with answering_at_once(settings(), world):
        yield world


@pytest.fixture
def ana(bot: World) -> Person:
    """A passenger whose Telegram speaks Portuguese."""
    return bot.person("Ana")
