"""Saying something: plain text only, so that no character of a name is ever markup, and never too long."""

import logging
from collections.abc import Iterator

from telegram import (
    ForceReply,
    InlineKeyboardMarkup,
    Message,
    ReplyKeyboardMarkup,
    ReplyKeyboardRemove,
    Update,
)
from telegram.error import BadRequest, TelegramError

from bot.keyboards import tears

log = logging.getLogger(__name__)

MOST_UNITS = 4096
"""Telegram's limit, in UTF-16 units: an emoji counts two."""

Markup = ForceReply | InlineKeyboardMarkup | ReplyKeyboardMarkup | ReplyKeyboardRemove


async def say(update: Update, text: str, keyboard: Markup | None = None) -> Message | None:
    """Answer in the chat of ``update``, in as many messages as it takes; the buttons go under the last."""
    chat = update.effective_chat
    if chat is None:
        return None
    pages = list(split(text))
    sent = None
    for number, page in enumerate(pages, start=1):
        sent = await chat.send_message(page, reply_markup=keyboard if number == len(pages) else None)
    return sent


async def nod(update: Update, words: str | None = None) -> None:
    """Answer a pressed button, or it spins for a minute; ``words`` appear on top of the screen."""
    if update.callback_query:
        try:
            await update.callback_query.answer(words)
        except BadRequest:
            log.debug("the button was pressed too long ago to be answered")


async def disarm(update: Update) -> None:
    """Take the buttons away from the message whose button was pressed: it has been answered."""
    await edit_buttons(update, None)


async def edit_buttons(update: Update, keyboard: InlineKeyboardMarkup | None) -> None:
    """Put other buttons under the message whose button was pressed."""
    if update.callback_query and isinstance(update.callback_query.message, Message):
        try:
            await update.callback_query.edit_message_reply_markup(keyboard)
        except BadRequest:
            log.debug("the message is gone or has these buttons already")


async def note_choice(update: Update, words: str) -> None:
    """Write into the message what was pressed under it, in place of its buttons, so that the chat reads as a talk."""
    message = update.callback_query.message if update.callback_query else None
    if isinstance(message, Message) and message.text:
        try:
            await message.edit_text(f"{message.text}\n\n✓ {words}"[: MOST_UNITS // 2])
        except BadRequest:
            await disarm(update)


async def take_out(message: Message | None) -> None:
    """Delete a message of the person that nobody else should read, if Telegram lets us."""
    if message:
        try:
            await message.delete()
        except TelegramError:
            log.debug("the message cannot be deleted")


def split(text: str, most: int = MOST_UNITS) -> Iterator[str]:
    """``text`` in pieces that Telegram takes, cut at a paragraph, else a line, else a space, else between letters."""
    rest = text.strip()
    while _units(rest) > most:
        reach = _fits(rest, most)
        cut = next(
            (at for mark in ("\n\n", "\n", " ") if (at := rest.rfind(mark, reach // 2, reach)) > 0), reach
        )
        while 0 < cut < len(rest) and tears(rest, cut):
            cut -= 1
        yield rest[: cut or reach].rstrip()
        rest = rest[cut or reach :].lstrip()
    if rest:
        yield rest


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _fits(text: str, most: int) -> int:
    """How many letters from the start of ``text`` make at most ``most`` units."""
    units = 0
    for count, letter in enumerate(text):
        units += 2 if letter > "\uffff" else 1
        if units > most:
            return count
    return len(text)
