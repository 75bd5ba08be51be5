"""Inline mode: somebody writes the bot's name and a plate in any chat, and shares the verdict as a message."""

from telegram import InlineQueryResultArticle, InlineQueryResultsButton, InputTextMessageContent, Update

from bot.context import BotContext
from bot.handlers import verification
from bot.keyboards import column, link
from bot.replies import MOST_UNITS
from portal import clock
from portal.domain.deep_links import VERDICT, payload
from portal.domain.errors import UnreadableQuery
from portal.services.verdicts.verification import ABSENT
from portal.wording.verdicts import state_word, verdict_sentence

SECONDS_KEPT = 60
"""How long Telegram may show an answer again; a verdict says by itself when it was computed."""


async def answer(update: Update, context: BotContext) -> None:
    """The verdict of each town that knows the vehicle, or of the first; a hint for what is no plate."""
    query = update.inline_query
    assert query  # the handler lets only inline queries through
    _ = context.translator
    try:
        verdicts = await context.look(
            verification.verdicts_now, query.query, now=clock.now(), first=context.municipality, place=None
        )
    except UnreadableQuery:
        hint = InlineQueryResultsButton(_("Escreva a placa, como ABC1D23"), start_parameter="menu")
        await query.answer([], cache_time=SECONDS_KEPT, is_personal=True, button=hint)
        return
    shown = [each for each in verdicts if each.status not in ABSENT] or verdicts[:1]
    again = link(
        _("Verificar agora"),
        f"https://t.me/{context.bot.username}?start={payload(VERDICT, what=verdicts[0].asked)}",
    )
    results = [
        InlineQueryResultArticle(
            id=each.municipality,
            title=f"{each.asked}: {state_word(each.status, _)}",
            description=verdict_sentence(each, _),
            input_message_content=InputTextMessageContent(verification.card(each, _)[: MOST_UNITS // 2]),
            reply_markup=column([again]),
        )
        for each in shown
    ]
    await query.answer(results, cache_time=SECONDS_KEPT, is_personal=True)
