"""A program that is begun again in a moment, so that a test can kill it a hundred times.

Everything is imported once; each ``start`` line on the standard input forks a child that serves until it is killed,
and its number is printed. A child has opened nothing before the fork: database and files are its own.
"""

import os
import socket
import sys
import time
from datetime import timedelta


def main() -> None:
    what = sys.argv[1]
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen(64)  # a connection that comes between two children waits for the next
    serve = {"portal": portal, "worker": worker}[what](listening)
    print(listening.getsockname()[1], flush=True)
    before = 0
    for _line in sys.stdin:
        if before:
            os.waitpid(before, 0)
        before = os.fork()
        if not before:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # nobody reads its log: a full pipe would hold it up
            serve()
            os._exit(0)
        print(before, flush=True)


def portal(listening: socket.socket):
    from werkzeug.serving import WSGIRequestHandler, make_server

    from portal.web import create_app

    class Silent(WSGIRequestHandler):
        def log(self, *_args: object) -> None:
            pass

    app = create_app()

    def serve() -> None:
        server = make_server(
            "127.0.0.1", 0, app, threaded=True, fd=listening.fileno(), request_handler=Silent
        )
        server.serve_forever()

    return serve


def worker(_listening: socket.socket):
    from threading import Event

    from portal import clock
    from portal.config import worker_settings
    from portal.worker import opener, senders_of, work

    begun, speed, now = time.time(), int(sys.argv[2]), clock.now

    def fast() -> object:
        """So many times faster than the wall: a claim of minutes is over in seconds."""
        return now() + timedelta(seconds=(time.time() - begun) * (speed - 1))

    clock.now = fast  # type: ignore[assignment]

    def serve() -> None:
        configured = worker_settings()
        work(Event(), senders=senders_of(configured), open_box=opener(configured))

    return serve


if __name__ == "__main__":
    main()
