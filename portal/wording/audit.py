"""What the audit log says, in words; an act that has none of its own is told by its code."""

from portal.domain.permits import EventKind
from portal.i18n import Translator
from portal.wording.register import act_name


def actor_phrase(actor: str, _: Translator) -> str:
    """Who acted, by number alone."""
    kind, _colon, number = actor.partition(":")
    match kind:
        case "staff":
            return _("servidor nº %(number)s") % {"number": number}
        case "cli":
            return _("linha de comando")
        case "worker":
            return _("serviço de entrega")
        case "demonstration":
            return _("demonstração")
    return actor


def subject_phrase(subject: str, _: Translator) -> str:
    """The record acted upon, by number alone."""
    kind, _colon, number = subject.partition(":")
    match kind:
        case "complaint":
            return _("manifestação nº %(number)s") % {"number": number}
        case "permit":
            return _("autorização nº %(number)s") % {"number": number}
        case "import":
            return _("publicação nº %(number)s") % {"number": number}
        case "staff":
            return _("servidor nº %(number)s") % {"number": number}
        case "delivery":
            return _("aviso nº %(number)s") % {"number": number}
        case "disclosure":
            return _("pedido de identidade nº %(number)s") % {"number": number}
        case "itinerary_entry":
            return _("linha nº %(number)s dos itinerários") % {"number": number}
        case "report":
            return _("relatório de %(year)s") % {"year": number}
    return subject


def action_phrase(action: str, _: Translator) -> str:
    of, _dot, what = action.partition(".")
    if of == "permit" and what in set(EventKind) - {EventKind.VEHICLE_CHANGE}:
        return _("registrou: %(act)s") % {"act": act_name(EventKind(what), _)}
    return {
        "case.answered": _("respondeu"),
        "case.citizen_asked": _("perguntou à pessoa"),
        "case.closed": _("encerrou"),
        "case.deadline_extended": _("prorrogou o prazo"),
        "case.dismissed": _("arquivou"),
        "case.forwarded": _("encaminhou a um órgão"),
        "case.merged": _("reuniu a outra"),
        "case.recused": _("declarou-se impedido e passou a outra pessoa"),
        "case.review_started": _("pôs em análise"),
        "case.taken_at_desk": _("registrou o atendimento"),
        "case.unit_answered": _("registrou a resposta do órgão"),
        "case.unit_extended": _("prorrogou o prazo do órgão"),
        "evidence.opened": _("abriu um anexo lacrado"),
        "identity.opened": _("abriu a identidade"),
        "identity.consent_asked": _("pediu autorização para passar a identidade"),
        "identity.disclosed": _("passou a identidade com autorização da pessoa"),
        "identity.disclosed_by_order": _("passou a identidade por ordem judicial"),
        "data.delivered": _("entregou à pessoa os dados dela"),
        "case.erased": _("eliminou o conteúdo no fim do prazo de guarda"),
        "case.disposal_put_off": _("adiou a eliminação por fatos novos"),
        "delivery.retried": _("mandou tentar a entrega de novo"),
        "delivery.dropped": _("desistiu da entrega"),
        "itinerary.stops": _("mudou um ponto"),
        "itinerary.itineraries": _("mudou um itinerário"),
        "itinerary.departures": _("mudou um horário"),
        "permit.created": _("cadastrou uma autorização"),
        "permit.card_made": _("fez um cartão da autorização"),
        "permit.card_printed": _("imprimiu um cartão da autorização"),
        "permit.card_revoked": _("cancelou um cartão da autorização"),
        "permit.act_struck": _("retirou um registro da autorização"),
        "permit.vehicle_change": _("trocou um veículo da autorização"),
        "register.discarded": _("descartou um arquivo do cadastro"),
        "register.published": _("publicou um arquivo do cadastro"),
        "register.undone": _("desfez uma publicação do cadastro"),
        "report.published": _("publicou o relatório de gestão"),
        "staff.added": _("recebeu acesso à mesa"),
        "staff.allowed": _("voltou a ter acesso à mesa"),
        "staff.dismissed": _("deixou de ter acesso à mesa"),
        "staff.authenticator_enrolled": _("cadastrou o autenticador"),
        "staff.authenticator_removed": _("ficou sem autenticador, a pedido"),
        "staff.password_changed": _("teve a senha trocada"),
        "staff.recovery_codes_replaced": _("gerou códigos de recuperação"),
        "staff.signed_in": _("entrou com a senha"),
        "staff.signed_in.code": _("entrou com senha e autenticador"),
        "staff.signed_in.recovery": _("entrou com um código de recuperação"),
        "staff.signed_out_everywhere": _("saiu de todos os navegadores"),
    }.get(action, action)
