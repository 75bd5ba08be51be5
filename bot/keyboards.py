"""Buttons. What a button carries is at most 64 bytes, so it carries short ids; its label is cut between letters."""

import unicodedata
from collections.abc import Iterable, Sequence

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, Update

from portal.domain.deep_links import digest

MOST_BYTES = 64
MOST_LETTERS = 40
"""Longest label that a phone 360 points wide shows whole."""
SEPARATOR = "|"


def data(*parts: str | int) -> str:
    """What a button carries: a word that names the handler, then ids, each at most as long as `short` makes it."""
    packed = SEPARATOR.join(str(part) for part in parts)
    if len(packed.encode()) > MOST_BYTES:
        raise ValueError(f"a button carries at most {MOST_BYTES} bytes, not {packed!r}")
    return packed


def pressed(update: Update, count: int) -> list[str]:
    """What the pressed button carries: its word, then its ids, filled up to ``count``."""
    return (parts(update.callback_query.data if update.callback_query else None) + [""] * count)[:count]


def parts(packed: str | None) -> list[str]:
    """What `data` joined."""
    return (packed or "").split(SEPARATOR)


def short(code: str) -> str:
    """A code as a button carries it: itself, or, when it is long or odd, a digest that `matches` recognises."""
    if (
        len(code) <= 24
        and code.isascii()
        and code.isprintable()
        and SEPARATOR not in code
        and code[:1] != "~"
    ):
        return code
    return "~" + digest(code)


def whole(carried: str, codes: Iterable[str]) -> str | None:
    """The code that a button carries, found among all ``codes`` it may mean; None if it is gone."""
    if not carried.startswith("~"):
        return carried
    return next((code for code in codes if short(code) == carried), None)


def label(text: str, most: int = MOST_LETTERS) -> str:
    """``text`` on one line, cut with an ellipsis and never inside an emoji or an accented letter."""
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    kept = most - 1
    while kept > 0 and tears(line, kept):
        kept -= 1
    return line[:kept].rstrip(" -–—,(") + "…"


def button(text: str, *carried: str | int) -> InlineKeyboardButton:
    return InlineKeyboardButton(label(text), callback_data=data(*carried))


def link(text: str, url: str) -> InlineKeyboardButton:
    return InlineKeyboardButton(label(text), url=url)


def column(buttons: Iterable[InlineKeyboardButton]) -> InlineKeyboardMarkup:
    """One button a row: what a thumb finds most easily."""
    return InlineKeyboardMarkup([[each] for each in buttons])


def rows(*lines: Sequence[InlineKeyboardButton]) -> InlineKeyboardMarkup:
    return InlineKeyboardMarkup([list(line) for line in lines if line])


def tears(text: str, at: int) -> bool:
    """Whether a cut before ``text[at]`` would tear one visible sign apart."""
    here, before = text[at], text[at - 1]
    joins = ("\u200d", "\ufe0f", "\u20e3")
    if here in joins or before == "\u200d" or unicodedata.combining(here):
        return True
    if "\U0001f3fb" <= here <= "\U0001f3ff":  # a skin tone belongs to the emoji before it
        return True
    flags = 0
    while at - flags - 1 >= 0 and "\U0001f1e6" <= text[at - flags - 1] <= "\U0001f1ff":
        flags += 1
    return flags % 2 == 1 and "\U0001f1e6" <= here <= "\U0001f1ff"
