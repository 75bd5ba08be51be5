"""Languages, their negotiation and catalogues. Knows neither Flask nor Telegram.

The message id is the Brazilian Portuguese sentence, so that what is not translated falls back to
the words most citizens read. Catalogues are read from the .po files themselves: nothing to compile.
"""

import datetime as dt
import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from io import BytesIO
from pathlib import Path

from babel.core import Locale
from babel.dates import format_date, format_datetime, format_skeleton
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_currency, format_decimal
from babel.support import NullTranslations, Translations

SOURCE = "pt_BR"
LANGUAGES = ("pt_BR", "en", "es")
PSEUDO = "qps"
"""No language: every sentence in brackets, accented and much longer. Only developers are offered it."""
CATALOGUES = Path(__file__).parent.parent / "translations"


class Translator:
    """Speaks one language: called with a source sentence it answers in that language.

    Called ``_`` where it is used, so that Babel extracts the messages: ``_("…")``, ``_.ngettext("…", "…", n)``.
    """

    def __init__(self, language: str) -> None:
        self.language = language
        self.locale = Locale.parse(language)
        self._catalogue = _catalogue(language)

    @property
    def tag(self) -> str:
        """The language as HTML and HTTP write it: ``pt-BR``, ``en``, ``es``."""
        return self.language.replace("_", "-")

    def __call__(self, message: str) -> str:
        return self._catalogue.gettext(message)

    gettext = __call__

    def ngettext(self, singular: str, plural: str, n: int) -> str:
        return self._catalogue.ngettext(singular, plural, n)

    def choose(self, told: Mapping[str, object]) -> str:
        """Of one sentence in several languages, as a municipality's folder has it, the one in this language."""
        return str(told.get(self.language) or told.get(SOURCE, ""))

    def date(self, day: dt.date, style: str = "short") -> str:
        """A civil date; ``short`` is always written with four digits of year, as 31/12/2026."""
        if style == "short" and self.language != "en":
            return f"{day.day:02}/{day.month:02}/{day.year:04}"  # many a page, and no locale to ask
        if style == "short":
            return format_date(day, "d MMM yyyy", locale=self.locale)
        return format_date(day, style, locale=self.locale)

    def time(self, moment: dt.time | dt.datetime) -> str:
        return f"{moment.hour:02}:{moment.minute:02}"  # alike in every language of ours

    def datetime(self, moment: dt.datetime) -> str:
        """An instant already moved to the municipality's zone, such as 28/11/2026 14:02."""
        return f"{self.date(moment.date())} {self.time(moment)}"

    def day_of_year(self, day: dt.date) -> str:
        """A day without its year, such as 30 de novembro; Portuguese counts the first day as 1º."""
        if self.language == "en":
            return format_date(day, "d MMMM", locale=self.locale)  # as in the dates above, not November 30
        told = format_skeleton("MMMMd", day, locale=self.locale)
        return told.replace("1 ", "1º ", 1) if self.language == SOURCE and day.day == 1 else told

    def weekday(self, day: dt.date) -> str:
        return format_datetime(dt.datetime.combine(day, dt.time()), "EEEE", locale=self.locale)

    def number(self, value: float) -> str:
        return format_decimal(value, locale=self.locale)

    def money(self, value: float) -> str:
        return format_currency(value, "BRL", "'R$'\u00a0#,##0.00", locale=self.locale)


class PseudoTranslator(Translator):
    """What stands on a page without accents came past every catalogue, and past Babel too."""

    def __init__(self) -> None:
        super().__init__("en")
        self.language, self._catalogue = PSEUDO, NullTranslations()

    def __call__(self, message: str) -> str:
        return pseudo(message)

    gettext = __call__

    def ngettext(self, singular: str, plural: str, n: int) -> str:
        return pseudo(singular if n == 1 else plural)

    def choose(self, told: Mapping[str, object]) -> str:
        return pseudo(str(told.get(SOURCE, "")))

    def date(self, day: dt.date, style: str = "short") -> str:
        return pseudo(format_date(day, "d MMM yyyy" if style == "short" else style, locale=self.locale))

    def day_of_year(self, day: dt.date) -> str:
        return pseudo(format_date(day, "d MMMM", locale=self.locale))

    def weekday(self, day: dt.date) -> str:
        return pseudo(super().weekday(day))


_ACCENTED = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "áƀçđéƒĝĥíĵķłḿñóþɋŕšŧúṽŵẋýžÁɃÇĐÉƑĜĤÍĴĶŁḾÑÓÞɊŔŠŦÚṼŴẊÝŽ",
)
_LEFT_ALONE = re.compile(r"%\(\w+\)[sd]|%%|<[^>]+>|&\w+;|https?://\S+|(?<![\w.:/])/[a-z]+\b")
"""Gaps, tags, addresses and the bot's commands: they do something."""


def pseudo(sentence: str) -> str:
    """``sentence`` in brackets, without one plain letter, about two fifths longer and as easy to read as can be."""
    if not sentence.strip():
        return sentence
    said, end = [], 0
    for found in _LEFT_ALONE.finditer(sentence):
        said += [_accented(sentence[end : found.start()]), found.group()]
        end = found.end()
    return f"[{''.join(said)}{_accented(sentence[end:])}]"


def _accented(text: str) -> str:
    plain = "".join(
        letter for letter in unicodedata.normalize("NFD", text) if not unicodedata.combining(letter)
    )
    return re.sub("([aeiouAEIOU])", lambda vowel: vowel[1] + vowel[1].lower(), plain).translate(_ACCENTED)


@lru_cache
def translator(language: str) -> Translator:
    """The translator of a language this product speaks; anything else is answered in Portuguese."""
    if language == PSEUDO:
        return PseudoTranslator()
    return Translator(language if language in LANGUAGES else SOURCE)


def language_of(tag: str | None) -> str | None:
    """The language meant by a tag such as ``pt``, ``pt-PT``, ``en_GB`` or ``es-419``; None if none of ours."""
    primary = (tag or "").replace("_", "-").split("-")[0].strip().lower()
    return {"pt": "pt_BR", "en": "en", "es": "es"}.get(primary)


def negotiate(*wishes: str | None, accepted: Iterable[str] = ()) -> str:
    """The first wish we speak (explicit, then remembered), then the first accepted tag, then Portuguese."""
    for tag in (*wishes, *accepted):
        if language := language_of(tag):
            return language
    return SOURCE


@lru_cache
def _catalogue(language: str) -> NullTranslations:
    path = CATALOGUES / language / "LC_MESSAGES" / "messages.po"
    if language == SOURCE or not path.exists():
        return NullTranslations()
    with path.open("rb") as source:
        catalogue = read_po(source, locale=language)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return Translations(compiled)
