"""Photos, and pictures sent as files: evidence of the complaint in progress."""

import asyncio

from telegram import Message, ReplyParameters, Update
from telegram.error import BadRequest, InvalidToken, NetworkError

from bot import questions
from bot.context import BotContext
from bot.drafts import ask, show
from bot.handlers import verification
from bot.keyboards import column
from bot.replies import say
from bot.towns import town_buttons
from portal import clock
from portal.domain.errors import PhotoRefused
from portal.domain.plates import find_plate
from portal.domain.questionnaire import Kind
from portal.files.photos import MEGABYTES, read_photo
from portal.services import intake
from portal.wording.problems import problem_sentence

TOLD_TOO_MUCH = 20 * 1024 * 1024
"""Bytes: what Telegram hands to no bot."""


async def photo(update: Update, context: BotContext) -> None:
    """A photo, or a picture sent as a file: evidence of the draft; a plate in its caption is verified."""
    message = update.message
    assert message  # the filter lets only messages through
    _ = context.translator
    caption = message.caption or ""
    if context.remembered.draft is None:
        if find_plate(caption):
            await verification.say_verdict(update, context, caption)
            return
        await message.reply_text(
            _(
                "Guardo a foto se ela for de uma manifestação: escolha o município. "
                "Para verificar o veículo, envie a placa escrita."
            ),
            reply_markup=column(town_buttons("draft-town", first=context.municipality)),
            reply_parameters=ReplyParameters(message.message_id, allow_sending_without_reply=True),
        )
        return
    if sent := _file_in(message):
        await keep_photo(update, context, *sent)
    if find_plate(caption):
        await verification.say_verdict(update, context, caption)


async def keep_photo(update: Update, context: BotContext, file_id: str, name: str, size: int | None) -> None:
    assert context.remembered.draft  # asked by the caller
    _ = context.translator
    try:
        if size and size > MEGABYTES * 1024 * 1024:
            raise PhotoRefused(name, "too_large", limit=MEGABYTES)
        content = await _download(context, file_id, name)
        made = await asyncio.to_thread(read_photo, name, content)
        draft = await context.change(intake.attach, context.remembered.draft, made, now=clock.now())
    except (NetworkError, InvalidToken):  # to the library a file that is gone is a token nobody knows
        await say(update, _("Algo deu errado aqui. Tente de novo daqui a pouco."))
        await show(update, context)
        return
    except PhotoRefused as problem:
        lines = [problem_sentence(problem, _)]
        if size and size > TOLD_TOO_MUCH:
            lines.append(_("O Telegram só me entrega arquivos de até 20 MB."))
        await say(update, "\n\n".join(lines))
        await show(update, context)
        return
    if draft.question.kind is Kind.FILES:
        await say(update, questions.photos_kept(len(draft.files), _), questions.question_buttons(draft, _))
    else:
        await say(update, questions.photos_kept(len(draft.files), _))
        await ask(update, context, draft)


async def _download(context: BotContext, file_id: str, name: str) -> bytes:
    try:
        file = await context.bot.get_file(file_id)
    except BadRequest:  # too big for a bot, or no longer kept
        raise PhotoRefused(name, "too_large", limit=MEGABYTES) from None
    return bytes(await file.download_as_bytearray())


def photo_replied_to(update: Update) -> tuple[str, str, int | None] | None:
    """The photo that made the bot ask for a town: the question was a reply to it."""
    message = update.callback_query.message if update.callback_query else None
    origin = message.reply_to_message if isinstance(message, Message) else None
    return _file_in(origin) if origin else None


def _file_in(message: Message) -> tuple[str, str, int | None] | None:
    """Telegram's id, the name and the size in bytes of the picture in a message."""
    if message.photo:
        return message.photo[-1].file_id, "foto.jpg", message.photo[-1].file_size
    if message.document:
        return message.document.file_id, message.document.file_name or "foto", message.document.file_size
    return None
