"""/inicio, /start and /ajuda: what the bot does, and its menu."""

from telegram import Update

from bot import menu
from bot.context import BotContext
from bot.drafts import show
from bot.handlers import cards, complaints, itineraries, language, rights, tracking, verification
from bot.keyboards import pressed
from bot.replies import nod, say
from bot.towns import town_of
from portal.config import settings
from portal.domain import deep_links
from portal.domain.deep_links import read_payload
from portal.domain.plates import find_plate
from portal.wording.complaints import demonstration_sentence


async def welcome(update: Update, context: BotContext) -> None:
    """/inicio, or /start with what a link carried: a plate is verified at once."""
    carried = " ".join(context.args or [])
    if carried and await _follow(update, context, carried):
        return
    _ = context.translator
    lines = [
        _(
            "Olá! Envie a placa do veículo e eu digo o que consta na lista do município. "
            "Envie sua localização e eu mostro os pontos mais perto. "
            "E levo sua manifestação à ouvidoria, anônima se você quiser."
        )
    ]
    if context.remembered.draft:
        lines.append(_("Você tem uma manifestação começada: /reclamar continua de onde parou."))
    if settings().demonstration:
        lines.append(demonstration_sentence(_))
    await say(update, "\n\n".join(lines), menu.main(_))


async def _follow(update: Update, context: BotContext, carried: str) -> bool:
    """Go where a link of a page or a code leads; False when it leads to nothing known."""
    if await cards.answer(update, context, carried):  # the code itself, as somebody pasted it
        return True
    led = read_payload(carried)
    if led is None:
        if not find_plate(carried):
            return False
        await verification.answer(update, context, carried)  # as older codes carry it, and as people write it
        return True
    town = town_of(led.town) if led.town else None
    match led.kind:
        case deep_links.VERDICT if led.what:
            await verification.answer(update, context, led.what)
        case deep_links.CARD if led.what:
            await cards.follow(update, context, led.what)
            return True
        case deep_links.STOP if town and led.what:
            await itineraries.say_stop(update, context, town, led.what)
        case deep_links.ITINERARY if town and led.what:
            await itineraries.say_itinerary(update, context, town, led.what)
        case deep_links.TOWN if town:
            await context.remember(municipality=town.slug)
            await itineraries.say_list(update, context, town)
        case deep_links.TRACK:
            context.args = []
            await tracking.track(update, context)
        case deep_links.COMPLAIN if led.what:
            await complaints.tell_of_vehicle(update, context, town, led.what)
            return True
        case _:
            if town:
                await context.remember(municipality=town.slug)
            opens = complaints.report if led.kind == deep_links.REPORT else complaints.begin
            await opens(update, context)
            return True
    if context.remembered.draft and led.kind != deep_links.VERDICT:  # a verdict shows the question by itself
        await show(update, context)
    return True


async def help_(update: Update, context: BotContext) -> None:
    _ = context.translator
    text = _(
        "Envie uma placa (ABC1D23) ou o número da autorização: respondo na hora, no meio de qualquer conversa.\n"
        "Envie sua localização ou o nome de um bairro: mostro os pontos de embarque.\n"
        "/reclamar leva sua manifestação à ouvidoria, pergunta a pergunta.\n"
        "/acompanhar, com o protocolo e a chave, mostra o andamento e a resposta.\n"
        "/cancelar sai do que estiver em andamento. /parar encerra os avisos. /apagar apaga o que sei de você."
    )
    await say(update, "\n\n".join([text, menu.emergency_numbers(_)]), menu.main(_))


async def choose(update: Update, context: BotContext) -> None:
    """A button of the menu."""
    await nod(update)
    context.args = []
    match pressed(update, 2)[1]:
        case "verificar":
            await verification.verify(update, context)
        case "pontos":
            await itineraries.places(update, context)
        case "denunciar":
            await complaints.report(update, context)
        case "reclamar":
            await complaints.begin(update, context)
        case "acompanhar":
            await tracking.track(update, context)
        case "direitos":
            await rights.ask(update, context)
        case "idioma":
            await language.ask(update, context)
        case _:
            await welcome(update, context)
