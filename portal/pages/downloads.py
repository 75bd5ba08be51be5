"""Files that somebody sent in, handed out so that no browser ever runs or shows them by this site's address.

``nosniff`` comes with every answer: see ``portal.pages.headers``.
"""

from flask import Response, make_response

SANDBOX = "default-src 'none'; sandbox"


def hand_out(data: bytes, media_type: str, name: str) -> Response:
    """A download under a name of our own making: attachment, unsniffable, alone, and kept by nobody on the way."""
    response = make_response(data)
    response.headers["Content-Type"] = media_type  # no charset is added: it is no text of ours
    response.headers.set("Content-Disposition", "attachment", filename=name)
    response.headers["Content-Security-Policy"] = SANDBOX
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    response.headers["Cache-Control"] = "no-store"
    return response
