"""Each error worded once, for page, fragment, JSON, command line and bot."""

from portal.domain.errors import (
    DateOutOfReach,
    ExtensionRefused,
    IdentityNotHere,
    ImportOvertaken,
    LoginTaken,
    NotAllowed,
    NothingHere,
    PasswordTooShort,
    PortalError,
    ReasonMissing,
    UnitMissing,
    UnknownMunicipality,
    UnreadableDate,
    UnreadablePosition,
    UnreadableQuery,
)
from portal.i18n import Translator


def problem_sentence(problem: PortalError, _: Translator) -> str:
    """The sentence that tells a person what went wrong and what to do."""
    match problem:
        case UnreadableQuery(why="empty"):
            return _("Digite uma placa ou um número de autorização.")
        case UnreadableQuery(why="length", query=query):
            return _("“%(query)s”: a placa tem 7 caracteres. Confira e tente de novo.") % {"query": query}
        case UnreadableQuery(why="foreign", query=query):
            return _(
                "“%(query)s” não tem o formato de uma placa brasileira. "
                "Procure o número da autorização, no painel ou no cartão do veículo."
            ) % {"query": query}
        case UnreadableQuery(query=query):
            return _("“%(query)s” não é uma placa nem um número de autorização.") % {"query": query}
        case UnreadableDate(text=text):
            return _("“%(text)s” não é uma data. Escreva como 2026-11-30.") % {"text": text}
        case DateOutOfReach(text=text):
            return _("A consulta pública alcança os últimos 12 meses: %(text)s fica fora.") % {"text": text}
        case UnknownMunicipality(slug=slug):
            return _("Não atendemos nenhum município chamado “%(slug)s”.") % {"slug": slug}
        case ImportOvertaken():
            return _("Outra importação da mesma fonte começou depois desta: vale a mais nova.")
        case UnreadablePosition():
            return _(
                "Não entendemos essa posição. Escolha um bairro ou uma atração, ou veja a lista de pontos."
            )
        case NothingHere():
            return _("Não encontramos esta página.")
        case LoginTaken(login=login):
            return _("Já existe alguém com o usuário “%(login)s”.") % {"login": login}
        case PasswordTooShort(characters=characters):
            return _("A senha precisa de pelo menos %(characters)s caracteres.") % {"characters": characters}
        case ReasonMissing():
            return _("Escreva o motivo.")
        case UnitMissing():
            return _("Diga para qual órgão vai o encaminhamento.")
        case ExtensionRefused(why="extended"):
            return _("O prazo desta manifestação já foi prorrogado, e a lei permite uma vez só.")
        case ExtensionRefused(why="over"):
            return _("O prazo já terminou: só se prorroga até o último dia.")
        case ExtensionRefused():
            return _("Esta manifestação não espera resposta: não há prazo a prorrogar.")
        case NotAllowed():
            return _("O seu perfil não permite isso. Fale com a ouvidoria do município.")
        case IdentityNotHere(why="anonymous"):
            return _("Esta manifestação é anônima: não há identidade guardada.")
        case IdentityNotHere():
            return _("Nenhuma chave desta mesa abre esta identidade.")
    raise problem
