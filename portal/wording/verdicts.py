"""What a verdict says, in the words that page, fragment, JSON, command line and bot share.

State word first, then proof, then limit, then action. A fact is said, nobody is accused: that no permit
was found is a fact; what follows from it is for inspectors to find.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from portal.domain.judging import OUTSIDE
from portal.domain.permits import HolderKind, Service, Status
from portal.domain.verdicts import ListSeen, PermitFinding, Reason, Verdict
from portal.i18n import Translator
from portal.regulations import catalogue
from portal.services.permit_import import OWN_REGISTER
from portal.wording.citations import article_words
from portal.wording.limits import limit_word, limited_sentence
from portal.wording.services import service_in_sentence


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
        gaps["need"] = _permit_name(reason, _)
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


def _permit_name(reason: Reason, _: Translator) -> str:
    """The other paper that a permit needs, as the municipality's folder calls it."""
    permits = catalogue.instrument(reason.instrument).permits if reason.instrument else ()
    return next((one.name.said(_.language) for one in permits if one.id == reason.data["need"]), "")


def reason_sentence(reason: Reason, _: Translator) -> str:
    """One statement behind a status, or a note beside it, in words."""
    gaps: dict[str, Any] = {
        name: _.date(value) if isinstance(value, date) else value for name, value in reason.data.items()
    }
    if "need" in reason.data:
        gaps["need"] = _permit_name(reason, _)
    return _statement(reason.code, reason.data, _) % gaps


def _statement(code: str, data: Mapping[str, object], _: Translator) -> str:
    match code:
        case "valid":
            return _("Vale de %(start)s a %(until)s, o último dia incluído.")
        case "valid_without_term":
            return _("A norma não diz até quando a autorização vale.")
        case "not_yet_valid":
            return _("Só vale a partir de %(start)s.")
        case "only_requested":
            return _("Há um pedido em análise; a autorização ainda não foi emitida.")
        case "expired":
            return _("Venceu em %(until)s.")
        case "request_over":
            return _("O pedido era para até %(until)s; o cadastro não traz decisão, e esse tempo passou.")
        case "needs_other":
            return _("Também é preciso “%(need)s”, e não encontramos em vigor: um sem o outro não vale.")
        case "renewal_pending":
            return _(
                "Venceu em %(until)s. O pedido de renovação é de %(requested)s; até a decisão, não está em vigor."
            )
        case "barred":
            return _("Reprovado em vistoria em %(since)s: não pode trabalhar até ser aprovado.")
        case "unit_barred":
            return _("O veículo de placa %(plate)s foi reprovado em vistoria em %(since)s.")
        case "suspended_release":
            return _("Suspensa desde %(since)s. Só volta com nova liberação do órgão, mesmo depois do prazo.")
        case "suspended_course":
            return _("Suspensa desde %(since)s. Só volta depois do prazo e do curso exigido.")
        case "suspended_end_date" if data.get("until"):
            return _("Suspensa de %(since)s a %(until)s; volta a valer no dia seguinte.")
        case "suspended_end_date":
            return _("Suspensa desde %(since)s, sem data para terminar.")
        case "unit_suspended":
            return _("O veículo de placa %(plate)s está suspenso desde %(since)s.")
        case "cancelled":
            return _("Cancelada em %(since)s.")
        case "unit_cancelled":
            return _("A autorização do veículo de placa %(plate)s foi cancelada em %(since)s.")
        case "revoked":
            return _("Cassada em %(since)s.")
        case "revoked_bar":
            return _(
                "A mesma empresa teve a autorização %(number)s cassada em %(since)s: "
                "a norma não deixa que volte até %(until)s."
            )
        case "unit_revoked":
            return _("A autorização do veículo de placa %(plate)s foi cassada em %(since)s.")
        case "paper_and_law":
            return _(
                "O documento diz %(paper)s e a norma diz %(law)s: conta a data que vem primeiro, %(counts)s."
            )
        case "max_speed":
            return _("Nunca acima de %(kmh)s km/h.")
        case "of_a_person":
            return _("A autorização é da pessoa: confira o cartão ou o aplicativo.")
        case "not_in_force":
            return _(
                "Não há autorização em vigor. A autorização é da pessoa: confira o cartão ou o aplicativo."
            )
        case "bill":
            return _("Existe só um projeto de lei: ele não vale e não autoriza ninguém.")
        case "no_instrument":
            return _("Não conhecemos norma em vigor para este serviço.")
        case "check":
            return str(data.get(_.language) or data.get("pt_BR", "")).replace("%", "%%")
    return _note(code, data, _)


def _note(code: str, data: Mapping[str, object], _: Translator) -> str:
    match code:
        case "look_alike":
            return _(
                "Havia letras de outro alfabeto ou sinais invisíveis no que foi escrito: lemos %(read)s."
            )
        case "read_as":
            return _("Lemos letra no lugar de número, ou o contrário: %(read)s. Confira.")
        case "twin":
            return _(
                "A lista traz a placa %(listed)s. Ela e %(typed)s podem ser do mesmo veículo, "
                "antes e depois da troca de placas: confira."
            )
        case "both_forms":
            return _("Procuramos também %(twin)s, que seria a mesma placa antes ou depois da troca.")
        case "outside_permit":
            return _("A placa %(plate)s não está na autorização %(number)s.")
        case "left_permit":
            return _("A placa %(plate)s saiu da autorização %(number)s em %(on)s.")
        case "joins_permit":
            return _("A placa %(plate)s só entra na autorização %(number)s em %(on)s.")
        case "text_known_until":
            return _("Só conhecemos o texto da norma até %(until)s; depois disso ela pode ter mudado.")
        case "boards_here":
            return _("%(stop)s é ponto de embarque desta autorização.")
        case "no_route":
            return _("A lista não diz o roteiro desta autorização: não dá para conferir ponto e horário.")
        case "route_unknown":
            return _(
                "Não temos o roteiro %(itinerary)s desta autorização: não dá para conferir ponto e horário."
            )
        case "no_timetable":
            return _("Não há horário publicado.")
        case "timetable_over":
            return _("Os horários deste roteiro valiam até %(until)s: não dá para conferir a hora.")
        case "no_list":
            return _("Ainda não recebemos nenhuma lista de autorizações deste município.")
        case "list_late" if data.get("days"):
            return _("A lista “%(list)s” é de %(as_of)s: tem mais de %(days)s dias, o prazo da norma.")
        case "list_late":
            return _("A lista “%(list)s” é de %(as_of)s: já devia ter chegado uma mais nova.")
        case "list_lag" if data.get("days"):
            return _(
                "As empresas entregam a lista a cada %(days)s dias: um veículo em dia pode ainda não estar nela."
            )
        case "list_lag":
            return _(
                "As empresas informam os veículos até o %(business_day)sº dia útil do mês seguinte: "
                "um veículo em dia pode ainda não estar na lista."
            )
    raise KeyError(code)


def check_sentence(check: Reason, _: Translator) -> str:
    """Something to look at before getting in, as the municipality's folder words it."""
    return reason_sentence(check, _)


def citation(reason: Reason, _: Translator) -> str:
    """The article behind a statement, as people cite it; empty where nothing is cited."""
    if reason.instrument is None:
        return ""
    title = catalogue.instrument(reason.instrument).title
    return f"{title}, {article_words(reason.article, _)}" if reason.article else title


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
