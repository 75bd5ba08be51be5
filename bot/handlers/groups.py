"""In a group the bot says verdicts and timetables; a case is nobody's business but its author's."""

import re

from telegram import Update
from telegram.ext import CallbackQueryHandler

from bot.context import BotContext
from bot.handlers import verification
from bot.keyboards import column, link
from bot.replies import nod, say
from portal.domain.deep_links import COMPLAIN, TRACK, payload
from portal.domain.plates import find_plate


async def go_private(update: Update, context: BotContext) -> None:
    """A command about a case: a button leads to where it goes on, in private."""
    _ = context.translator
    said = update.effective_message.text or "" if update.effective_message else ""
    command = said.split()[0].lstrip("/").split("@")[0] if said else ""
    carried = {"reclamar": payload(COMPLAIN), "acompanhar": payload(TRACK)}.get(command, "menu")
    button = link(_("Abrir conversa particular"), f"https://t.me/{context.bot.username}?start={carried}")
    await say(update, _("Isso é entre nós: fale comigo em particular."), column([button]))


async def read(update: Update, context: BotContext) -> None:
    """A plate in a group's talk is verified; everything else is none of the bot's business."""
    message = update.effective_message
    text = (message.text or message.caption or "") if message else ""
    if find_plate(text):
        await verification.answer(update, context, text)


class PrivateButton(CallbackQueryHandler[BotContext, None]):
    """A button pressed in a group that leads to anything but verdicts and timetables."""

    _open_to_all = re.compile(r"(town|itinerary|stop|ride|list)\||menu\|(verificar|pontos)$")

    def check_update(self, update: object) -> bool | object | None:
        query = update.callback_query if isinstance(update, Update) else None
        if not (query and query.message and query.message.chat.type in ("group", "supergroup")):
            return False
        return not self._open_to_all.match(query.data or "")


async def hint(update: Update, context: BotContext) -> None:
    """Tell the one who pressed, and nobody else, where to go on."""
    _ = context.translator
    await nod(update, _("Isso é entre nós: fale comigo em particular."))
