"""Complaints in words: states, kinds, who sees what, the receipt. Page, bot and desk say the same."""

from datetime import date

from portal.domain.complaints import ComplaintKind, ComplaintStatus, IdentityMode, Rating
from portal.domain.lifecycle import Move
from portal.i18n import Translator
from portal.services.complaints.tracking import CaseView
from portal.wording.citations import article_words


def kind_word(kind: ComplaintKind | str, _: Translator) -> str:
    """The kind after Lei 13.460/2017."""
    match ComplaintKind(kind):
        case ComplaintKind.GRIEVANCE:
            return _("Reclamação")
        case ComplaintKind.REPORT:
            return _("Denúncia")
        case ComplaintKind.SUGGESTION:
            return _("Sugestão")
        case ComplaintKind.PRAISE:
            return _("Elogio")
        case ComplaintKind.REQUEST:
            return _("Solicitação")


def case_status_word(status: ComplaintStatus | str, _: Translator) -> str:
    """One or two words for a state; archived is not the same word as answered."""
    match ComplaintStatus(status):
        case ComplaintStatus.REGISTERED:
            return _("Registrada")
        case ComplaintStatus.IN_REVIEW:
            return _("Em análise")
        case ComplaintStatus.AWAITING_CITIZEN:
            return _("Espera você")
        case ComplaintStatus.FORWARDED:
            return _("Encaminhada")
        case ComplaintStatus.ANSWERED:
            return _("Respondida")
        case ComplaintStatus.REVIEW_REQUESTED:
            return _("Revisão pedida")
        case ComplaintStatus.CLOSED:
            return _("Encerrada")
        case ComplaintStatus.WITHDRAWN:
            return _("Retirada por você")
        case ComplaintStatus.MERGED:
            return _("Reunida a outra")
        case ComplaintStatus.DISMISSED:
            return _("Arquivada")


def case_sentence(case: CaseView, _: Translator) -> str:
    """Where a case stands for its author: in every state the next date, or that this is the end."""
    if case.overdue and case.next_date:
        return _("O prazo da lei terminou em %(date)s e a resposta ainda não veio.") % {
            "date": _.date(case.next_date)
        }
    return _statement(case, _) % ({"date": _.date(case.next_date)} if case.next_date else {})


def _statement(case: CaseView, _: Translator) -> str:
    reviewable = Move.REQUEST_REVIEW in case.moves
    match case.status:
        case ComplaintStatus.REGISTERED:
            return _("A ouvidoria recebeu. A resposta vem até %(date)s.")
        case ComplaintStatus.IN_REVIEW:
            return _("A ouvidoria está analisando. A resposta vem até %(date)s.")
        case ComplaintStatus.AWAITING_CITIZEN if case.reply_by and case.reply_by == case.next_date:
            return _("A ouvidoria fez uma pergunta: responda até %(date)s, ou a manifestação será arquivada.")
        case ComplaintStatus.AWAITING_CITIZEN:
            return _("A ouvidoria fez uma pergunta: responda abaixo. O prazo dela continua: %(date)s.")
        case ComplaintStatus.FORWARDED:
            return _("A ouvidoria pediu informações a outro órgão. A resposta vem até %(date)s.")
        case ComplaintStatus.REVIEW_REQUESTED:
            return _("A revisão foi pedida. A resposta vem até %(date)s.")
        case ComplaintStatus.MERGED:
            return _("Será analisada junto com outra igual. A sua resposta vem até %(date)s.")
        case ComplaintStatus.ANSWERED if reviewable:
            return _("A ouvidoria respondeu: leia abaixo. Até %(date)s você pode pedir uma revisão.")
        case ComplaintStatus.ANSWERED if case.next_date:
            return _("A ouvidoria respondeu: leia abaixo. A manifestação se encerra depois de %(date)s.")
        case ComplaintStatus.ANSWERED:
            return _("A ouvidoria respondeu: leia abaixo. Nada mais falta.")
        case ComplaintStatus.DISMISSED if reviewable:
            return _(
                "Foi arquivada, sem que isso queira dizer resolvida: leia o motivo abaixo. "
                "Até %(date)s você pode pedir uma revisão."
            )
        case ComplaintStatus.DISMISSED:
            return _("Foi arquivada, sem que isso queira dizer resolvida: leia o motivo abaixo.")
        case ComplaintStatus.CLOSED:
            return _("Está encerrada.")
        case ComplaintStatus.WITHDRAWN:
            return _("Você retirou a manifestação.")


def pause_sentence(days: int, _: Translator) -> str:
    """How long the clock stood still, by an act of the municipality; empty where it never did."""
    if not days:
        return ""
    return _.ngettext(
        "O prazo ficou parado por %(days)s dia, à espera da sua resposta.",
        "O prazo ficou parado por %(days)s dias, à espera da sua resposta.",
        days,
    ) % {"days": _.number(days)}


def rating_word(rating: Rating, _: Translator) -> str:
    """What a tap says of the answer."""
    match rating:
        case Rating.RESOLVED:
            return _("Resolveu")
        case Rating.PARTLY:
            return _("Resolveu em parte")
        case Rating.NOT_RESOLVED:
            return _("Não resolveu")


def rating_question(_: Translator) -> str:
    return _("A resposta resolveu?")


def review_hint(_: Translator) -> str:
    return _("Uma vez só. Diga o que faltou na resposta: a ouvidoria responde de novo, com prazo novo.")


def withdraw_hint(_: Translator) -> str:
    return _("Não dá para desfazer. O motivo é opcional.")


def identity_word(mode: IdentityMode | str, _: Translator) -> str:
    match IdentityMode(mode):
        case IdentityMode.ANONYMOUS:
            return _("Anônima")
        case IdentityMode.SEALED:
            return _("Com identidade protegida")
        case IdentityMode.OPEN:
            return _("Com identidade aberta")


VIEWERS = ("ombudsman", "inspectors", "others")


def viewer_word(viewer: str, _: Translator) -> str:
    """Who may look: the rows of the table beside the choice of identity."""
    match viewer:
        case "ombudsman":
            return _("Ouvidoria")
        case "inspectors":
            return _("Fiscais e outros órgãos")
        case "telegram":
            return _("Telegram")
    return _("Motorista, empresa e público")


def sees(viewer: str, mode: IdentityMode, _: Translator) -> str:
    """What a viewer sees of the person in one mode of identity."""
    match (viewer, mode):
        case ("telegram", _any):
            return _("Sabe que a sua conta falou com este serviço")
        case ("ombudsman", IdentityMode.SEALED):
            return _("Pode ver nome e contato, com registro")
        case ("ombudsman", IdentityMode.OPEN):
            return _("Vê nome e contato")
        case ("inspectors", IdentityMode.ANONYMOUS):
            return _("Só o relato, e os arquivos que a ouvidoria passar")
        case ("inspectors", _named):
            return _("Nome e contato, só se você autorizar ou a Justiça mandar")
        case ("ombudsman", _any):
            return _("Só o relato e os arquivos")
    return _("Nada")


def honest_sentence(_: Translator) -> str:
    """What no choice of identity can do."""
    return _(
        "O relato e os arquivos também podem identificar quem escreve: se você era a única pessoa no veículo, "
        "o motorista pode deduzir quem foi."
    )


def contact_sentence(_: Translator) -> str:
    """What a name without a contact cannot do."""
    return _("Só com o nome, sem contato, ninguém avisa você: acompanhe com o protocolo e a chave.")


def key_sentence(_: Translator) -> str:
    return _(
        "Guarde o protocolo e a chave. Sem a chave ninguém abre a manifestação, nem nós podemos recuperá-la."
    )


def due_sentence(due_on: date, article: str, _: Translator) -> str:
    return _("A ouvidoria tem até %(date)s para responder (%(article)s).") % {
        "date": _.date(due_on),
        "article": article_words(article, _),
    }


def emergency_sentence(_: Translator) -> str:
    return _("Perigo agora? Ligue antes: este canal não é de emergência.")


def demonstration_sentence(_: Translator) -> str:
    return _("Isto é uma demonstração: nada chega a uma prefeitura.")


def receipt_text(
    protocol: str, access_key: str | None, due_on: date, article: str, address: str, _: Translator
) -> str:
    """The receipt as plain text, to copy, keep or print."""
    lines = [_("Protocolo: %(protocol)s") % {"protocol": protocol}]
    if access_key:
        lines.append(_("Chave de acesso: %(key)s") % {"key": access_key})
    lines.append(due_sentence(due_on, article, _))
    lines.append(_("Para acompanhar: %(address)s") % {"address": address})
    return "\n".join(lines) + "\n"
