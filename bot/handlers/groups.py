"""In a group the bot says verdicts and timetables; a case is nobody's business but its author's."""

from telegram import Update

from bot.context import BotContext
from bot.handlers import verification
from bot.keyboards import column, link
from bot.replies import say
from portal.domain.plates import find_plate


async def go_private(update: Update, context: BotContext) -> None:
    _ = context.translator
    button = link(_("Abrir conversa particular"), f"https://t.me/{context.bot.username}?start=menu")
    await say(update, _("Isso é entre nós: fale comigo em particular."), column([button]))


async def read(update: Update, context: BotContext) -> None:
    """A plate in a group's talk is verified; everything else is none of the bot's business."""
    text = (update.message.text or "") if update.message else ""
    if find_plate(text):
        await verification.answer(update, context, text)
