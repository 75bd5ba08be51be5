"""Towns as buttons carry them: by their number at the national institute of statistics, seven digits."""

from telegram import InlineKeyboardButton

from bot.keyboards import button
from portal.domain.errors import UnknownMunicipality
from portal.regulations import catalogue
from portal.regulations.municipalities import Municipality


def town_of(carried: str) -> Municipality:
    """The town that a button carries; raises ``UnknownMunicipality`` once it is served no more."""
    for town in catalogue.municipalities():
        if str(town.ibge_code) == carried:
            return town
    raise UnknownMunicipality(carried)


def town_buttons(word: str, *more: str, first: str | None = None) -> list[InlineKeyboardButton]:
    """A button for each town served, the remembered one on top; each carries the town after ``word``."""
    towns = sorted(catalogue.municipalities(), key=lambda town: town.slug != first)
    return [button(f"{town.name} – {town.state}", word, town.ibge_code, *more) for town in towns]
