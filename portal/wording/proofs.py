"""The proof of a look-up in words, for page, paper and chat."""

from portal.domain.look_ups import ListAsked, LookUp
from portal.i18n import Translator
from portal.regulations import catalogue
from portal.services.verdicts.proofs import CheckedProof
from portal.wording.verdicts import state_word


def proof_title(_: Translator) -> str:
    return _("Comprovante de consulta")


def answered_sentence(proof: CheckedProof, _: Translator) -> str:
    """When, which town and about what: the first sentence of a proof."""
    town = catalogue.municipality(proof.municipality)
    return _("Em %(moment)s este portal respondeu sobre %(asked)s em %(town)s:") % {
        "moment": _.datetime(proof.look_up.at.astimezone(town.zone)),
        "asked": proof.look_up.asked,
        "town": f"{town.name} – {town.state}",
    }


def proof_word(look_up: LookUp, _: Translator) -> str:
    """The state that was answered."""
    if look_up.limited:
        return _("Autorizado, mas com ressalva de lugar, hora ou serviço")
    return state_word(look_up.status, _)


def list_told(one: ListAsked, _: Translator) -> str:
    gaps = {"as_of": _.date(one.as_of)}
    if not one.platform:
        return _("Lista do município de %(as_of)s") % gaps
    if one.stale:
        return _("Lista de plataforma de %(as_of)s (atrasada)") % gaps
    return _("Lista de plataforma de %(as_of)s") % gaps


def limit_sentence(_: Translator) -> str:
    """What a proof does not prove."""
    return _(
        "Prova o que a lista dizia naquele momento. Não prova que o veículo é o da placa, nem o que aconteceu depois."
    )


def now_sentence(proof: CheckedProof, _: Translator) -> str:
    """What the list says today, beside what it said then."""
    gaps = {"state": state_word(proof.now.status, _)}
    if proof.now.status is proof.look_up.status:
        return _("Hoje a resposta é a mesma: %(state)s.") % gaps
    return _("Hoje a resposta é outra: %(state)s.") % gaps
