"""The ways out: /parar ends notices, /apagar erases what the bot knows of a person."""

from telegram import Update

from bot.context import BotContext
from bot.keyboards import button, column, pressed
from bot.replies import disarm, nod, say
from portal.services import telegram as conversation


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
        "As mensagens deste chat ficam no Telegram: apague a conversa no aplicativo."
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
    await say(update, _("Pronto: apaguei tudo o que sabia deste chat."))


async def blocked(update: Update, context: BotContext) -> None:
    """The person blocked the bot, or came back: whoever blocks wants no more news either."""
    change = update.my_chat_member
    if change and change.new_chat_member.status in ("kicked", "left"):
        await context.change(conversation.stop_notices, change.chat.id)
