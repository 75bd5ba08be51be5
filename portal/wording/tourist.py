"""Sentences to show on the screen to somebody who speaks only Portuguese, each with its translation beside it."""

from dataclasses import dataclass
from enum import StrEnum

from portal.domain.verdicts import Verdict
from portal.i18n import SOURCE, Translator, translator
from portal.wording.verdicts import verdict_sentence


class Card(StrEnum):
    """What a card asks or says; the value stands in the address."""

    PERMIT = "autorizacao"
    HERE = "ponto"
    LEAVES = "saida"
    PRICE = "preco"
    GET_OFF = "descer"
    OFFICER = "agente"


@dataclass(frozen=True, slots=True)
class Shown:
    """A sentence twice: as it is shown, and as the person who shows it reads it."""

    portuguese: str
    translation: str
    """Empty for a person who reads Portuguese."""
    detail: str = ""
    """In Portuguese too, smaller, below: what the list says of the plate."""


def cards_of_vehicle() -> tuple[Card, ...]:
    return (Card.PERMIT, Card.PRICE, Card.GET_OFF, Card.OFFICER)


def cards_of_stop() -> tuple[Card, ...]:
    return (Card.HERE, Card.LEAVES, Card.PRICE, Card.PERMIT)


def shown(card: Card, _: Translator, *, verdict: Verdict | None = None) -> Shown:
    """The card in both languages; an officer also reads the verdict, word for word as the site tells it."""
    own = translator(SOURCE)
    detail = verdict_sentence(verdict, own) if verdict and card is Card.OFFICER else ""
    return Shown(card_sentence(card, own), card_sentence(card, _) if _.language != SOURCE else "", detail)


def card_sentence(card: Card, _: Translator) -> str:
    match card:
        case Card.PERMIT:
            return _("Mostre a autorização da prefeitura, por favor.")
        case Card.HERE:
            return _("Este veículo sai deste ponto?")
        case Card.LEAVES:
            return _("A que horas sai o próximo?")
        case Card.PRICE:
            return _("Quanto custa por pessoa? Mostre em números, por favor.")
        case Card.GET_OFF:
            return _("Quero descer, por favor. Pare em um lugar seguro.")
        case Card.OFFICER:
            return _("Pode me ajudar? É sobre este veículo.")


def card_label(card: Card, _: Translator) -> str:
    """The card in a word or two, on the way to it."""
    match card:
        case Card.PERMIT:
            return _("Pedir a autorização")
        case Card.HERE:
            return _("É este o ponto?")
        case Card.LEAVES:
            return _("Perguntar a hora")
        case Card.PRICE:
            return _("Perguntar o preço")
        case Card.GET_OFF:
            return _("Descer")
        case Card.OFFICER:
            return _("Falar com um agente")
