"""Names of places as people type them: without accents, with abbreviations, with a slip of a letter."""

import re
import unicodedata

ABBREVIATIONS = {
    "av": "avenida",
    "avda": "avenida",
    "bal": "balneario",
    "br": "barra",
    "cach": "cachoeira",
    "est": "estacao",
    "jd": "jardim",
    "jdim": "jardim",
    "pc": "praca",
    "pca": "praca",
    "pq": "parque",
    "pque": "parque",
    "pr": "praia",
    "r": "rua",
    "rod": "rodovia",
    "rodov": "rodoviaria",
    "rodv": "rodoviaria",
    "rodoviario": "rodoviaria",
    "s": "sao",
    "sta": "santa",
    "sto": "santo",
    "term": "terminal",
    "tv": "travessa",
    "vl": "vila",
}
"""Read on both sides, in the stored name and in what is typed, so that a wrong guess still meets itself."""

UNSAID = frozenset(
    {"a", "as", "da", "das", "de", "do", "dos", "e", "em", "na", "no", "o", "os", "the", "del"}
)


_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
"""Controls, halves of characters, and the marks that turn the direction of what follows them."""


def tidy(text: str) -> str:
    """``text`` composed (NFC), without control characters and doubled or outer spaces: how a name is stored."""
    return " ".join(_CONTROLS.sub(" ", unicodedata.normalize("NFC", text)).split())


def fold(text: str) -> str:
    """``text`` in small plain letters, digits and single spaces: ``Pça. São João`` becomes ``pca sao joao``."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return " ".join(re.findall(r"[a-z0-9]+", "".join(c for c in apart if not unicodedata.combining(c))))


def words(text: str) -> tuple[str, ...]:
    """The words that count in a name, folded, abbreviations spelled out, each once, in their order."""
    spelled = [ABBREVIATIONS.get(word, word) for word in fold(text).split()]
    return tuple(dict.fromkeys([word for word in spelled if word not in UNSAID] or spelled))


SHORTEST_SLIP = 4
"""Letters of the shortest word in which a slip is supposed: of three, one changed makes another word."""


def slips_of(word: str) -> set[str]:
    """The word and what is left of it when one letter is dropped.

    Two words that differ by one letter, added, lost, changed or swapped with the next, share one of these; so
    the word meant is found in an index, however many words there are.
    """
    if len(word) < SHORTEST_SLIP or word.isdigit():
        return {word}
    return {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}


def as_code(text: str) -> str:
    """``text`` as a code that can stand in an address, such as ``praca-da-matriz``."""
    return fold(text).replace(" ", "-")
