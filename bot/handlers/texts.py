"""What people type without a command: a plate, an answer, a place, a protocol with its key, anything."""

from telegram import Update

from bot import menu
from bot.context import BotContext
from bot.handlers import cards, complaints, itineraries, tracking, verification, wishes
from bot.phrases import meant
from bot.replies import say
from portal.domain.errors import UnreadableQuery
from portal.domain.geo import typed_position
from portal.domain.plates import NumberQuery, find_plate, identify, read_plate
from portal.wording.problems import problem_sentence


async def read(update: Update, context: BotContext) -> None:
    text = (update.message.text or "") if update.message else ""
    if asked := tracking.asked_about(update, context):
        await tracking.write(update, context, *asked, text)
    elif await cards.answer(update, context, text):
        return
    elif (pair := tracking.pair_in(text)) and not await complaints.quotes(update, context, pair[1]):
        await tracking.show_case(update, context, *pair)
    elif context.remembered.draft and not read_plate(text):
        if not await wishes.aside(update, context, text):
            await complaints.read(update, context, text)
    elif context.remembered.draft:
        await complaints.read_plate_alone(update, context, text)
    elif find_plate(text):
        await verification.answer(update, context, text)
    else:
        await _anything(update, context, text)


async def edited(update: Update, context: BotContext) -> None:
    """A corrected plate gets its verdict; what was answered or filed does not change by an edit."""
    message = update.edited_message
    text = (message.text or message.caption or "") if message else ""
    if find_plate(text):
        await verification.say_verdict(update, context, text)
        return
    _ = context.translator
    if context.remembered.draft:
        await say(update, _("Editar a mensagem não muda a resposta: use o botão Voltar e responda de novo."))
    else:
        await say(
            update,
            _(
                "Editar a mensagem não muda o que já foi enviado. Para completar, use /acompanhar com o protocolo."
            ),
        )


async def _anything(update: Update, context: BotContext, text: str) -> None:
    """Outside of a complaint, without a plate: a permit number, a place, or what the person wants to do."""
    _ = context.translator
    problem = None
    if typed_position(text):
        await itineraries.find(update, context, text)
        return
    try:
        if isinstance(identify(text), NumberQuery):
            await verification.answer(update, context, text)
            return
    except UnreadableQuery as error:
        problem = error
    if wish := meant(text, _.language):
        await wishes.follow(update, context, wish)
    elif problem and problem.why in ("length", "foreign"):
        await say(update, problem_sentence(problem, _))
    elif not await itineraries.find(update, context, text):
        await say(
            update,
            _("Não entendi. Envie uma placa, o nome de um bairro ou ponto, ou escolha:"),
            menu.main(_),
        )
