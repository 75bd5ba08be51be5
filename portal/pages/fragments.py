"""One address, two answers: the page for a browser and one block of the same template for htmx."""

from flask import Response, make_response, render_template, request
from jinja2_fragments.flask import render_block

from portal.pages.vary import vary_on


def render(template: str, *, fragment: str, status: int = 200, **context: object) -> Response:
    """Answer a browser with the page, and htmx with the block ``fragment`` of the same template."""
    hx = request.htmx  # type: ignore[attr-defined]  # htmx-flask adds it to the request
    partial = bool(hx) and not hx.boosted and not hx.history_restore_request
    page = render_block(template, fragment, **context) if partial else render_template(template, **context)
    response = make_response(page, status)
    vary_on(response, "HX-Request")  # or a cache hands a fragment to the next browser
    return response
