"""What people ask for in their own words, each led to the handler that does it or to one considered answer."""

from collections.abc import Awaitable, Callable

from telegram import InlineKeyboardButton, Update

from bot import menu, questions
from bot.context import BotContext
from bot.drafts import read_draft, show
from bot.handlers import complaints, farewell, itineraries, language, rights, start, tracking, verification
from bot.keyboards import button, column, pressed
from bot.phrases import Meant, meant
from bot.replies import nod, say
from bot.towns import town_buttons
from portal.domain.plates import find_plate
from portal.domain.questionnaire import Kind
from portal.i18n import Translator
from portal.regulations import catalogue
from portal.regulations.catalogue import today_in
from portal.regulations.municipalities import Municipality
from portal.services.complaints.intake import Draft
from portal.wording.complaints import emergency_sentence, honest_sentence, key_sentence
from portal.wording.rights import answer_sentence

Answer = Callable[[Update, BotContext], Awaitable[None]]


async def follow(update: Update, context: BotContext, wish: Meant) -> None:
    """Do, or answer, what a message asks for; every place of the phrase tables has its line here."""
    context.args = []
    if wish.place.startswith("complain:"):
        await complaints.tell_of(update, context, wish.place.removeprefix("complain:"))
    elif wish.place in _WHERE:
        await _say_where(update, context, wish)
    else:
        await _ANSWERS[wish.place](update, context)


async def _say_where(update: Update, context: BotContext, wish: Meant) -> None:
    """Where and when: the place that is named, else the list of the town spoken about, else one tap for either."""
    if wish.rest and await itineraries.find(update, context, wish.rest):
        return
    if wish.place == "near" or context.municipality is None:
        await itineraries.places(update, context)
    else:
        await itineraries.say_list(update, context, catalogue.municipality(context.municipality))


async def _menu(update: Update, context: BotContext) -> None:
    _ = context.translator
    await say(update, _("O que você precisa?"), menu.main(_))


async def _thanks(update: Update, context: BotContext) -> None:
    _ = context.translator
    await say(update, _("Eu que agradeço. Quando precisar, envie uma placa ou escreva aqui."))


async def _bye(update: Update, context: BotContext) -> None:
    _ = context.translator
    await say(update, _("Até logo! Boa viagem. Para apagar o que sei de você, /apagar."))


async def _insult(update: Update, context: BotContext) -> None:
    _ = context.translator
    await say(update, _("Desculpe se não ajudei. Posso tentar de novo:"), menu.main(_))


async def _danger(update: Update, context: BotContext) -> None:
    """The numbers to call come first, and by themselves."""
    _ = context.translator
    await say(update, "\n\n".join([emergency_sentence(_), menu.emergency_numbers(_)]))
    text = _(
        "Se puder, peça para parar e desça em lugar movimentado, e mande a sua localização a alguém de confiança. "
        "Quando estiver em segurança, conte à ouvidoria."
    )
    await say(update, text, column([_tell(_)]))


async def _safety(update: Update, context: BotContext) -> None:
    _ = context.translator
    text = _(
        "Não sei se uma viagem é segura; sei dizer se o veículo tem autorização. Envie a placa antes de embarcar. "
        "Na dúvida, não embarque: peça a autorização afixada."
    )
    choices = [button(_("Verificar um veículo"), "menu", "verificar"), _rights(_), _tell(_)]
    await say(update, "\n\n".join([text, menu.emergency_numbers(_)]), column(choices))


async def _lost_key(update: Update, context: BotContext) -> None:
    _ = context.translator
    text = _(
        "Procure neste chat a mensagem ou o arquivo do recibo: a chave são seis palavras. "
        "Se não achar, envie uma nova manifestação e conte que há outra igual."
    )
    await say(update, "\n\n".join([key_sentence(_), text]), column([_tell(_)]))


async def _deadline(update: Update, context: BotContext) -> None:
    _ = context.translator
    town = _town_in(context)
    rule = catalogue.answer_time("ombudsman", today_in(town))
    text = _("O dia exato está no recibo e em /acompanhar.")
    await say(update, "\n\n".join([answer_sentence(rule, _), text]), column([_track(_)]))


async def _anonymous(update: Update, context: BotContext) -> None:
    """Who sees what, as it stands beside the choice itself."""
    _ = context.translator
    blocks = [
        _("Você escolhe no fim, depois de rever tudo. As três formas são recebidas e respondidas."),
        *questions.identities(_),
        honest_sentence(_),
    ]
    await say(update, "\n\n".join(blocks), column([_tell(_)]))


async def _human(update: Update, context: BotContext) -> None:
    """People answer in the ombudsman's office; what is known of how to reach it is told."""
    _ = context.translator
    town = _town_in(context)
    lines = [
        _("Aqui responde um robô. Quem lê e responde as manifestações são pessoas, na ouvidoria de %(town)s.")
        % {"town": f"{town.name} – {town.state}"}
    ]
    told = town.ombudsman
    reached = [each for each in (told.phone, told.email, told.url, told.hours) if each]
    if reached:
        lines.append("\n".join([told.name, *reached]))
    await say(update, "\n\n".join(lines), column([_tell(_), _track(_)]))


async def _permit_holder(update: Update, context: BotContext) -> None:
    _ = context.translator
    text = _(
        "Eu não recebo pedidos de autorização: eles são feitos na prefeitura. "
        "Em “Seus direitos” está o que a norma do seu município exige."
    )
    wrong = button(_("Corrigir dados da lista"), "wish", "complain:wrong_data")
    await say(update, text, column([_rights(_), wrong]))


async def _town(update: Update, context: BotContext) -> None:
    _ = context.translator
    await say(
        update, _("De qual município falamos?"), column(town_buttons("list", first=context.municipality))
    )


async def aside(update: Update, context: BotContext, text: str) -> bool:
    """In the middle of a complaint: a message that asks for something else is no answer.

    True when it was dealt with; then the question is asked again.
    """
    wish = meant(text, context.translator.language)
    if wish is None or wish.place not in _ASIDES | _QUESTIONS:
        return False
    draft = await read_draft(update, context)
    if draft is None or not _leads_aside(draft, context, text, wish):
        return False
    if wish.place in ("greeting", "complain"):
        _ = context.translator
        await say(update, _("Continuamos de onde você parou."))
    else:
        await follow(update, context, wish)
    await show(update, context)
    return True


def _leads_aside(draft: Draft, context: BotContext, text: str, wish: Meant) -> bool:
    """Whether a text is no answer: it says that it wants something else and nothing more, or puts a question.

    An account may hold any words, a question among them: of it only what says nothing more leads aside.
    """
    kind = draft.question.kind
    if wish.whole and wish.place in _ASIDES:
        answers = {Kind.IDENTITY: "anonymous", Kind.CHOICE: "complain"}  # there it is an answer
        return wish.place != answers.get(kind)
    if context.remembered.awaits_contact or kind is Kind.TEXT or len(text) > LONGEST_QUESTION:
        return False
    if find_plate(text):  # it is verified where the answer is read
        return False
    if questions.typed_option(draft, text, wish, context.translator):
        return False
    return wish.place in _QUESTIONS and (kind is Kind.CHOICE or "?" in text)


async def choose(update: Update, context: BotContext) -> None:
    """A button that leads where a phrase does."""
    await nod(update)
    place = pressed(update, 2)[1]
    known = place in PLACES or place.startswith("complain:")
    await follow(update, context, Meant(place if known else "menu", "", whole=True))


def _town_in(context: BotContext) -> Municipality:
    """The town spoken about; before any is, the first served stands for all in what is alike everywhere."""
    return catalogue.municipality(context.municipality or catalogue.municipalities()[0].slug)


def _tell(_: Translator) -> InlineKeyboardButton:
    return button(_("Falar com a ouvidoria"), "menu", "reclamar")


def _track(_: Translator) -> InlineKeyboardButton:
    return button(_("Acompanhar manifestação"), "menu", "acompanhar")


def _rights(_: Translator) -> InlineKeyboardButton:
    return button(_("Seus direitos"), "menu", "direitos")


_WHERE = frozenset({"boarding", "near", "timetable", "fare"})
_ANSWERS: dict[str, Answer] = {
    "greeting": start.welcome,
    "menu": _menu,
    "yes": _menu,
    "no": _menu,
    "back": _menu,
    "skip": _menu,
    "thanks": _thanks,
    "bye": _bye,
    "insult": _insult,
    "help": start.help_,
    "verify": verification.verify,
    "report": complaints.report,
    "complain": complaints.begin,
    "danger": _danger,
    "safety": _safety,
    "rights": rights.ask,
    "town-rights": rights.ask_town,
    "track": tracking.track,
    "lost_key": _lost_key,
    "deadline": _deadline,
    "anonymous": _anonymous,
    "human": _human,
    "permit_holder": _permit_holder,
    "town": _town,
    "language": language.ask,
    "cancel": complaints.cancel,
    "stop": farewell.stop,
    "erase": farewell.erase,
}
_ASIDES = frozenset(
    {
        *(
            "greeting",
            "thanks",
            "help",
            "danger",
            "anonymous",
            "deadline",
            "stop",
            "erase",
            "language",
            "insult",
        ),
        "complain",
    }
)
"""Asked in the middle of a complaint, and alone, these are answered before it goes on."""
_QUESTIONS = _ASIDES | _WHERE | {"verify", "safety", "rights", "track", "lost_key", "human", "permit_holder"}
"""Put as a question in the middle of a complaint, these are answered too."""
LONGEST_QUESTION = 120
"""Letters; what is longer tells of something."""
PLACES = frozenset({*_WHERE, *_ANSWERS})
"""Places that a phrase table may name, beside ``complain:`` and a category."""
