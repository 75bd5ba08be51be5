"""One address, two answers: the page for a browser and one block of the same template for htmx."""

from collections.abc import Hashable

from flask import Response, make_response, render_template
from jinja2_fragments.flask import render_block

from portal.pages.exchange import asked
from portal.pages.kept import render_in_frame


def render(
    template: str,
    *,
    fragment: str,
    status: int = 200,
    frame: tuple[Hashable, ...] | None = None,
    **context: object,
) -> Response:
    """Answer a browser with the page, and htmx with the block ``fragment`` of the same template.

    ``frame`` says what the page depends on beside its title and its content (``portal.pages.kept.render_in_frame``);
    without it nothing of the page is kept.
    """
    if asks_for_fragment():
        page = render_block(template, fragment, **context)
    elif frame is None:
        page = render_template(template, **context)
    else:
        page = render_in_frame(template, frame, context)
    return vary_by_asker(make_response(page, status))


def asks_for_fragment() -> bool:
    """Whether htmx wants a part of the page; for a link it follows and for the Back button it wants the whole."""
    request = asked()
    if "HTTP_HX_REQUEST" not in request.environ:
        return False
    hx = request.htmx
    return bool(hx) and not hx.boosted and not hx.history_restore_request


def vary_by_asker(response: Response) -> Response:
    """Keep a cache from handing a fragment to the next browser, or to the Back button of this one."""
    asked().depends_on += ("HX-Request", "HX-Boosted", "HX-History-Restore-Request")
    return response
