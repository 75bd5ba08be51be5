"""Text as people send it, made safe to keep: composed, without controls, never silently emptied of meaning."""

import re
import unicodedata

from portal.domain.errors import TextTooLong

# Overrides and isolates can make a text read as something else; the marks that Arabic and Hebrew really use stay.
_BIDI_CONTROLS = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)])
_STACKED_MARKS = re.compile(r"([\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]{3})"
                            r"[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]+")  # fmt: skip

_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and symbols to Unicode, nothing to the eye: Hangul fillers and the empty Braille cell."""
_EMPTY_LINES = re.compile(r"\n[^\S\n]*\n(?:[^\S\n]*\n)+")


def clean_text(raw: str) -> str:
    """``raw`` composed (NFC), without NUL, other controls, lone surrogates and direction overrides.

    Line breaks become ``\\n``, with at most one empty line between two paragraphs; a letter keeps at most three
    stacked marks. A text that says nothing (blanks, zero-width characters, dots alone) becomes empty; an emoji
    says something.
    """
    text = raw.replace("\r\n", "\n").replace("\r", "\n").translate(_BIDI_CONTROLS)
    text = "".join(
        letter for letter in text if letter in "\n\t" or unicodedata.category(letter) not in ("Cc", "Cs")
    )
    text = _STACKED_MARKS.sub(r"\1", unicodedata.normalize("NFC", text)).strip()
    return _EMPTY_LINES.sub("\n\n", text) if says_something(text) else ""


def says_something(text: str) -> bool:
    """Whether any letter, digit or symbol that can be seen stands in ``text``."""
    return any(unicodedata.category(letter)[0] in "LNS" and letter not in _BLANKS for letter in text)


def clean_line(raw: str) -> str:
    """``clean_text`` on one line: names, places, e-mail addresses."""
    return " ".join(clean_text(raw).split())


def capitalize_first(sentence: str) -> str:
    """A capital where a sentence begins; the rest, abbreviations and plates and all, stays."""
    return sentence[:1].upper() + sentence[1:]


def within(text: str, limit: int) -> str:
    """``text`` if it has at most ``limit`` characters; raises ``TextTooLong`` otherwise."""
    if len(text) > limit:
        raise TextTooLong(length=len(text), limit=limit)
    return text
