"""/idioma: the language of the conversation, first that of the person's Telegram, then the one chosen here."""

from telegram import Update

from bot import menu
from bot.context import BotContext
from bot.drafts import speak
from bot.keyboards import button, pressed, rows
from bot.replies import disarm, nod, say
from portal.i18n import LANGUAGES

NAMES = {"pt_BR": "Português", "en": "English", "es": "Español"}
"""Each in its own words, or the people who need the button cannot read it."""


async def ask(update: Update, context: BotContext) -> None:
    _ = context.translator
    choices = [button(NAMES[language], "lang", language) for language in LANGUAGES]
    await say(update, _("Em que língua falamos?"), rows(choices))


async def choose(update: Update, context: BotContext) -> None:
    wanted = pressed(update, 2)[1]
    await nod(update)
    if wanted not in LANGUAGES:
        return
    await context.remember(language=wanted)
    await disarm(update)
    _ = context.translator
    # Tradutores: say it of the language you translate into, as in “Done: I speak English.”
    done = _("Pronto: falo português.")
    if context.remembered.draft:
        await say(update, done)
        await speak(update, context)
    else:
        await say(update, done, menu.main(_))
