"""What the bot cannot read, and buttons of long ago: one helpful line, never silence and never an error."""

from telegram import Update

from bot import menu
from bot.context import BotContext
from bot.drafts import show
from bot.handlers import filing
from bot.replies import nod, say


async def cannot_read(update: Update, context: BotContext) -> None:
    """A sticker, a poll, a contact, a voice note."""
    _ = context.translator
    if update.message and (update.message.voice or update.message.audio or update.message.video_note):
        line = _("Ainda não ouço áudio. Escreva, por favor, ou use os botões.")
    else:
        line = _("Isso eu não sei ler. Envie uma placa, uma localização, uma foto ou texto.")
    if context.remembered.draft:
        await say(update, line)
        await show(update, context)
    else:
        await say(update, line, menu.main(_))


async def contact(update: Update, context: BotContext) -> None:
    """A contact card: name and telephone when a complaint asks for them, nothing to read otherwise."""
    if not await filing.shared_contact(update, context):
        await cannot_read(update, context)


async def unknown_command(update: Update, context: BotContext) -> None:
    _ = context.translator
    await say(update, _("Não conheço este comando. Veja o que sei fazer:"), menu.main(_))


async def old_button(update: Update, context: BotContext) -> None:
    """A button that an older version of the bot made."""
    _ = context.translator
    await nod(update)
    await say(update, _("Este botão é de uma conversa antiga. Veja o que sei fazer:"), menu.main(_))


async def ignore(update: Update, context: BotContext) -> None:
    """Reactions, channel posts, service messages: nobody waits for an answer."""
