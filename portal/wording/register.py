"""What the register says to the clerk who keeps it: acts, and why one cannot be recorded."""

import re
from datetime import date

from portal.domain.errors import ActRefused
from portal.domain.permits import EventKind, HolderKind, PermitEvent
from portal.i18n import Translator
from portal.services.people.audit import AuditEntry
from portal.services.register.publications import Publication


def act_name(kind: EventKind, _: Translator) -> str:
    """An act as a clerk calls it."""
    match kind:
        case EventKind.REQUEST:
            return _("Pedido")
        case EventKind.PAYMENT:
            return _("Pagamento")
        case EventKind.ISSUE:
            return _("Emissão")
        case EventKind.RENEWAL_REQUEST:
            return _("Pedido de renovação")
        case EventKind.INSPECTION_FAILED:
            return _("Vistoria reprovada")
        case EventKind.INSPECTION_PASSED:
            return _("Vistoria aprovada")
        case EventKind.SUSPENSION:
            return _("Suspensão")
        case EventKind.RELEASE:
            return _("Liberação")
        case EventKind.REVOCATION:
            return _("Cassação")
        case EventKind.CANCELLATION:
            return _("Cancelamento")
        case EventKind.VEHICLE_CHANGE:
            return _("Troca de veículo")


def act_days(event: PermitEvent, _: Translator) -> str:
    """When, and until when."""
    if event.until:
        return _("de %(start)s a %(until)s") % {"start": _.date(event.on), "until": _.date(event.until)}
    return _.date(event.on)


def act_paper(event: PermitEvent, _: Translator) -> str:
    """The act's number and date, as far as they are known."""
    if event.act_number and event.act_date:
        return _("%(number)s, de %(date)s") % {"number": event.act_number, "date": _.date(event.act_date)}
    if event.act_date:
        return _("ato de %(date)s") % {"date": _.date(event.act_date)}
    return event.act_number or ""


def change_told(entry: AuditEntry, _: Translator) -> str:
    """What the audit chain keeps of a change in no language, as a clerk reads it: acts by name, days, vehicles."""
    text = entry.reason or ""
    if entry.action == "permit.act_struck":
        kind, _space, rest = text.partition(" ")
        text = f"{act_name(EventKind(kind), _)} {rest}"
    text = re.sub(r" · #(\d+)", lambda at: " · " + _("Veículo %(number)s") % {"number": at[1]}, text)
    return re.sub(r"\d{4}-\d\d-\d\d", lambda at: _.date(date.fromisoformat(at[0])), text)


def holder_word(kind: HolderKind, _: Translator) -> str:
    return _("Empresa") if kind is HolderKind.COMPANY else _("Pessoa física")


def act_refused_sentence(problem: ActRefused, _: Translator) -> str:
    """Why an act cannot be recorded, and what to do."""
    gaps = {"text": problem.text, "limit": problem.limit, "day": _.date(problem.day) if problem.day else ""}
    return _refusal(problem.why, _) % gaps


def _refusal(why: str, _: Translator) -> str:
    match why:
        case "in_future":
            return _("%(day)s ainda não chegou: só se registra o que já aconteceu.")
        case "act_in_future":
            return _("A data do ato, %(day)s, ainda não chegou.")
        case "far":
            return _("%(day)s está longe demais. Confira o ano.")
        case "no_day":
            return _("Escreva a data.")
        case "not_a_day":
            return _("“%(text)s” não é uma data. Escreva como 30/11/2026.")
        case "not_a_number":
            return _("“%(text)s” não é um número permitido aqui.")
        case "no_end":
            return _("Só a suspensão tem data para terminar.")
        case "ends_before_start":
            return _("O fim vem antes do começo, %(day)s.")
        case "whole_only":
            return _("Este registro vale para a autorização inteira, não para um veículo só.")
        case "no_such_unit":
            return _("Esse veículo não está na autorização em %(day)s.")
        case "twice":
            return _("Já há um registro igual em %(day)s.")
        case "issued_already":
            return _(
                "A autorização já foi emitida, em %(day)s. Se a data está errada, retire aquele registro."
            )
        case "before_issue":
            return _("A autorização só foi emitida em %(day)s. Confira a data.")
        case "nothing_suspended":
            return _("Não há suspensão a liberar em %(day)s.")
        case "long_act_number":
            return _("O número do ato cabe em %(limit)s caracteres.")
        case "personal_number":
            return _("Há onze algarismos seguidos, que podem ser um CPF: não entram no cadastro.")
        case "no_act_number":
            return _("“%(text)s” não parece o número de um ato. Escreva como Portaria 12/2026, sem nomes.")
        case "not_a_plate":
            return _("“%(text)s” não é uma placa.")
        case "plate_here":
            return _("%(text)s já está nesta autorização.")
        case "last_unit":
            return _("É o único veículo: ponha outro no lugar, ou cancele a autorização.")
        case "no_vehicle":
            return _("Diga qual veículo sai, qual entra, ou os dois.")
        case "unknown_act":
            return _("Escolha o que aconteceu.")
        case "gone":
            return _("Esse registro já foi retirado.")
    raise ValueError(why)


def change_name(entry: AuditEntry, _: Translator) -> str:
    """An entry of the audit chain about a permit."""
    action = entry.action.removeprefix("permit.")
    if action == "act_struck":
        return _("Registro retirado")
    if action == "created":
        return _("Autorização criada")
    if action == "card_made":
        return _("Cartão feito")
    if action == "card_printed":
        return _("Cartão impresso")
    if action == "card_revoked":
        return _("Cartão cancelado")
    return act_name(EventKind(action), _)


def publication_word(publication: Publication, _: Translator) -> str:
    match publication.state:
        case "staged":
            return _("À espera de publicação")
        case "publishing":
            return _("Sendo publicada")
        case "merged":
            return _("Publicada")
        case "undoing":
            return _("Sendo desfeita")
        case "undone":
            return _("Desfeita")
        case _other:
            return _("Recusada")
