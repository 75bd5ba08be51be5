"""The questions of a complaint in words, for page and bot alike; the order stands in the domain."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from babel.lists import format_list

from portal.domain.questionnaire import STORY_LIMIT, Kind, Question
from portal.domain.questionnaire import question as question_of
from portal.domain.said_vehicles import SaidVehicle
from portal.i18n import Translator
from portal.regulations import catalogue
from portal.regulations.borders import agencies_beyond
from portal.services.complaints.urgency import is_urgent, urgencies
from portal.wording.categories import category_label
from portal.wording.complaints import kind_word
from portal.wording.rights import target_sentence

LOST = "lost_property"


def question_title(question: Question, _: Translator, *, category: str = "") -> str:
    """The question; who lost something is asked what, and not what happened."""
    match question.id:
        case "story" if category == LOST:
            return _("O que você perdeu?")
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
            return _("Quer juntar arquivos?")
        case "here":
            return _("Foi neste município?")
        case "kind":
            return _("O que você quer fazer?")
        case "identity":
            return _("Confira e envie")
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
            return _("Arquivos")
        case "here":
            return _("Município")
        case "kind":
            return _("Tipo")
        case "identity":
            return _("Identidade")
    raise KeyError(question.id)


def question_hint(question: Question, _: Translator, *, category: str = "") -> str:
    """One or two sentences under the title."""
    match question.id:
        case "story" if category == LOST:
            return _("Diga como é: cor, tamanho, marca, o que havia dentro. Até %(limit)s caracteres.") % {
                "limit": _.number(STORY_LIMIT)
            }
        case "what":
            return _("Escolha o que chega mais perto.")
        case "vehicle":
            return _(
                "A placa, só um pedaço dela (“ABC e algo 23”), o número da autorização, a linha ou como é o veículo. "
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
            return _("É opcional. Foto, PDF, áudio ou vídeo curto.")
        case "here":
            return _(
                "Pelo lugar ou pelo veículo, pode caber a outro município ou a quem cuida de viagens entre cidades."
            )
        case "kind":
            return _("Calculamos pelo assunto. Se não é isso, escolha.")
        case "identity":
            return _("Nada foi enviado ainda. As três formas de enviar são recebidas e respondidas.")
    raise KeyError(question.id)


def option_label(question: Question, option: str, _: Translator) -> str:
    """The words on a button."""
    if question.kind is Kind.CHOICE:
        return category_label(option, _)
    match (question.id, option):
        case ("vehicle", "none"):
            return _("O veículo não tinha placa")
        case ("where" | "vehicle" | "when" | "here", "unknown"):
            return _("Não sei")
        case ("here", "here"):
            return _("Sim, foi aqui")
        case ("here", "elsewhere"):
            return _("Foi em outro município")
        case ("here", "between"):
            return _("Foi numa viagem entre cidades")
        case ("kind", kind):
            return kind_word(kind, _)
        case ("when", "now"):
            return _("Agora")
        case ("when", "today"):
            return _("Hoje, mais cedo")
        case ("when", "earlier"):
            return _("Em outro dia")
        case ("photos", "done"):
            return _("Continuar")
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
            return _(
                "Ninguém saberá quem você é, nem nós: é respondida, mas só por aqui a ouvidoria pode perguntar algo."
            )
        case ("identity", "sealed"):
            return _(
                "Só a ouvidoria pode ver o seu nome e contato, e cada consulta fica registrada. "
                "É a forma que mais ajuda a apurar."
            )
        case ("identity", "open"):
            return _(
                "A ouvidoria vê o seu nome e contato desde o início e, com o seu consentimento, passa a quem apura."
            )
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
        case "here" | "kind" if value["kind"] != "unknown":
            return option_label(question, value["kind"], _)
        case "here":
            return _("Não informado")
        case "when":
            return moment_text(value, _)
        case "story":
            return str(value)
    raise KeyError(question.id)


def place_or_vehicle_text(value: Mapping[str, Any], _: Translator) -> str:
    match value["kind"]:
        case "typed" if value.get("as") == SaidVehicle.PARTIAL:
            return _("%(text)s (parte de uma placa)") % {"text": value["text"]}
        case "typed" if value.get("as") == SaidVehicle.FOREIGN:
            return _("%(text)s (placa de outro país)") % {"text": value["text"]}
        case "typed":
            return str(value["text"])
        case "line":
            return _("Linha %(name)s") % {"name": value["text"]}
        case "stop":
            return str(value.get("name") or value["code"])
        case "position":
            return _("Posição no mapa: %(latitude)s, %(longitude)s") % {
                "latitude": f"{value['latitude']:.5f}",
                "longitude": f"{value['longitude']:.5f}",
            }
        case "none":
            return _("O veículo não tinha placa")
    return _("Não informado")


def moment_text(value: Mapping[str, Any], _: Translator) -> str:
    if value["kind"] != "at":
        return _("Não informado")
    day = date.fromisoformat(value["date"])
    if value["time"]:
        return _("%(date)s, às %(time)s") % {"date": _.date(day), "time": value["time"]}
    return _.date(day)


def meter_name(question_id: str, _: Translator) -> str:
    """What an entry of the evidence meter is called."""
    return _("Fatos") if question_id == "story" else answer_name(question_of(question_id), _)


def meter_sentence(meter: Sequence[tuple[str, bool]], _: Translator) -> str:
    """What is there, what is missing, and that nothing of it is needed to send."""
    missing = [meter_name(question_id, _) for question_id, there in meter if not there]
    if not missing:
        return _("Há tudo o que mais ajuda a apurar.")
    return _("Ajudaria a apurar: %(missing)s. Pode enviar assim mesmo.") % {
        "missing": format_list(missing, locale=_.locale)
    }


def add_label(question: Question, _: Translator) -> str:
    """The words on a button or link that leads to what is offered on the last page."""
    return _("Juntar arquivos") if question.kind is Kind.FILES else _("Contar o que houve")


def beyond_sentences(municipality: str, answers: Mapping[str, Any], _: Translator) -> list[str]:
    """Whom else to tell, when it was not here or between cities; empty where the question did not come up."""
    here = (answers.get("here") or {}).get("kind")
    if here not in ("elsewhere", "between"):
        return []
    town = catalogue.municipality(municipality)
    said = [
        _("A ouvidoria de %(town)s recebe assim mesmo, guarda o caso e diz a quem ele cabe.")
        % {"town": town.name}
    ]
    if here == "elsewhere":
        return [*said, _("A ouvidoria do outro município também pode receber.")]
    for agency in agencies_beyond(municipality):
        gaps = {"agency": agency.name, "phone": agency.phone or ""}
        if agency.what == "state":
            said.append(_("Viagens entre cidades do estado: %(agency)s.") % gaps)
        elif agency.phone:
            said.append(_("Viagens entre estados: %(agency)s, telefone %(phone)s.") % gaps)
        else:
            said.append(_("Viagens entre estados: %(agency)s.") % gaps)
    return said


def urgent_sentences(municipality: str, category: str, on: date, _: Translator) -> list[str]:
    """What the fast lane means here: the instrument's own procedure, and the hours that the town promises."""
    if not is_urgent(category):
        return []
    said = [_("Este assunto passa à frente na fila da ouvidoria.")]
    for one in urgencies(municipality, category, on):
        said.append(one.words.said(_.language))
        if one.target_hours:
            said.append(target_sentence(one.target_hours, _))
    return said


def skip_label(question: Question, _: Translator) -> str:
    """The words on the button that goes on without an answer."""
    return _("Seguir sem arquivos") if question.kind is Kind.FILES else _("Pular")
