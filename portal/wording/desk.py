"""What only the desk says; states and facts are worded as for the citizen, in ``portal.wording.complaints``."""

from datetime import date, datetime

from portal.domain.complaints import ComplaintStatus
from portal.domain.deadlines import AnswerTime
from portal.domain.rules import DayKind
from portal.domain.staff import Role
from portal.i18n import Translator
from portal.services.casework import Action, Alarm, CaseAct, Colleague, Show
from portal.wording.complaints import case_status_word

SOON = 5
"""Days before the due date from which a complaint stands out."""


def desk_status_word(status: ComplaintStatus, _: Translator) -> str:
    """As the citizen reads it, but for two words that speak to them."""
    match status:
        case ComplaintStatus.AWAITING_CITIZEN:
            return _("Espera a pessoa")
        case ComplaintStatus.WITHDRAWN:
            return _("Retirada pela pessoa")
    return case_status_word(status, _)


def due_tag(days_left: int | None) -> str:
    """The kind of tag for what is left of the time: ``overdue``, ``due_soon``, ``running`` or none."""
    if days_left is None:
        return ""
    if days_left < 0:
        return "overdue"
    return "due_soon" if days_left <= SOON else "running"


def days_left_phrase(days: int | None, _: Translator) -> str:
    """What is left of the time, in words; empty when no answer is owed."""
    if days is None:
        return ""
    if days == 0:
        return _("Vence hoje")
    if days < 0:
        return _.ngettext("Vencida há %(days)s dia", "Vencida há %(days)s dias", -days) % {
            "days": _.number(-days)
        }
    return _.ngettext("Falta %(days)s dia", "Faltam %(days)s dias", days) % {"days": _.number(days)}


def show_word(show: Show, _: Translator) -> str:
    match show:
        case Show.OPEN:
            return _("A responder")
        case Show.OVERDUE:
            return _("Vencidas")
        case Show.URGENT:
            return _("Urgentes")
        case Show.MINE:
            return _("Comigo")
        case Show.ALL:
            return _("Todas")


def role_word(role: Role, _: Translator) -> str:
    match role:
        case Role.OMBUDSMAN:
            return _("Ouvidoria")
        case Role.CLERK:
            return _("Cadastro")
        case Role.INSPECTOR:
            return _("Fiscalização")
        case Role.AUDITOR:
            return _("Auditoria")


def done_sentence(action: Action, _: Translator) -> str:
    """What a step did, said after it."""
    match action:
        case Action.REVIEW:
            return _("A manifestação está em análise.")
        case Action.ANSWER:
            return _("A resposta foi registrada: a pessoa já pode ler.")
        case Action.ASK:
            return _("A pergunta foi registrada: a pessoa já pode ler e responder.")
        case Action.FORWARD:
            return _("O encaminhamento foi registrado, sem a identidade da pessoa.")
        case Action.RECORD_REPLY:
            return _("A resposta do órgão foi registrada.")
        case Action.EXTEND_UNIT:
            return _("O prazo do órgão foi prorrogado.")
        case Action.EXTEND:
            return _("O prazo foi prorrogado, e a pessoa lê o motivo.")
        case Action.DISMISS:
            return _("A manifestação foi arquivada, e a pessoa lê o fundamento.")
        case Action.MERGE:
            return _("A manifestação foi reunida à outra. A pessoa continua com o prazo dela.")
        case Action.RECUSE:
            return _("A manifestação passou para outra pessoa, com o motivo.")
        case Action.CLOSE:
            return _("A manifestação foi encerrada.")
        case Action.OPEN_IDENTITY:
            return _("A consulta à identidade ficou registrada com o motivo.")


def act_phrase(act: CaseAct, _: Translator) -> str:
    """What happened inside the desk."""
    match act.kind:
        case "recused":
            return _("Declarou-se impedido e passou a %(name)s") % {"name": act.to or "–"}
        case "unit_answered":
            return _("Registrou a resposta do órgão")
        case "unit_extended":
            return _("Prorrogou o prazo do órgão")
        case "taken":
            return _("Registrou o atendimento")
        case "received_merged":
            return _("Reuniu outra manifestação a esta")
    return _("Anotou")


def alarm_phrase(alarm: Alarm, _: Translator) -> str:
    """A due date that is near, on the inbox."""
    when = days_left_phrase(alarm.days_left, _)
    if alarm.unit:
        return _("%(when)s a resposta do órgão (%(date)s)") % {"when": when, "date": _.date(alarm.due_on)}
    return _("%(when)s a resposta (%(date)s)") % {"when": when, "date": _.date(alarm.due_on)}


def alarm_subject(protocol: str, due_on: date, _: Translator) -> str:
    return _("Prazo em %(date)s: protocolo %(protocol)s") % {"date": _.date(due_on), "protocol": protocol}


def alarm_text(protocol: str, due_on: date, of_unit: bool, address: str, _: Translator) -> str:
    """The letter to the desk: which protocol, and nothing of what it is about."""
    gaps = {"protocol": protocol, "date": _.date(due_on), "address": address}
    if of_unit:
        return (
            _(
                "O prazo do órgão para responder à ouvidoria no protocolo %(protocol)s termina em %(date)s.\n\n"
                "Entre na mesa para ver: %(address)s"
            )
            % gaps
        )
    return (
        _(
            "O prazo para responder ao protocolo %(protocol)s termina em %(date)s.\n\n"
            "Entre na mesa para ver: %(address)s"
        )
        % gaps
    )


def colleague_sentence(colleague: Colleague, now: datetime, _: Translator) -> str:
    """Who else is at a complaint, and since when."""
    minutes = _.number(max(1, round((now - colleague.at).total_seconds() / 60)))
    if colleague.changed:
        sentence = _("%(name)s alterou esta manifestação há %(minutes)s min.")
    else:
        sentence = _("%(name)s abriu esta manifestação há %(minutes)s min.")
    return sentence % {"name": colleague.name, "minutes": minutes}


def counting_sentence(time: AnswerTime, _: Translator) -> str:
    """By which calendar a due date was counted."""
    if time.counted_in is DayKind.BUSINESS:
        return _("Prazo contado em dias úteis, pelo calendário do município.")
    if time.rolls_to_business_day:
        return _("Prazo contado em dias corridos; sem expediente no último dia, vale o próximo dia útil.")
    return _("Prazo contado em dias corridos: o último dia vale mesmo sem expediente.")


def paused_phrase(days: int, _: Translator) -> str:
    """How long a due date stood still; empty when it never did."""
    if not days:
        return ""
    return _.ngettext(
        "Ficou parado por %(days)s dia, à espera da pessoa.",
        "Ficou parado por %(days)s dias, à espera da pessoa.",
        days,
    ) % {"days": _.number(days)}


def same_phrase(what: str, _: Translator) -> str:
    """In what another complaint is like this one."""
    match what:
        case "vehicle":
            return _("mesmo veículo")
        case "stop":
            return _("mesmo ponto")
    return _("mesma hora")


def channel_word(channel: str, _: Translator) -> str:
    """By which way a complaint came in."""
    match channel:
        case "telegram":
            return _("Telegram")
        case "phone":
            return _("Telefone")
        case "letter":
            return _("Carta")
        case "counter":
            return _("Balcão")
    return _("Site")


def language_name(language: str, _: Translator) -> str:
    match language:
        case "en":
            return _("inglês")
        case "es":
            return _("espanhol")
        case _other:
            return _("português")
