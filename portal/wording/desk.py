"""What only the desk says; states and facts are worded as for the citizen, in ``portal.wording.complaints``."""

from portal.domain.complaints import ComplaintStatus
from portal.domain.staff import Role
from portal.i18n import Translator
from portal.services.casework import Action, CaseLine, Show
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


def due_tag(line: CaseLine) -> str:
    """The kind of tag for what is left of the time: ``overdue``, ``due_soon``, ``running`` or none."""
    if line.days_left is None:
        return ""
    if line.days_left < 0:
        return "overdue"
    return "due_soon" if line.days_left <= SOON else "running"


def days_left_phrase(line: CaseLine, _: Translator) -> str:
    """What is left of the time, in words; empty when no answer is owed."""
    days = line.days_left
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
        case Show.ALL:
            return _("Todas")


def role_word(role: Role, _: Translator) -> str:
    match role:
        case Role.OMBUDSMAN:
            return _("Ouvidoria")
        case Role.CLERK:
            return _("Atendimento")
        case Role.INSPECTOR:
            return _("Fiscalização")


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
        case Action.EXTEND:
            return _("O prazo foi prorrogado, e a pessoa lê o motivo.")
        case Action.CLOSE:
            return _("A manifestação foi encerrada.")
        case Action.OPEN_IDENTITY:
            return _("A consulta à identidade ficou registrada com o motivo.")


def language_name(language: str, _: Translator) -> str:
    match language:
        case "en":
            return _("inglês")
        case "es":
            return _("espanhol")
        case _other:
            return _("português")
