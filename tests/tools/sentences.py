"""What a page says outside the catalogues, found by reading it in the pseudo-language, which has no plain letter."""

import re
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser

from portal.i18n import PSEUDO

_WORD = re.compile(r"[^\W\d_]+")
_PLAIN = re.compile(r"[A-Za-z]")
_SAID_IN = ("aria-label", "title", "placeholder", "alt", "label")
_VOID = {"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
_ALIKE = ("Embarque Legal", "Telegram", "km", "kB", "min", "and", "UTC")
"""Names of our own, units, and the one word that Babel says in English between the parts of a list."""
_SILENT = {"script", "style", "svg", "code", "kbd", "textarea"}


class _Reader(HTMLParser):
    """Collects what a page shows or tells, apart from what says of itself that it is in another language.

    ``lang`` marks official text and names of languages; ``dir="auto"`` what a person wrote; ``translate="no"`` what
    is a name or a number.
    """

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self._open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        silent = (
            self._silent
            or tag in _SILENT
            or given.get("lang", PSEUDO) != PSEUDO
            or given.get("dir") == "auto"
            or given.get("translate") == "no"
        )
        if tag not in _VOID:
            self._open.append((tag, silent))
        if not silent or (tag in _SILENT and not self._silent):
            self.said += [given[name] for name in _SAID_IN if name in given]
            self.said += [
                value
                for name, value in given.items()
                if name in ("data-offline", "data-unlocated", "data-copied", "data-label")
            ]
            if tag == "meta" and given.get("name") == "description":
                self.said.append(given.get("content", ""))
            if tag == "input" and given.get("type") in ("submit", "button"):
                self.said.append(given.get("value", ""))

    def handle_endtag(self, tag: str) -> None:
        if any(opened == tag for opened, _silent in self._open):
            while self._open.pop()[0] != tag:
                pass

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.said.append(data)

    @property
    def _silent(self) -> bool:
        return bool(self._open) and self._open[-1][1]


def outside_catalogues(texts: Iterable[str], names: Iterable[str]) -> list[str]:
    """The texts in which, apart from ``names``, stands a word with a plain letter.

    Words in capitals (plates, codes, abbreviations, states), addresses and units are alike in every language.
    """
    longest_first = sorted({*names, *_ALIKE}, key=len, reverse=True)
    known = re.compile(
        "|".join(
            [
                r"https?://\S+",
                r"(?<![\w/])/[a-z]+\b",
                r"[\w-]+\.(?:csv|jpg|wav|pdf)",
                *(rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest_first),
            ]
        )
    )
    said = dict.fromkeys(" ".join(text.split()) for text in texts)
    return [text for text in said if _PLAIN.search(text) and _has_a_word(known.sub("·", text))]


def _has_a_word(text: str) -> bool:
    return any(len(word) > 1 and not word.isupper() and _PLAIN.search(word) for word in _WORD.findall(text))


def sentences(html: str) -> Iterator[str]:
    """Everything that a page shows or tells to a screen reader."""
    reader = _Reader()
    reader.feed(html)
    yield from reader.said
