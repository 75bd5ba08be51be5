"""The ways out: /parar ends notices, /apagar erases what the bot knows of a person."""

import logging

from telegram import Update
from telegram.error import BadRequest

from bot.context import BotContext
from bot.keyboards import button, column, pressed
from bot.replies import disarm, nod, say
from portal.services.messages import telegram as conversation

log = logging.getLogger(__name__)

BATCH = 100
"""Messages that Telegram deletes at a call."""
REACH = 1000
"""Ids before the present one among which a chat's own are looked for."""


async def stop(update: Update, context: BotContext) -> None:
    assert update.effective_chat  # commands come from a chat
    _ = context.translator
    ended = await context.change(conversation.stop_notices, update.effective_chat.id)
    if ended:
        await say(update, _("Pronto: não envio mais avisos. /acompanhar continua mostrando o andamento."))
    else:
        await say(update, _("Você não tem avisos ligados neste chat."))


async def erase(update: Update, context: BotContext) -> None:
    _ = context.translator
    text = _(
        "Apago a língua e o município lembrados, os avisos e a manifestação não enviada. "
        "O que já foi enviado fica com a ouvidoria, sem ligação com este chat. "
        "Apago também as mensagens daqui que o Telegram deixa, as das últimas 48 horas; "
        "as mais antigas só você pode apagar, no aplicativo."
    )
    choices = [button(_("Apagar tudo"), "erase", "yes"), button(_("Não apagar"), "erase", "no")]
    await say(update, text, column(choices))


async def confirm(update: Update, context: BotContext) -> None:
    assert update.effective_chat  # a button hangs under a message of a chat
    await nod(update)
    await disarm(update)
    _ = context.translator
    if pressed(update, 2)[1] != "yes":
        await say(update, _("Está bem: nada foi apagado."))
        return
    await context.change(conversation.forget_chat, update.effective_chat.id)
    await _take_out_all(update, context)
    await say(
        update,
        _(
            "Pronto: apaguei tudo o que sabia deste chat. Ficam no Telegram as mensagens de mais de 48 horas, "
            "e com a ouvidoria o que você já enviou."
        ),
    )


async def _take_out_all(update: Update, context: BotContext) -> None:
    """Delete the chat's messages as far back as Telegram lets a bot, and as ids are likely to reach.

    No list of them is kept. Ids of all chats of the bot are counted together, and those of others are passed over.
    """
    under = update.callback_query.message if update.callback_query else None
    if under is None:
        return
    for last in range(under.message_id, max(0, under.message_id - REACH), -BATCH):
        try:
            await context.bot.delete_messages(under.chat.id, list(range(last, max(0, last - BATCH), -1)))
        except BadRequest:
            log.debug("some messages could not be deleted")


async def blocked(update: Update, context: BotContext) -> None:
    """The person blocked the bot, or came back: whoever blocks wants no more news either."""
    change = update.my_chat_member
    if change and change.new_chat_member.status in ("kicked", "left"):
        await context.change(conversation.stop_notices, change.chat.id)
