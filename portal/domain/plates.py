"""Reading what people type: number plates and permit numbers, in any spelling.

``ABC1234`` and ``ABC1C34`` may be one vehicle before and after its plates were changed: the second
digit becomes a letter (0 → A … 9 → J). `plate_key` folds the two together.
"""

import re
import unicodedata
from dataclasses import dataclass

from portal.domain.errors import UnreadableQuery

LONGEST_QUERY = 200
"""Characters of a query that are read; a number plate and a permit number fit many times over."""

_ECHOED = 60
"""Characters of an unreadable query that are said back."""


@dataclass(frozen=True, slots=True)
class PlateQuery:
    """A plate as it was read from what a person typed."""

    typed: str
    plate: str
    folded: bool = False
    """Letters of another script or invisible characters stood in the typed text."""
    corrected: bool = False
    """A letter was read as the digit it looks like, or the other way round: O for 0, I for 1."""
    number_key: str | None = None
    """The permit number typed beside the plate, to ask whether the plate belongs to that permit."""

    @property
    def key(self) -> str:
        return plate_key(self.plate)

    @property
    def asked(self) -> str:
        return self.plate


@dataclass(frozen=True, slots=True)
class NumberQuery:
    """A permit number as it was read."""

    typed: str
    number: str
    key: str
    folded: bool = False

    @property
    def asked(self) -> str:
        return self.number


Query = PlateQuery | NumberQuery

_PLATE = re.compile(r"[A-Z]{3}[0-9][A-Z0-9][0-9]{2}")

# Letters of other scripts that are drawn like a Latin capital; the index is the capital they look like.
_LOOK_ALIKES = {
    "A": "АΑᎪꓮ", "B": "ВΒᏴꓐ", "C": "СϹᏟꓚ", "D": "ᎠꓓԀ", "E": "ЕΕᎬꓰ", "F": "Ϝꓝ", "G": "ԌᏀꓖ", "H": "НΗᎻꓧ",
    "I": "ІΙӀꓲ", "J": "ЈͿᎫꓙ", "K": "КΚᏦꓗ", "L": "ᏞꓡԼ", "M": "МΜᎷꓟ", "N": "Νꓠ", "O": "ОΟՕꓳ", "P": "РΡᏢꓑ",
    "Q": "Ԛ", "R": "ᎡᏒꓣ", "S": "ЅՏᏚꓢ", "T": "ТΤᎢꓔ", "U": "ՍꓴԱ", "V": "ѴᏙꓦ", "W": "ԜᎳꓪ", "X": "ХΧꓫ",
    "Y": "ΥҮУꓬ", "Z": "ΖᏃꓜ", "3": "ЗӠ",
}  # fmt: skip
_FOLD = str.maketrans({other: latin for latin, others in _LOOK_ALIKES.items() for other in others})

_DIGIT_FOR = {"O": "0", "I": "1"}
_LETTER_FOR = {"0": "O", "1": "I"}

# Confusions of a hurried eye or of worn paint, each way.
_CONFUSED = {
    "0": "O8", "O": "0QD", "1": "I7", "I": "1LJ", "2": "Z", "Z": "2", "3": "8", "4": "A", "5": "S6", "S": "5",
    "6": "G5", "G": "6C", "7": "1", "8": "B3", "B": "8", "Q": "O", "D": "O", "L": "I", "C": "G", "J": "I",
    "U": "V", "V": "U", "M": "N", "N": "M", "E": "F", "F": "E", "P": "R", "R": "P", "9": "",
}  # fmt: skip

_FOREIGN = re.compile(
    r"[A-Z]{2}[0-9]{3}[A-Z]{2}"  # Argentina, Venezuela: AB 123 CD
    r"|[A-Z]{4}[0-9]{3}"  # Paraguay: ABCD 123
    r"|[0-9]{4}[A-Z]{3}"  # Bolivia: 1234 ABC
    r"|[A-Z]{2}[0-9]{4}[A-Z]"  # Uruguay and Paraguay, motorcycles
)
# A plate with a character too few or too many: never looked up, as "not found" would mislead.
_CUT_PLATE = re.compile(r"[A-Z]{3}[0-9][0-9A-Z]{1,2}|[A-Z]{3}[0-9][0-9A-Z]{4,5}|[A-Z]{2}[0-9][A-Z][0-9]{2}")
_WORDS = re.compile(
    r"\b(?:PLACA|AUTORIZA[CÇ][AÃ]O|PERMISS[AÃ]O|LICEN[CÇ]A|ALVAR[AÁ]|PREFIXO|N[UÚ]MERO|VE[IÍ]CULO|PERMIT|NUMBER|PLATE"
    r"|AUTORIZACI[OÓ]N|PERMISO|LICENCIA|NUM|NRO|NR|NO|N)\b[\s.:ºª°#]*"
)
_NUMBER = re.compile(r"([A-Z]{1,4})?[ ./-]*([0-9]{1,10})(?:[ ./-]+([0-9]{1,8}))?(?:[ ./-]*([A-Z]{1,2}))?")
_THOUSANDS = re.compile(r"(?<![0-9.])[0-9]{1,3}(?:\.[0-9]{3})+(?![0-9.])")
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_APART = "[^0-9A-Za-z]{0,3}"
_CPF = re.compile(
    f"(?<![0-9])(?:[0-9]{{3}}{_APART}[0-9]{{3}}{_APART}[0-9]{{3}}{_APART}[0-9]{{2}}"
    "|(?:[0-9][^0-9A-Za-z]{1,2}){10}[0-9])(?![0-9])"
)


def identify(typed: str) -> Query:
    """Read a plate or a permit number out of what a person typed.

    Raises:
        UnreadableQuery: with ``why`` ``empty``, ``length`` (a plate with a character missing or too many),
            ``foreign`` (the plate of another country) or ``unreadable``.
    """
    typed = printable(typed)[:LONGEST_QUERY]
    text, folded = fold(typed)
    text = text.upper()
    if not any(character.isalnum() for character in text):
        raise UnreadableQuery(_echo(typed), why="empty")
    bare = _WORDS.sub("", text) or text
    for candidate in (text, bare):
        if read := _read_plate(_compact(candidate)):
            return PlateQuery(typed, read[0], folded=folded, corrected=read[1])
    if both := _plate_with_number(typed, folded):
        return both
    compact = _compact(bare)
    if _FOREIGN.fullmatch(compact):
        raise UnreadableQuery(_echo(typed), why="foreign")
    mixed = compact.isalnum() and not compact.isdigit() and any(c.isdigit() for c in compact)
    unbroken = compact == bare.strip()
    if _CUT_PLATE.fullmatch(compact) or (mixed and unbroken and len(compact) == 6 and compact[:2].isalpha()):
        raise UnreadableQuery(_echo(typed), why="length")
    if number := _read_number(bare):
        return NumberQuery(typed, number[0], number[1], folded=folded)
    raise UnreadableQuery(_echo(typed))


def find_plate(text: str) -> PlateQuery | None:
    """The first plate inside a sentence, as a chat message carries it; None when there is none.

    Three letters and four digits apart ("no ano 2026") are a plate only in capitals, after the word
    "placa", or when they stand alone.
    """
    text = printable(text)[:4096]
    spaced, folded = fold(text)
    for match in _IN_TEXT.finditer(spaced):
        letters, gap, rest = match["letters"], match["gap"], match["rest"]
        alone = not any(c.isalnum() for c in spaced[: match.start()] + spaced[match.end() :])
        named = re.search(r"plac?as?\W*$|plate\W*$", spaced[: match.start()], re.IGNORECASE)
        if gap.isspace() and rest.isdigit() and not (letters.isupper() or alone or named):
            continue
        if read := _read_plate((letters + rest).upper()):
            return PlateQuery(text[:LONGEST_QUERY], read[0], folded=folded, corrected=read[1])
    return None


_IN_TEXT = re.compile(
    r"(?<![A-Za-z0-9/])(?P<letters>[A-Za-z0]{3})(?P<gap>\s?[-.·]?\s?)(?P<rest>[0-9OoIi][A-Za-z0-9][0-9OoIi]{2})(?![A-Za-z0-9/])"
)


def plate_key(plate: str) -> str:
    """One key for the old and the Mercosul plate of one vehicle: the old form, where there is one."""
    fifth = plate[4]
    return plate[:4] + str(ord(fifth) - ord("A")) + plate[5:] if "A" <= fifth <= "J" else plate


def twin(plate: str) -> str | None:
    """The same vehicle's plate before or after the change of plates; None if it never had another."""
    fifth = plate[4]
    if fifth.isdigit():
        return plate[:4] + chr(ord("A") + int(fifth)) + plate[5:]
    return plate_key(plate) if fifth <= "J" else None


def near_misses(plate: str, *, limit: int = 4) -> tuple[str, ...]:
    """Other plates the typed text may have meant, one confusion away; knows nothing of any register."""
    found: list[str] = []
    for position in (4, 3, 5, 6, 0, 1, 2):
        for other in _CONFUSED.get(plate[position], ""):
            candidate = plate[:position] + other + plate[position + 1 :]
            if _PLATE.fullmatch(candidate) and plate_key(candidate) != plate_key(plate):
                found.append(candidate)
    return tuple(found[:limit])


def is_plate(text: str) -> bool:
    """Whether ``text`` is a plate exactly as it is written on the vehicle, in either pattern."""
    return bool(_PLATE.fullmatch(text))


def read_plate(text: str) -> str | None:
    """The plate that a register's cell holds in any spelling; None if it is not one."""
    folded, _ = fold(printable(text))
    read = _read_plate(_compact(folded.upper()))
    return read[0] if read else None


def number_key(number: str) -> str | None:
    """The key under which a permit number is found in any spelling; None for what could not be asked for.

    ``2026/0001``, ``1/2026``, ``2026-1`` and ``20260001`` share one key. A number that reads as a plate, or as
    a cut one, has none: a look-up would take it for a plate.
    """
    try:
        read = identify(number)
    except UnreadableQuery:
        return None
    return read.key if isinstance(read, NumberQuery) else None


def holds_personal_number(text: str) -> bool:
    """Whether a run of digits may be somebody's CPF: eleven of them, bare or punctuated, of whatever script."""
    return bool(_CPF.search(text if text.isascii() else "".join(map(_plainly, text))))


def _plainly(character: str) -> str:
    """A digit of any script as ours; nothing for what cannot be seen."""
    if unicodedata.category(character) in ("Cf", "Mn", "Me"):
        return ""
    digit = unicodedata.digit(character, None)
    return character if digit is None else str(digit)


def printable(text: str) -> str:
    """``text`` without what no keyboard types: NUL and controls, lone surrogates, marks that turn the line."""
    if text.isascii() and text.isprintable():
        return text.strip()  # nearly every query: nothing to leave out
    return "".join(
        " " if character in "\t\n\r" else character
        for character in text
        if character in "\t\n\r"
        or (unicodedata.category(character) not in ("Cc", "Cs") and character not in _TURNING)
    ).strip()


_TURNING = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f"


def fold(text: str) -> tuple[str, bool]:
    """``text`` in plain Latin letters and digits, and whether look-alike or invisible characters were folded."""
    if text.isascii():
        return text, False
    folded = False
    out: list[str] = []
    for character in unicodedata.normalize("NFKC", text):
        category = unicodedata.category(character)
        if category == "Cf" or character in "\u115f\u3164\u034f":
            folded = True
            continue
        if category == "Nd" and not character.isascii():
            out.append(str(unicodedata.decimal(character)))
            folded = True
            continue
        if not character.isascii():
            latin = character.upper().translate(_FOLD)
            if latin != character.upper() and latin.isascii():
                out.append(latin if character.isupper() else latin.lower())
                folded = True
                continue
            if category == "Pd" or character in "\u2212\u2010\u00ad":
                character = "-"
            elif category in ("Pi", "Pf") or character in "´`“”‘’":
                character = "'"
            elif category == "Zs":
                character = " "
        out.append(character)
    return "".join(out), folded


_SEPARATORS = re.compile(r"[\s\-._'\"`´·•,;:()\[\]{}<>*|/\\#]+")


def _compact(text: str) -> str:
    return _SEPARATORS.sub("", text)


def _read_plate(compact: str) -> tuple[str, bool] | None:
    """The plate, and whether a character was read as its look-alike."""
    if len(compact) != 7:
        return None
    if _PLATE.fullmatch(compact):
        return compact, False
    letters = "".join(_LETTER_FOR.get(c, c) for c in compact[:3])
    digits = [_DIGIT_FOR.get(c, c) for c in compact[3] + compact[5:]]
    plate = letters + digits[0] + compact[4] + digits[1] + digits[2]
    # A permit number such as 0001234 or A001234 is no plate: two letters and one digit must be real.
    real_letters = sum(c.isalpha() for c in compact[:3])
    real_digits = sum(c.isdigit() for c in compact[3:])
    if real_letters >= 2 and real_digits >= 1 and _PLATE.fullmatch(plate):
        return plate, True
    return None


def _plate_with_number(typed: str, folded: bool) -> PlateQuery | None:
    """A plate among other words, and the permit number that stands beside it, if one does."""
    found = find_plate(typed)
    if not found:
        return None
    spaced, _ = fold(typed)
    match = next(m for m in _IN_TEXT.finditer(spaced) if _read_plate((m["letters"] + m["rest"]).upper()))
    rest = _WORDS.sub("", (spaced[: match.start()] + " " + spaced[match.end() :]).upper())
    number = _read_number(rest.strip(" ,;:-/."))
    return PlateQuery(typed, found.plate, folded, found.corrected, number_key=number[1] if number else None)


def _read_number(text: str) -> tuple[str, str] | None:
    """The permit number as it is shown, and its key."""
    if holds_personal_number(text):
        return None
    shown = re.sub(r"\s+", " ", text.strip(" '\".,;:()#"))
    plain = _THOUSANDS.sub(lambda m: m[0].replace(".", ""), shown)
    match = _NUMBER.fullmatch(plain.replace("_", "-").replace("\\", "/"))
    if not match:
        return None
    prefix, first, second, suffix = match.groups()
    if len(first) + len(second or "") > 12:
        return None
    if second is None and 7 <= len(first) <= 10 and _YEAR.fullmatch(first[:4]):
        first, second = first[:4], first[4:]
    if second is not None and _YEAR.fullmatch(second) and not _YEAR.fullmatch(first):
        first, second = second, first
    numbers = "/".join(part.lstrip("0") or "0" for part in (first, second) if part is not None)
    return shown, f"{prefix or ''}{numbers}{suffix or ''}"


def _echo(typed: str) -> str:
    return typed if len(typed) <= _ECHOED else typed[: _ECHOED - 1] + "…"
