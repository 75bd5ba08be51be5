"""What each case of the demonstration shows, for its page and for ``portal run``."""

from portal.i18n import Translator
from portal.services.demonstration import Case, Subject


def subject_name(subject: Subject, _: Translator) -> str:
    match subject:
        case Subject.VEHICLE:
            return _("Verificar um veículo")
        case Subject.ITINERARY:
            return _("Itinerários e pontos")
        case Subject.COMPLAINT:
            return _("Acompanhar uma manifestação")
        case Subject.STAFF:
            return _("Mesa da ouvidoria")


def case_title(case: Case, _: Translator) -> str:
    """What the case shows, in a few words."""
    match case.subject:
        case Subject.VEHICLE:
            return _vehicle(case.code, _)
        case Subject.ITINERARY:
            return _itinerary(case.code, _)
        case Subject.COMPLAINT:
            return _complaint(case.code, _)
        case Subject.STAFF:
            return _staff(case.code, _)


def case_address(case: Case) -> str:
    """The path on the portal at which the case is seen; empty where it is seen at the desk."""
    match case.subject:
        case Subject.VEHICLE:
            return f"/{case.municipality}/verificar?q={case.query}"
        case Subject.ITINERARY:
            return f"/{case.municipality}/itinerarios/{case.itinerary}"
        case Subject.COMPLAINT:
            return "/acompanhar"
        case Subject.STAFF:
            return ""


def case_bot_phrase(case: Case) -> str:
    """What to write to the bot; empty where the bot has no part in it."""
    match case.subject:
        case Subject.VEHICLE:
            return f"/verificar {case.query}"
        case Subject.ITINERARY:
            return f"/pontos {case.itinerary}"
        case Subject.COMPLAINT:
            return f"/acompanhar {case.protocol} {case.access_key}"
        case Subject.STAFF:
            return ""


def _vehicle(code: str, _: Translator) -> str:
    match code:
        case "whole_combination":
            return _("Trenzinho com todos os veículos autorizados")
        case "trailer_barred":
            return _("Um dos reboques foi reprovado na vistoria")
        case "outside_permit":
            return _("Placa que saiu da autorização")
        case "next_year":
            return _("Autorização do ano que vem")
        case "renewal_pending":
            return _("Renovação em análise")
        case "expired":
            return _("Autorização vencida")
        case "suspended_past_its_date":
            return _("Suspensão que passou da data, sem liberação")
        case "released":
            return _("Suspensa e depois liberada")
        case "revoked":
            return _("Autorização cassada")
        case "cancelled":
            return _("Autorização cancelada")
        case "two_permits":
            return _("Uma placa com duas autorizações")
        case "last_day_today":
            return _("Último dia: o dia em que a demonstração foi carregada")
        case "last_day_yesterday":
            return _("Último dia: a véspera")
        case "twin_plate":
            return _("Placa antiga no cadastro, placa Mercosul na rua")
        case "person_not_in_force":
            return _("Autorização de uma pessoa, sem dizer por que não vale")
        case "person":
            return _("Autorização de uma pessoa, em vigor")
        case "another_town":
            return _("Autorizado, mas em outro município")
        case "not_found":
            return _("Placa que não está em lista nenhuma")
        case "late_list":
            return _("Lista da plataforma atrasada: não dá para dizer")
        case _other:
            return _("Município onde nenhuma norma está em vigor")


def _itinerary(code: str, _: Translator) -> str:
    match code:
        case "running_now":
            return _("Circula agora, a qualquer hora")
        case "past_midnight":
            return _("Passa da meia-noite")
        case "on_holidays":
            return _("Só circula nos feriados")
        case "none_today":
            return _("Não circula no dia em que a demonstração foi carregada")
        case "without_permit":
            return _("Sem autorização em vigor")
        case _other:
            return _("Roteiro previsto em projeto de lei")


def _complaint(code: str, _: Translator) -> str:
    match code:
        case "registered":
            return _("Acabou de chegar")
        case "in_review":
            return _("Em análise")
        case "anonymous_dialogue":
            return _("Conversa anônima: a ouvidoria espera uma resposta")
        case "forwarded":
            return _("Encaminhada a outro órgão")
        case "answered":
            return _("Respondida")
        case "review_requested":
            return _("Revisão pedida")
        case "closed":
            return _("Encerrada")
        case "withdrawn":
            return _("Desistência de quem a fez")
        case "merged":
            return _("Reunida a outra sobre o mesmo fato")
        case "dismissed":
            return _("Arquivada, com o fundamento")
        case "overdue":
            return _("Fora do prazo")
        case "extended":
            return _("Prazo prorrogado, com o motivo")
        case _other:
            return _("Escrita em inglês, com a identidade lacrada")


def _staff(code: str, _: Translator) -> str:
    match code:
        case "ombudsman":
            return _("Ouvidoria: lê, responde e pode abrir identidades")
        case "clerk":
            return _("Cadastro: cuida das autorizações e dos itinerários")
        case "auditor":
            return _("Auditoria: lê o registro de atos e os números")
        case _other:
            return _("Fiscalização: lê os fatos")
