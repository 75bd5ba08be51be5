"""An S3-compatible store in memory, served on the port that is named, or a free one; prints which."""

import sys

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import WSGIRequestHandler, make_server


class Silent(WSGIRequestHandler):
    def log(self, *_args: object) -> None:
        pass


if __name__ == "__main__":
    app = DomainDispatcherApplication(create_backend_app)
    server = make_server("127.0.0.1", int(sys.argv[1]), app, threaded=True, request_handler=Silent)
    print(server.server_port, flush=True)
    server.serve_forever()
