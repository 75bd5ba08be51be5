"""/inicio, /start and /ajuda: what the bot does, and its menu."""

from telegram import Update

from bot import menu
from bot.context import BotContext
from bot.handlers import complaints, itineraries, language, rights, tracking, verification
from bot.keyboards import pressed
from bot.replies import nod, say
from portal.config import settings
from portal.domain.plates import find_plate
from portal.wording.complaints import demonstration_sentence


async def welcome(update: Update, context: BotContext) -> None:
    """/inicio, or /start with what a link carried: a plate is verified at once."""
    carried = " ".join(context.args or [])
    if carried and find_plate(carried):
        await verification.answer(update, context, carried)
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
