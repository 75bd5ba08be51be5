"""Parts of a page that say the same to everybody, such as its footer: rendered once, and then kept.

Never an answer: what is kept depends on the law, the town, the language and the templates alone.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from flask import Flask, current_app
from jinja2 import Template
from jinja2.runtime import Context
from markupsafe import Markup

from portal.pages.exchange import asked
from portal.pages.languages import current_translator, here_in_any_language
from portal.pages.spoken import escaped
from portal.regulations import catalogue

MOST_KEPT = 2000


class _Kept:
    """What this app has rendered so far, by all that it depends on."""

    def __init__(self) -> None:
        self.found: dict[tuple[Hashable, ...], Any] = {}

    def part(self, key: tuple[Hashable, ...], render: Callable[[], Any]) -> Any:
        """The part with this key in the language of the request, rendered if need be."""
        spoken = current_translator()
        whole = (key, spoken, asked().explicit_language, catalogue.current())
        part = self.found.get(whole)
        if part is None:
            part = render()
            if not current_app.debug:  # who is at work on a template wants to see it change
                if len(self.found) >= MOST_KEPT:
                    self.found.clear()
                self.found[whole] = part
        return part


def keep_parts(app: Flask) -> None:
    """Give templates ``kept_part`` and ``once``.

    ``{% call kept_part("footer", town.slug) %}…{% endcall %}``: the name and everything else that the part depends
    on, apart from its language, which is always part of the key.

    ``{% set icon = once(macro) %}``: a macro that depends on nothing but its arguments.
    """
    kept = app.extensions["kept"] = _Kept()

    def kept_part(*key: Hashable, caller: Callable[[], Markup]) -> Markup:
        return kept.part(key, caller)  # type: ignore[no-any-return]

    app.jinja_env.globals.update(
        kept_part=kept_part, once=lru_cache(maxsize=500, typed=True)
    )  # Markup is not the text it equals


_TITLE, _CONTENT, _HERE = "\0title\0", "\0content\0", "\0here\0"
"""Where the parts of a page stand in its frame; no text of ours or of anybody's holds a NUL."""


def render_in_frame(name: str, key: tuple[Hashable, ...], context: dict[str, Any]) -> str:
    """A page whose frame is kept: all of it but the blocks ``title`` and ``content`` and the links to other languages.

    ``key`` is what else the frame depends on, beside the endpoint: its town, for most pages. The title is never empty.
    """
    app = current_app._get_current_object()  # type: ignore[attr-defined]
    template = app.jinja_env.get_template(name)
    app.update_template_context(context)
    kept: _Kept = app.extensions["kept"]
    frame = kept.part((name, asked().endpoint, *key), lambda: _frame(template, context))
    page = template.new_context(context)
    blocks = template.blocks
    told = {
        _TITLE: "".join(blocks["title"](page)).strip(),
        _CONTENT: "".join(blocks["content"](page)),
        _HERE: escaped(here_in_any_language()),
    }
    return "".join([told.get(piece, piece) for piece in frame])


def _frame(template: Template, context: Mapping[str, Any]) -> list[str]:
    """The page in pieces, with a mark in the place of each part that is not kept."""
    framed = template.new_context(dict(context) | {"in_language": lambda tag: _HERE + tag})
    for name, mark in (("title", _TITLE), ("content", _CONTENT)):
        framed.blocks[name] = [_saying(mark)]
    whole = "".join(template.root_render_func(framed))
    pieces = [whole]
    for mark in (_TITLE, _CONTENT, _HERE):
        pieces = [part for piece in pieces for part in _split(piece, mark)]
    return pieces


def _saying(text: str) -> Callable[[Context], Iterator[str]]:
    def block(_context: Context) -> Iterator[str]:
        yield text

    return block


def _split(piece: str, mark: str) -> Iterator[str]:
    for turn, part in enumerate(piece.split(mark)):
        if turn:
            yield mark
        if part:
            yield part
