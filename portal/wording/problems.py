"""Each error worded once, for page, fragment, JSON, command line and bot."""

from portal.domain.errors import (
    ActRefused,
    AnswerMissing,
    CannotMerge,
    CardRefused,
    CardUnknown,
    CaseChanged,
    CodeElsewhere,
    CodeNotSeen,
    ColleagueMissing,
    ConsentMissing,
    DateOutOfReach,
    DraftGone,
    EmptyMessage,
    EntryRefused,
    ExtensionRefused,
    FileRefused,
    FilesAway,
    FormExpired,
    GroundMissing,
    IdentityMissing,
    IdentityNotHere,
    IdentityNotTaken,
    ImportOvertaken,
    ListKeptElsewhere,
    LoginTaken,
    MomentInFuture,
    NoSuchPermit,
    NotAllowed,
    NothingHere,
    OrderNumberMissing,
    ParameterMissing,
    PasswordTooShort,
    PermitRefused,
    PortalError,
    PublicationRefused,
    ReasonMissing,
    ReceiptUnknown,
    RecipientMissing,
    ReportRefused,
    SeveralPermits,
    StepIncomplete,
    StepNotAllowed,
    StoodBack,
    TextTooLong,
    TicketExpired,
    UnitMissing,
    UnknownInstrument,
    UnknownMunicipality,
    UnknownOption,
    UnknownService,
    UnknownStop,
    UnknownTerm,
    UnreadableDate,
    UnreadableEmail,
    UnreadableMoment,
    UnreadablePosition,
    UnreadableQuery,
    UnreadableTime,
    UnreadableYear,
    UploadLinkSpent,
    WrongPair,
)
from portal.i18n import Translator
from portal.wording.cards import card_refused_sentence
from portal.wording.evidence import refusal_sentence
from portal.wording.merging import cannot_merge_sentence
from portal.wording.register import act_refused_sentence
from portal.wording.register_import import problem_reason


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
        case UnreadableTime(text=text):
            return _("“%(text)s” não é uma hora. Escreva como 22:00.") % {"text": text}
        case UnknownStop(stop=stop):
            return _("Não conhecemos nenhum ponto “%(stop)s” neste município.") % {"stop": stop}
        case UnknownService(given=given, known=known):
            return _("Não conhecemos o serviço “%(given)s”. Conhecemos: %(known)s.") % {
                "given": given,
                "known": ", ".join(known),
            }
        case UnknownMunicipality(slug=slug):
            return _("Não atendemos nenhum município chamado “%(slug)s”.") % {"slug": slug}
        case UnknownInstrument(given=given, known=known):
            return _("Nenhuma norma daqui se chama “%(given)s”. Conhecemos: %(known)s.") % {
                "given": given,
                "known": ", ".join(known),
            }
        case UnknownTerm(given=given, known=()):
            return _("“%(given)s” não existe nesta norma, que nada traz desse tipo.") % {"given": given}
        case UnknownTerm(given=given, known=known):
            return _("“%(given)s” não existe nesta norma. Existem: %(known)s.") % {
                "given": given,
                "known": ", ".join(known),
            }
        case UnreadableYear(text=text):
            return _("“%(text)s” não é um ano. Escreva como 2026.") % {"text": text}
        case ParameterMissing(name=name):
            return _("Falta dizer “%(name)s”.") % {"name": name}
        case EntryRefused():
            return _("Nada foi gravado: há algo a corrigir.")
        case ListKeptElsewhere(source=source):
            return _("Esta lista vem do arquivo %(file)s: mude o arquivo e importe de novo.") % {
                "file": source
            }
        case ImportOvertaken():
            return _("Outra importação da mesma fonte começou depois desta: vale a mais nova.")
        case UnreadablePosition():
            return _(
                "Não entendemos essa posição. Escolha um bairro ou uma atração, ou veja a lista de pontos."
            )
        case AnswerMissing(question="what"):
            return _("Escolha o que aconteceu.")
        case AnswerMissing(question="vehicle"):
            return _("Escreva a placa ou o número da autorização, ou toque em “Não sei”.")
        case AnswerMissing(question="where"):
            return _("Escolha ou escreva o lugar, ou toque em “Não sei”.")
        case AnswerMissing(question="when"):
            return _("Escolha quando foi, ou toque em “Não sei”.")
        case AnswerMissing(question="identity"):
            return _("Escolha se quer dizer quem é você.")
        case AnswerMissing():
            return _("Falta responder a uma pergunta.")
        case UnknownOption(question="where"):
            return _("Não encontramos esse ponto. Escolha outro ou escreva o lugar.")
        case UnknownOption():
            return _("Essa opção não existe mais. Escolha uma das que aparecem.")
        case TextTooLong(limit=limit):
            return _(
                "O texto passou do limite de %(limit)s caracteres. Encurte um pouco e envie de novo."
            ) % {"limit": _.number(limit)}
        case UnreadableMoment(text=text):
            return _("Não entendemos “%(text)s”. Escreva o dia como 28/11 e a hora como 14:30.") % {
                "text": text
            }
        case MomentInFuture():
            return _("Esse momento ainda não chegou. Confira o dia e a hora.")
        case UnreadableEmail(text=text):
            return _("“%(text)s” não parece um e-mail. Confira, ou deixe em branco.") % {"text": text}
        case IdentityMissing():
            return _("Escreva um nome ou um contato, ou escolha a forma anônima.")
        case IdentityNotTaken():
            return _(
                "Aqui, por enquanto, só recebemos manifestações anônimas. Você acompanha do mesmo jeito."
            )
        case EmptyMessage():
            return _("Escreva a mensagem antes de enviar.")
        case FileRefused():
            return refusal_sentence(problem, _)
        case FilesAway():
            return _("O arquivo não está ao alcance agora. Tente de novo daqui a pouco.")
        case UploadLinkSpent():
            return _(
                "Este endereço já foi usado ou passou da hora. Peça outro ao robô, enviando o arquivo de novo."
            )
        case DraftGone():
            return _(
                "Esta manifestação não está mais aqui: foi enviada, descartada ou ficou parada tempo demais."
            )
        case FormExpired():
            return _("A página ficou aberta por muito tempo. Nada se perdeu: confira e envie de novo.")
        case WrongPair(wait=wait) if wait:
            return _.ngettext(
                "Protocolo e chave não conferem. Espere %(wait)s segundo antes de tentar de novo.",
                "Protocolo e chave não conferem. Espere %(wait)s segundos antes de tentar de novo.",
                wait,
            ) % {"wait": wait}
        case WrongPair():
            return _("Protocolo e chave não conferem. Confira os dois e tente de novo.")
        case TicketExpired():
            return _("Por segurança, digite de novo o protocolo e a chave.")
        case StepNotAllowed(wanted="message"):
            return _("Esta manifestação está encerrada e não recebe mais mensagens.")
        case StepNotAllowed(wanted="request_review"):
            return _("Não dá mais para pedir revisão: ela se pede uma vez só, e até o dia que foi dito.")
        case StepIncomplete():
            return _("Falta preencher o que este passo precisa.")
        case StepNotAllowed():
            return _("A situação da manifestação mudou e esse passo não é mais possível.")
        case NothingHere():
            return _("Não encontramos esta página.")
        case ConsentMissing(state="refused"):
            return _("A pessoa não autorizou: a identidade fica na ouvidoria.")
        case ConsentMissing(state="told"):
            return _("Essa autorização já foi usada. Peça outra.")
        case ConsentMissing():
            return _("A pessoa ainda não respondeu: até lá a identidade fica na ouvidoria.")
        case RecipientMissing():
            return _("Diga a quem a identidade vai ser passada.")
        case OrderNumberMissing():
            return _("Escreva o número da ordem judicial.")
        case LoginTaken(login=login):
            return _("Já existe alguém com o usuário “%(login)s”.") % {"login": login}
        case PasswordTooShort(characters=characters):
            return _("A senha precisa de pelo menos %(characters)s caracteres.") % {"characters": characters}
        case ReasonMissing():
            return _("Escreva o motivo.")
        case CaseChanged():
            return _(
                "Esta manifestação mudou enquanto você escrevia. Nada foi gravado: "
                "veja o que há de novo e envie de novo."
            )
        case StoodBack():
            return _("Você se declarou impedido nesta manifestação: quem a recebeu é que segue com ela.")
        case GroundMissing():
            return _("Escolha o fundamento legal do arquivamento.")
        case ReportRefused(why="published"):
            return _("Este relatório já foi publicado e não muda mais.")
        case ReportRefused(why="running"):
            return _("O ano ainda não terminou: o relatório se publica depois dele.")
        case ReportRefused():
            return _("Escreva as três partes do relatório antes de publicar.")
        case ColleagueMissing():
            return _("Escolha para quem passa a manifestação.")
        case CannotMerge():
            return cannot_merge_sentence(problem, _)
        case UnitMissing():
            return _("Diga para qual órgão vai o encaminhamento.")
        case ExtensionRefused(why="extended"):
            return _("O prazo desta manifestação já foi prorrogado, e a lei permite uma vez só.")
        case ExtensionRefused(why="over"):
            return _("O prazo já terminou: só se prorroga até o último dia.")
        case ExtensionRefused(why="capped"):
            return _("O órgão não pode ter mais prazo que a manifestação: prorrogue antes o prazo dela.")
        case ExtensionRefused():
            return _("Esta manifestação não espera resposta: não há prazo a prorrogar.")
        case PermitRefused(problems=problems):
            return problem_reason(problems[0], _) if problems else _("A autorização não foi aceita.")
        case ActRefused():
            return act_refused_sentence(problem, _)
        case CardRefused():
            return card_refused_sentence(problem, _)
        case CardUnknown():
            return _(
                "Código não reconhecido: não foi a prefeitura que fez este código, ou ele está incompleto."
            )
        case CodeElsewhere(host=host):
            return _("Este código leva a %(host)s, que não é este portal. Não siga por ele.") % {"host": host}
        case CodeNotSeen():
            return _("Não achamos um código nesta foto. Tente de mais perto, com luz e sem reflexo.")
        case ReceiptUnknown():
            return _(
                "Comprovante não reconhecido: este portal não deu esta resposta, ou o código está incompleto."
            )
        case NoSuchPermit(number=number):
            return _("Não há autorização “%(number)s” no cadastro deste município.") % {"number": number}
        case SeveralPermits(number=number, choices=choices):
            return _("Há mais de uma autorização “%(number)s”: %(choices)s. Diga o ano ou o tipo.") % {
                "number": number,
                "choices": "; ".join(choices),
            }
        case PublicationRefused(why="rows"):
            return _(
                "Há linhas recusadas. Corrija o arquivo, ou marque que essas autorizações ficam como estão."
            )
        case PublicationRefused(why="busy"):
            return _("Há uma publicação em curso neste município. Espere que ela termine.")
        case PublicationRefused(why="nothing"):
            return _("Só a última publicação pode ser desfeita, e uma vez só.")
        case PublicationRefused():
            return _("Este arquivo já foi publicado, jogado fora ou desfeito.")
        case NotAllowed():
            return _("O seu perfil não permite isso. Fale com a ouvidoria do município.")
        case IdentityNotHere(why="anonymous"):
            return _("Esta manifestação é anônima: não há identidade guardada.")
        case IdentityNotHere():
            return _("Nenhuma chave desta mesa abre esta identidade.")
    raise problem
