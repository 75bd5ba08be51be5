"""The code on a permit's card, sent as text, in a caption or by a link: what the page of the code says."""

from urllib.parse import urlsplit

from telegram import Update

from bot.context import BotContext
from bot.drafts import show
from bot.handlers import verification
from bot.keyboards import column
from bot.replies import say
from portal import clock
from portal.config import settings
from portal.domain.cards import CardState, looks_like_card
from portal.i18n import Translator
from portal.regulations import catalogue
from portal.sealing.cards import card_keys
from portal.services.cards.opening import OpenedCard, open_card, open_named, token_in
from portal.wording.cards import card_sentence, card_word, compare_sentence


async def verify(update: Update, context: BotContext) -> None:
    """/verificar ABC1D23, or the code of a card."""
    if not await answer(update, context, " ".join(context.args or [])):
        await verification.verify(update, context)


async def answer(update: Update, context: BotContext, text: str) -> bool:
    """Say what a card says, if its code stands in the text; raises ``CardUnknown`` and ``CodeElsewhere``."""
    if not looks_like_card(text):
        return False
    token = token_in(text, host=urlsplit(settings().public_url).netloc)
    assert token  # it looks like one
    keys = card_keys(settings().public_keys)
    await _say(update, context, await context.run(open_card, token, keys=keys, now=clock.now()))
    return True


async def follow(update: Update, context: BotContext, name: str) -> None:
    """A link from the page of a card; raises ``CardUnknown``."""
    await _say(update, context, await context.run(open_named, name, now=clock.now()))


async def _say(update: Update, context: BotContext, opened: OpenedCard) -> None:
    _ = context.translator
    town = catalogue.municipality(opened.municipality)
    await context.remember(municipality=town.slug)
    buttons = (
        verification.choices(update, context, opened.verdict, town)
        if opened.state is CardState.CURRENT
        else column([])
    )
    await say(update, _text(opened, _), buttons)
    if context.remembered.draft:
        await show(update, context)


def _text(opened: OpenedCard, _: Translator) -> str:
    if opened.state is CardState.CURRENT:
        return "\n\n".join(
            line for line in (compare_sentence(opened, _), verification.card(opened.verdict, _)) if line
        )
    lines = [card_word(opened.state, _) + ".", card_sentence(opened.state, _), compare_sentence(opened, _)]
    return "\n\n".join(line for line in lines if line)
