"""What stands around a verdict: its lists, what it is worth elsewhere, what to do at the kerb and next."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from portal.domain.permits import Service, Status
from portal.domain.verdicts import ListSeen, Verdict
from portal.i18n import Translator
from portal.regulations import catalogue
from portal.services.register.staging import OWN_REGISTER
from portal.wording.services import service_in_sentence
from portal.wording.verdicts import town_name


@dataclass(frozen=True, slots=True)
class NextStep:
    """Something to do after reading a verdict; the edge turns ``kind`` into a link, a form or a button.

    Kinds: ``itinerary`` (``target`` is its code), ``itineraries``, ``tell`` (the ombudsman), ``near_miss``
    (``target`` is a plate to look up instead), ``number`` (type the permit number), ``elsewhere`` (``target`` is
    a municipality), ``registers`` (other public registers to consult; only words).
    """

    kind: str
    text: str
    target: str | None = None


def role_name(role: str, _: Translator) -> str:
    """The part a vehicle plays in its combination."""
    match role:
        case "tractor":
            return _("Veículo trator")
        case "trailer":
            return _("Reboque")
        case "outside":
            return _("Placa consultada")
        case _other:
            return _("Veículo")


def list_sentences(lists: Sequence[ListSeen], _: Translator) -> tuple[str, ...]:
    """Which lists were consulted and of which day each is, none said twice.

    The municipality's own registers are told apart by their service wherever another list stands beside them.
    """
    return tuple(dict.fromkeys(_list_sentence(seen, _, alone=len(lists) == 1) for seen in lists))


def list_name(source: str, _: Translator) -> str:
    """A list as people call it: the municipality's own register by what it is, any other by its name."""
    return _("Cadastro municipal") if source == OWN_REGISTER else source


def _list_sentence(seen: ListSeen, _: Translator, *, alone: bool) -> str:
    gaps: dict[str, Any] = {"source": list_name(seen.source, _), "as_of": _.date(seen.as_of)}
    if seen.source == OWN_REGISTER and seen.service and not alone:
        gaps["service"] = service_in_sentence(seen.service, _)
        return _("Cadastro municipal de %(service)s, lista de %(as_of)s") % gaps
    return (
        _("%(source)s, lista de %(as_of)s (atrasada)") % gaps
        if seen.stale
        else _("%(source)s, lista de %(as_of)s") % gaps
    )


def elsewhere_sentence(municipality: str, status: Status, verdict: Verdict, _: Translator) -> str:
    """A permit of the same plate in another town: no permit here, but worth knowing."""
    gaps = {"plate": verdict.asked, "other": town_name(municipality), "town": town_name(verdict.municipality)}
    if status is Status.AUTHORIZED:
        return _("%(plate)s tem autorização em %(other)s; ela não vale em %(town)s.") % gaps
    return _("%(plate)s também aparece na lista de %(other)s, sem autorização em vigor.") % gaps


def plate_question(verdict: Verdict, _: Translator) -> str:
    """Beside the plate drawn large: the look-up is only worth something for the vehicle in front of the person."""
    if verdict.is_plate:
        return _("É esta a placa à sua frente?")
    return _("É esta a placa do veículo à sua frente?")


def next_steps(verdict: Verdict, _: Translator) -> tuple[NextStep, ...]:
    """What to do next, most useful first; the first two stay in view on a small phone."""
    steps: list[NextStep] = []
    gaps = {"town": town_name(verdict.municipality)}
    if verdict.status is Status.AUTHORIZED:
        itinerary = next((p.itinerary for p in verdict.permits if p.itinerary), None)
        if itinerary:
            steps.append(NextStep("itinerary", _("Ver roteiro e horários"), itinerary))
    elif Service.RECREATIONAL in catalogue.municipality(verdict.municipality).services:
        steps.append(NextStep("itineraries", _("Ver pontos e roteiros autorizados")))
    steps.append(
        NextStep("tell", _("Algo errado? Avise a ouvidoria"))
        if verdict.status is Status.AUTHORIZED
        else NextStep("tell", _("Avisar a ouvidoria"))
    )
    steps += [NextStep("near_miss", _("Consultar %(plate)s") % {"plate": p}, p) for p in verdict.near_misses]
    if verdict.status in (Status.NOT_FOUND, Status.UNKNOWN):
        if verdict.is_plate:
            steps.append(NextStep("number", _("Digite o número que está no painel ou no cartão do veículo.")))
        steps.append(
            NextStep(
                "registers",
                _(
                    "Ônibus e vans de viagem têm outros registros: o do estado, o da ANTT e o Cadastur. "
                    "Esta consulta é só de %(town)s."
                )
                % gaps,
            )
        )
    return tuple(steps)


def kerb_advice(verdict: Verdict, _: Translator) -> str | None:
    """What to do on the pavement when the answer is not green."""
    if verdict.status is Status.AUTHORIZED and not verdict.limits:
        return None
    if verdict.status is Status.NOT_IN_FORCE:
        return _("Na dúvida, não embarque: confira o carro e a pessoa no aplicativo.")
    if verdict.status is Status.NOT_REGULATED:
        return None
    return _("Na dúvida, não embarque: peça para ver a autorização afixada no veículo.")
