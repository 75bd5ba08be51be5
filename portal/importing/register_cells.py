"""Cells of a register: cleaned, read, and told back to the clerk without anybody's name or number in them."""

import re
from collections.abc import Callable, Mapping
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from portal.domain.acts import read_act_number
from portal.domain.days import read_day
from portal.domain.names import fold, tidy
from portal.domain.plates import holds_personal_number, number_key, plate_key, printable, read_plate
from portal.domain.spreadsheets import begins_a_formula
from portal.importing.register_columns import BENIGN_HEADINGS, EMPTY
from portal.importing.sheets import column_name

_ORDINARY = re.compile("[ -~\u00a1-\u00ac\u00ae-\u017f]*")
"""Letters as Portuguese writes them: nothing in them needs to be composed, folded or taken away."""
_PLATE = re.compile(r"[A-Z]{3}[ -]?[0-9][A-Z0-9][0-9]{2}")
_NUMBER = re.compile(r"([0-9]{1,6})/([0-9]{1,8})")
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_UNITS = re.compile(r"\s*(?:lugares|passageiros|pessoas|assentos|km/?h)\.?$", re.IGNORECASE)
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3})+(?:,[0-9]+)?")
_COMMA = re.compile(r"[0-9]+,[0-9]+")
_REGISTERED_NAME = re.compile(r"(?<![0-9])[0-9]{2}\.?[0-9]{3}\.?[0-9]{3}(?![0-9])")
"""The root of a CNPJ before a name: how a sole trader is registered, under the person's own name."""


class Refused(Exception):
    """A cell that cannot be read; ``value`` is what stood there, and may only be shown masked."""

    def __init__(self, code: str, value: str | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.value = value


def clean(text: str) -> str:
    """``text`` composed, on one line, without controls; empty for the words that say nothing."""
    if _ORDINARY.fullmatch(text):
        text = text.strip() if "  " not in text else " ".join(text.split())
    else:
        text = tidy(printable(text))
    if len(text) < 20 and (text.lower().strip("()[]<>. ") in EMPTY or not any(map(str.isalnum, text))):
        return ""
    return text


def read_number(text: str) -> Decimal | None:
    """A number as Brazilians write it: 1.234,5; with a unit after it, such as ``40 lugares`` or ``30 km/h``."""
    text = _UNITS.sub("", text.strip())
    if _THOUSANDS.fullmatch(text) or _COMMA.fullmatch(text):
        text = text.replace(".", "").replace(",", ".")
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def plate_at_once(text: str) -> tuple[str, str] | None:
    """A plate as most people write it, and its key; None for any other spelling."""
    plate = text.upper()
    if not _PLATE.fullmatch(plate):
        return None
    plate = plate[:3] + plate[-4:]
    return plate, plate_key(plate)


def plate_of(text: str) -> tuple[str, str] | None:
    """A plate in any spelling and its key."""
    plate = read_plate(text)
    return (plate, plate_key(plate)) if plate else None


def key_at_once(number: str) -> str | None:
    """The key of ``2026/0001`` and ``1/2026``, as nearly every register writes numbers; None for any other."""
    match = _NUMBER.fullmatch(number)
    if match is None:
        return None
    first, second = match.groups()
    if len(first) + len(second) > 12:
        return None
    if _YEAR.fullmatch(second) and not _YEAR.fullmatch(first):
        first, second = second, first
    return f"{first.lstrip('0') or '0'}/{second.lstrip('0') or '0'}"


def key_of_number(number: str) -> str | None:
    """See `portal.domain.plates.number_key`."""
    return key_at_once(number) or number_key(number)


def is_a_persons(name: str) -> bool:
    """Whether a company's name gives a person away: a CPF in it, or a CNPJ's root before a registered name."""
    return holds_personal_number(name) or bool(_REGISTERED_NAME.search(name))


def is_cpf_cut_short(text: str) -> bool:
    """Whether a number is a CPF whose leading zeros a spreadsheet took away: its check digits agree."""
    if not 8 <= len(text) <= 10 or not text.isdigit():
        return False
    digits = [int(digit) for digit in text.zfill(11)]
    for length in (9, 10):
        total = sum(digit * (length + 1 - at) for at, digit in enumerate(digits[:length]))
        if total * 10 % 11 % 10 != digits[length]:
            return False
    return True


def shown_value(value: str) -> str:
    """What may be repeated of a cell: numbers, dates and plates; never words, as any may be a name."""
    words = value.split()
    if len(value) > 20 or holds_personal_number(value) or sum(map(str.isdigit, value)) > 8:
        return "•••"
    if not words or not all(any(map(str.isdigit, word)) and _letters(word) <= 3 for word in words):
        return "•••"
    return value


def _letters(word: str) -> int:
    return max((len(run) for run in re.findall(r"[^\W\d_]+", word)), default=0)


def shown_heading(heading: str, at: int) -> str:
    """A column as the clerk finds it: its heading where that is an ordinary word, its letter beside it."""
    return f"{column_letter(at)} ({heading})" if is_benign(heading) else column_letter(at)


def is_benign(text: str) -> bool:
    """Whether each word is one that registers are made of, and no number in it is long."""
    parts = re.findall("[a-z]+|[0-9]+", fold(text))
    return bool(parts) and all(
        part in BENIGN_HEADINGS or len(part) == 1 or (part.isdigit() and len(part) <= 8) for part in parts
    )


def safe_file_name(name: str) -> str:
    """The name of a file as it may be kept: as it is where it says nothing but ordinary words and dates."""
    stem, dot, suffix = name.rpartition(".")
    if not dot:
        stem, suffix = name, ""
    total = sum(character.isdigit() for character in stem)
    if is_benign(stem) and total <= 10:
        return name[:200]
    return f"arquivo.{suffix.lower()}" if re.fullmatch(r"[A-Za-z0-9]{1,5}", suffix) else "arquivo"


def column_letter(at: int) -> str:
    """A, B … Z, AA: how a spreadsheet calls its columns; ``at`` counts from 0."""
    letters = ""
    at += 1
    while at:
        at, rest = divmod(at - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


class _LeftOut:
    """Stands for a text that is not kept, as it may be a person's name."""


_LEFT_OUT = _LeftOut()


def is_left_out(value: Any) -> bool:
    return value is _LEFT_OUT


def day(text: str) -> date:
    read = read_day(text)
    if read is None:
        raise Refused("no_date", text)
    return read


def whole_number(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        number = read_number(text)
        if number is None or number != int(number) or not least <= number <= most:
            raise Refused("no_number", text)
        return int(number)

    return read


def choice(choices: Mapping[str, Any], code: str) -> Callable[[str], Any]:
    def read(text: str) -> Any:
        folded = column_name(text)
        if folded not in choices:
            raise Refused(code, text)
        return choices[folded]

    return read


def plate(text: str) -> tuple[str, str]:
    read = plate_of(text)
    if read is None:
        raise Refused("no_plate", text)
    return read


def permit_number(text: str) -> tuple[str, str]:
    if holds_personal_number(text) or is_cpf_cut_short(text):
        raise Refused("personal_number")
    if len(text) > 40:
        raise Refused("too_long", text)
    if begins_a_formula(text):
        raise Refused("formula")
    key = key_of_number(text)
    if key is None:
        raise Refused("no_permit_number", text)
    return text, key


def number_at_once(text: str) -> tuple[str, str] | None:
    """A permit number in the spelling that most registers keep, ``2026/0001``; None for any other."""
    key = key_at_once(text)
    return (text, key) if key else None


def nothing(_text: str) -> None:
    """No spelling of a name can be taken unread."""


def itinerary(text: str) -> Any:
    """A code: one word. Several words may be a name, and are left out."""
    if holds_personal_number(text):
        raise Refused("personal_number")
    if begins_a_formula(text):
        raise Refused("formula")
    return text if len(text) <= 40 and " " not in text else _LEFT_OUT


def act_number(text: str) -> Any:
    if holds_personal_number(text):
        raise Refused("personal_number")
    return read_act_number(text) or _LEFT_OUT


def trade_name(text: str) -> Any:
    if begins_a_formula(text):
        raise Refused("formula")
    if is_a_persons(text):
        return _LEFT_OUT
    if len(text) > 120:
        raise Refused("too_long", text)
    return text
