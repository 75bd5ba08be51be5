"""An S3-compatible store in memory, served on the port that is named, or a free one; prints which."""

import sys
from pathlib import Path

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server


class Silent(WSGIRequestHandler):
    def log(self, *_args: object) -> None:
        pass


class Failing:
    """Answers every request as a store does that has lost its disks, for as long as a file stands there."""

    def __init__(self, app, while_there: Path) -> None:
        self.app, self.while_there = app, while_there

    def __call__(self, environ, start_response):
        if self.while_there.exists():
            start_response("503 Service Unavailable", [("Content-Length", "0")])
            return [b""]
        return self.app(environ, start_response)


if __name__ == "__main__":
    app = Failing(DomainDispatcherApplication(create_backend_app), Path(sys.argv[2]))
    server = make_server("127.0.0.1", int(sys.argv[1]), app, threaded=True, request_handler=Silent)
    print(server.server_port, flush=True)
    server.serve_forever()
