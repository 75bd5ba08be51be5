"""What a verdict says, in the words that page, fragment, JSON, command line and bot share.

State word first, then proof, then limit, then action. A fact is said, nobody is accused: that no permit
was found is a fact; what follows from it is for inspectors to find.
"""

from collections.abc import Mapping
from datetime import date
from typing import Any

from portal.domain.judging import OUTSIDE
from portal.domain.permits import HolderKind, Status
from portal.domain.verdicts import PermitFinding, Verdict
from portal.i18n import Translator
from portal.regulations import catalogue
from portal.wording.limits import limit_word, limited_sentence
from portal.wording.reasons import permit_name
from portal.wording.services import service_in_sentence


def state_word(status: Status, _: Translator) -> str:
    """The word that stands largest on the card."""
    match status:
        case Status.AUTHORIZED:
            return _("Autorizado")
        case Status.RENEWAL_PENDING:
            return _("Renovação em análise")
        case Status.NOT_YET_VALID:
            return _("Ainda não vale")
        case Status.EXPIRED:
            return _("Autorização vencida")
        case Status.BARRED:
            return _("Reprovado em vistoria")
        case Status.SUSPENDED:
            return _("Autorização suspensa")
        case Status.CANCELLED:
            return _("Autorização cancelada")
        case Status.REVOKED:
            return _("Autorização cassada")
        case Status.NOT_IN_FORCE:
            return _("Sem autorização em vigor")
        case Status.NOT_FOUND:
            return _("Não encontrado")
        case Status.UNKNOWN:
            return _("Não dá para dizer agora")
        case Status.NOT_REGULATED:
            return _("Sem norma em vigor")


def verdict_word(verdict: Verdict, _: Translator) -> str:
    """The word that stands largest on the card of a verdict, which may be limited."""
    return limit_word(verdict.limits, _) if verdict.limits else state_word(verdict.status, _)


def town_name(slug: str, _: Translator | None = None) -> str:
    return catalogue.municipality(slug).name


def verdict_sentence(verdict: Verdict, _: Translator) -> str:
    """The one sentence that page, message, JSON and command line all show."""
    if verdict.limits:
        return limited_sentence(verdict, _)
    gaps: dict[str, Any] = {"asked": verdict.asked, "town": town_name(verdict.municipality)}
    permit = _deciding(verdict)
    if permit is not None:
        gaps["service"] = service_in_sentence(permit.service, _)
        if permit.valid_until:
            gaps["until"] = _.date(permit.valid_until)
    match verdict.status:
        case Status.AUTHORIZED:
            return _authorized(verdict, permit, gaps, _)
        case Status.NOT_IN_FORCE:
            return (
                _(
                    "%(asked)s: sem autorização em vigor em %(town)s. "
                    "A autorização é da pessoa: confira o cartão ou o aplicativo."
                )
                % gaps
            )
        case Status.NOT_FOUND:
            return _not_found(verdict, gaps, _)
        case Status.UNKNOWN:
            return _cannot_say(verdict, gaps, _)
        case Status.NOT_REGULATED:
            return _not_regulated(verdict, gaps, _)
    return _not_working(verdict, permit, gaps, _)


def _deciding(verdict: Verdict) -> PermitFinding | None:
    """The permit whose status stands on top, or else the first."""
    by_status = (permit for permit in verdict.permits if permit.status is verdict.status)
    return next(by_status, verdict.permits[0] if verdict.permits else None)


def _authorized(
    verdict: Verdict, permit: PermitFinding | None, gaps: Mapping[str, Any], _: Translator
) -> str:
    if permit is not None and permit.holder_kind is HolderKind.NATURAL_PERSON:
        return (
            _(
                "%(asked)s: há autorização em vigor em %(town)s para %(service)s, até %(until)s. "
                "A autorização é da pessoa: confira o cartão ou o aplicativo."
            )
            % gaps
            if "until" in gaps
            else _(
                "%(asked)s: há autorização em vigor em %(town)s para %(service)s. "
                "A autorização é da pessoa: confira o cartão ou o aplicativo."
            )
            % gaps
        )
    if not verdict.is_plate:
        return (
            _(
                "A autorização %(asked)s está em vigor em %(town)s para %(service)s, até %(until)s. Confira a placa."
            )
            % gaps
            if "until" in gaps
            else _("A autorização %(asked)s está em vigor em %(town)s para %(service)s. Confira a placa.")
            % gaps
        )
    return (
        _(
            "%(asked)s: autorizado em %(town)s para %(service)s, até %(until)s. "
            "Confira se esta é a placa à sua frente."
        )
        % gaps
        if "until" in gaps
        else _("%(asked)s: autorizado em %(town)s para %(service)s. Confira se esta é a placa à sua frente.")
        % gaps
    )


def _not_working(verdict: Verdict, permit: PermitFinding | None, gaps: dict[str, Any], _: Translator) -> str:
    """A permit was found and does not let the vehicle work on that day."""
    assert permit is not None  # these statuses only come from a permit
    reason = next((one for one in permit.reasons if _tells(one.code, verdict.status)), None)
    data: Mapping[str, Any] = reason.data if reason else {}
    gaps |= {name: _.date(value) for name, value in data.items() if isinstance(value, date)}
    gaps |= {name: value for name, value in data.items() if isinstance(value, str)}
    if reason and "need" in data:
        gaps["need"] = permit_name(reason, _)
    match reason.code if reason else "":
        case "renewal_pending":
            return (
                _(
                    "%(asked)s: a autorização em %(town)s venceu em %(until)s. Há pedido de renovação em análise; "
                    "até a decisão, não está em vigor."
                )
                % gaps
            )
        case "not_yet_valid":
            return _("%(asked)s: a autorização em %(town)s só vale a partir de %(start)s.") % gaps
        case "only_requested":
            return (
                _(
                    "%(asked)s: há pedido de autorização em análise em %(town)s; até a decisão, não está em vigor."
                )
                % gaps
            )
        case "expired":
            return _("%(asked)s: a autorização em %(town)s venceu em %(until)s.") % gaps
        case "request_over":
            return (
                _(
                    "%(asked)s: houve pedido de autorização em %(town)s para até %(until)s; "
                    "o cadastro não traz decisão, e esse tempo passou."
                )
                % gaps
            )
        case "needs_other":
            return (
                _(
                    "%(asked)s: em %(town)s também é preciso “%(need)s”, e não encontramos em vigor. "
                    "Um sem o outro não vale."
                )
                % gaps
            )
        case "barred":
            return (
                _(
                    "%(asked)s: reprovado em vistoria em %(since)s. "
                    "Não pode transportar passageiros em %(town)s até passar em nova vistoria."
                )
                % gaps
            )
        case "unit_barred":
            return (
                _(
                    "%(asked)s: o veículo de placa %(plate)s foi reprovado em vistoria em %(since)s. "
                    "Não pode transportar passageiros em %(town)s até passar em nova vistoria."
                )
                % gaps
            )
        case "suspended_release":
            return (
                _(
                    "%(asked)s: autorização suspensa em %(town)s desde %(since)s. "
                    "Só volta com nova liberação do órgão."
                )
                % gaps
            )
        case "suspended_course":
            return (
                _(
                    "%(asked)s: autorização suspensa em %(town)s desde %(since)s. "
                    "Só volta depois do prazo e do curso exigido, com liberação do órgão."
                )
                % gaps
            )
        case "suspended_end_date" if data.get("until"):
            return _("%(asked)s: autorização suspensa em %(town)s de %(since)s a %(until)s.") % gaps
        case "suspended_end_date":
            return _("%(asked)s: autorização suspensa em %(town)s desde %(since)s.") % gaps
        case "cancelled" | "unit_cancelled":
            return _("%(asked)s: a autorização em %(town)s foi cancelada em %(since)s.") % gaps
        case "revoked_bar":
            return (
                _(
                    "%(asked)s: a mesma empresa teve a autorização %(number)s cassada em %(since)s. "
                    "A norma não deixa que volte em %(town)s até %(until)s."
                )
                % gaps
            )
        case "revoked" | "unit_revoked":
            return _("%(asked)s: a autorização em %(town)s foi cassada em %(since)s.") % gaps
    return _("%(asked)s: sem autorização em vigor em %(town)s.") % gaps


def _tells(code: str, status: Status) -> bool:
    """Whether a reason is the one behind a status."""
    if code == "needs_other" or (status is Status.EXPIRED and code == "request_over"):
        return True
    if status is Status.NOT_YET_VALID:
        return code in ("not_yet_valid", "only_requested")
    return code == status or code == f"unit_{status}" or code.startswith(f"{status}_")


def _not_found(verdict: Verdict, gaps: dict[str, Any], _: Translator) -> str:
    if any(unit.role == OUTSIDE for unit in verdict.units):
        gaps["number"] = next(n.data["number"] for n in verdict.notes if n.code == "outside_permit")
        return (
            _("A placa %(asked)s não está na autorização %(number)s de %(town)s. Confira o número e a placa.")
            % gaps
        )
    if as_of := _list_day(verdict):
        gaps["as_of"] = _.date(as_of)
    if verdict.is_plate:
        return (
            _(
                "Não encontramos a placa %(asked)s nas autorizações de %(town)s, lista de %(as_of)s. "
                "Isso, sozinho, não prova que falte autorização."
            )
            % gaps
        )
    return (
        _(
            "Não encontramos a autorização %(asked)s em %(town)s, lista de %(as_of)s. "
            "Isso, sozinho, não prova que falte autorização."
        )
        % gaps
    )


def _list_day(verdict: Verdict) -> date | None:
    """The day of the municipality's own list; of the oldest list where it keeps none."""
    own = [one.as_of for one in verdict.lists if one.kind == "register"]
    days = own or [one.as_of for one in verdict.lists]
    return min(days, default=None)


def _cannot_say(verdict: Verdict, gaps: dict[str, Any], _: Translator) -> str:
    late = next((note for note in verdict.notes if note.code == "list_late"), None)
    if late is None:
        return (
            _(
                "%(asked)s: ainda não recebemos a lista de autorizações de %(town)s. Não decida só por esta resposta."
            )
            % gaps
        )
    as_of = late.data["as_of"]
    assert isinstance(as_of, date)
    gaps |= {"as_of": _.date(as_of), "days": late.data.get("days"), "list": late.data["list"]}
    if late.data.get("days"):
        return (
            _(
                "%(asked)s: não encontramos, mas a lista “%(list)s” em %(town)s, de %(as_of)s, tem mais de %(days)s "
                "dias. Não decida só por esta resposta."
            )
            % gaps
        )
    return (
        _(
            "%(asked)s: não encontramos, mas a lista “%(list)s” em %(town)s, de %(as_of)s, está atrasada. "
            "Não decida só por esta resposta."
        )
        % gaps
    )


def _not_regulated(verdict: Verdict, gaps: dict[str, Any], _: Translator) -> str:
    reasons = [*verdict.notes, *(reason for permit in verdict.permits for reason in permit.reasons)]
    if any(reason.code == "bill" and _is_bill(reason.instrument) for reason in reasons):
        return (
            _(
                "%(asked)s: em %(town)s existe só um projeto de lei. Sem norma em vigor, "
                "não há autorização municipal a conferir."
            )
            % gaps
        )
    return (
        _(
            "%(asked)s: não conhecemos norma em vigor em %(town)s para este serviço nesse dia. "
            "Não há autorização municipal a conferir."
        )
        % gaps
    )


def _is_bill(instrument: str | None) -> bool:
    return instrument is not None and catalogue.instrument(instrument).is_bill
