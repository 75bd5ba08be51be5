"""What may not leave the ombudsman's office in a copy: masked in every occurrence, and nothing else touched.

Lei 13.608/2018 art. 4-B and Lei 13.460/2017 art. 10 § 7 keep who complains from whoever answers; a phone number, an
e-mail address or a CPF inside an account tells it as surely as a name. Plates of vehicles that nobody complains of
belong to third parties.
"""

import re
from collections.abc import Collection

from portal.domain.plates import plate_key, read_plate

MASK = "█████"
"""As long for everything: its length says nothing of what stood there."""

_EMAIL = re.compile(
    r"[\w.+%-]+[@＠][\w-]+(?:\.[\w-]+)+"
    r"|[\w.+%-]+\s?(?:\s@\s|[(\[]\s?(?:at|arroba)\s?[)\]]|\sarroba\s)\s?[\w-]+(?:\s?(?:\.|\sponto\s)\s?[\w-]+)+",
    re.IGNORECASE,
)
_HANDLE = re.compile(r"(?<![\w@])@[\w.]{3,}")
# Eleven digits of a CPF in any punctuation, before phones: those would leave half of it.
_CPF = re.compile(r"(?<!\d)\d{3}[\s.\-–/]{0,2}\d{3}[\s.\-–/]{0,2}\d{3}[\s.\-–/]{0,2}\d{2}(?!\d)")
# +55, area code in brackets or not, eight or nine digits with or without a break; foreign numbers by their plus sign.
_PHONE = re.compile(
    r"(?<![\w])(?:\+\s?\d[\d\s().\-–]{6,18}\d"
    r"|(?:0?\(?\d{2}\)?[\s.\-–]{0,3})?(?:9[\s.\-–]?)?\d{4}[\s.\-–]{0,3}\d{4})(?![\w])"
)
_PLATE = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{3}[\s.\-–]{0,2}[0-9][A-Za-z0-9][0-9]{2}(?![A-Za-z0-9])")
_YEARS = re.compile(r"(?:19|20)\d{2}\s?[-–/]\s?(?:19|20)\d{2}")


def redact(text: str, *, keep: Collection[str] = ()) -> str:
    """``text`` with every phone number, e-mail address, CPF and third party's plate masked.

    ``keep`` are plates (in any spelling, old pattern or new) and permit numbers of the vehicles complained of.
    """
    kept = {plate_key(read) for one in keep if (read := read_plate(one))}
    numbers = {digits for one in keep if (digits := re.sub(r"\D", "", one))}

    def plate(match: re.Match[str]) -> str:
        read = read_plate(match.group())
        return match.group() if read is None or plate_key(read) in kept or _a_year(match.group()) else MASK

    def phone(match: re.Match[str]) -> str:
        said = match.group()
        return said if _YEARS.fullmatch(said) or re.sub(r"\D", "", said) in numbers else MASK

    text = _EMAIL.sub(MASK, text)
    text = _HANDLE.sub(MASK, text)
    text = _CPF.sub(MASK, text)
    text = _PHONE.sub(phone, text)
    return _PLATE.sub(plate, text)


def _a_year(text: str) -> bool:
    """Three letters before a year, such as "ano 2026" or "set 2026", are words, unless written as a plate is."""
    return not text[:3].isupper() and bool(re.fullmatch(r"[A-Za-z]{3}\s(?:19|20)\d{2}", text))
