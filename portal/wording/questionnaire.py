"""The questions of a complaint in words, for page and bot alike; the order stands in the domain."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from portal.domain.questionnaire import STORY_LIMIT, Kind, Question
from portal.i18n import Translator
from portal.wording.categories import category_label


def question_title(question: Question, _: Translator) -> str:
    match question.id:
        case "what":
            return _("O que aconteceu?")
        case "vehicle":
            return _("Qual veículo?")
        case "where":
            return _("Onde foi?")
        case "when":
            return _("Quando foi?")
        case "story":
            return _("Quer contar o que houve?")
        case "photos":
            return _("Tem fotos?")
        case "review":
            return _("Confira antes de enviar")
        case "identity":
            return _("Quer dizer quem é você?")
    raise KeyError(question.id)


def answer_name(question: Question, _: Translator) -> str:
    """What an answer is called beside it, once it is given: in review, tracking, desk and bot."""
    match question.id:
        case "what":
            return _("Assunto")
        case "vehicle":
            return _("Veículo")
        case "where":
            return _("Lugar")
        case "when":
            return _("Quando")
        case "story":
            return _("Relato")
        case "photos":
            return _("Fotos")
        case "identity":
            return _("Identidade")
    raise KeyError(question.id)


def question_hint(question: Question, _: Translator) -> str:
    """One or two sentences under the title."""
    match question.id:
        case "what":
            return _("Escolha o que chega mais perto.")
        case "vehicle":
            return _(
                "A placa, só um pedaço dela, o número da autorização ou como é o veículo. "
                "Placa de outro país também serve."
            )
        case "where":
            return _("Um ponto, uma rua, um bairro: o que você souber.")
        case "when":
            return _("Se não lembrar a hora, o dia já ajuda.")
        case "story":
            return _(
                "É opcional. Até %(limit)s caracteres. "
                "Se preferir ficar no anonimato, não escreva nada que identifique você."
            ) % {"limit": _.number(STORY_LIMIT)}
        case "photos":
            return _("É opcional. Servem também PDF, áudio e vídeo curto.")
        case "review":
            return _("Nada foi enviado ainda.")
        case "identity":
            return _("Você escolhe. As três formas são recebidas e respondidas.")
    raise KeyError(question.id)


def option_label(question: Question, option: str, _: Translator) -> str:
    """The words on a button."""
    if question.kind is Kind.CHOICE:
        return category_label(option, _)
    match (question.id, option):
        case ("vehicle", "none"):
            return _("O veículo não tinha placa")
        case ("where" | "vehicle" | "when", "unknown"):
            return _("Não sei")
        case ("when", "now"):
            return _("Agora")
        case ("when", "today"):
            return _("Hoje, mais cedo")
        case ("when", "earlier"):
            return _("Em outro dia")
        case ("photos", "done"):
            return _("Continuar")
        case ("review", "confirm"):
            return _("Está certo, continuar")
        case ("identity", "anonymous"):
            return _("Anônima")
        case ("identity", "sealed"):
            return _("Com identidade protegida")
        case ("identity", "open"):
            return _("Com identidade aberta")
    raise KeyError(f"{question.id}: {option}")


def option_hint(question: Question, option: str, _: Translator) -> str:
    """A sentence that says what a choice brings; empty for most."""
    match (question.id, option):
        case ("identity", "anonymous"):
            return _("Ninguém saberá quem você é, nem nós. Você acompanha com o protocolo e a chave.")
        case ("identity", "sealed"):
            return _(
                "Só a ouvidoria pode ver o seu nome e contato, e cada consulta fica registrada. "
                "É a forma que mais ajuda a apurar."
            )
        case ("identity", "open"):
            return _("A ouvidoria vê o seu nome e contato desde o início e pode repassar a quem apura.")
        case _none:
            return ""


def answer_text(question: Question, value: Any, _: Translator) -> str:
    """An answer as people read it, in review, tracking, desk and bot."""
    if value is None:
        return _("Não informado")
    match question.id:
        case "what":
            return category_label(value["category"], _)
        case "vehicle" | "where":
            return place_or_vehicle_text(value, _)
        case "when":
            return moment_text(value, _)
        case "story":
            return str(value)
    raise KeyError(question.id)


def place_or_vehicle_text(value: Mapping[str, Any], _: Translator) -> str:
    match value["kind"]:
        case "typed":
            return str(value["text"])
        case "stop":
            return str(value.get("name") or value["code"])
        case "position":
            return _("Posição no mapa: %(latitude)s, %(longitude)s") % {
                "latitude": f"{value['latitude']:.5f}",
                "longitude": f"{value['longitude']:.5f}",
            }
        case "none":
            return _("O veículo não tinha placa")
    return _("Não sei")


def moment_text(value: Mapping[str, Any], _: Translator) -> str:
    if value["kind"] != "at":
        return _("Não sei")
    day = date.fromisoformat(value["date"])
    if value["time"]:
        return _("%(date)s, às %(time)s") % {"date": _.date(day), "time": value["time"]}
    return _.date(day)


def skip_label(question: Question, _: Translator) -> str:
    """The words on the button that goes on without an answer."""
    return _("Seguir sem fotos") if question.kind is Kind.FILES else _("Pular")
