"""Text made comparable, so that whoever searches need not type accents, capitals or marks."""

import re
import unicodedata

LONGEST_SEARCH = 200
"""Characters of a search that are read."""


def searchable(text: str) -> str:
    """``text`` as words of small letters and digits of any script, without accents, parted by one space."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return " ".join(re.findall(r"[^\W_]+", "".join(c for c in apart if not unicodedata.combining(c))))


def words_of(typed: str) -> tuple[str, ...]:
    """The words of a search, each of which must be found."""
    return tuple(dict.fromkeys(searchable(typed[:LONGEST_SEARCH]).split()))[:10]
