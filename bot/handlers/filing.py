"""The last question, who complains, and sending: name and contact are never kept, they are sealed as it is filed."""

import asyncio
import re
from collections.abc import Mapping

from telegram import Update

from bot import questions
from bot.cases import send_receipt
from bot.context import BotContext
from bot.drafts import ask, read_draft
from bot.replies import note_choice, say, take_out
from portal import clock
from portal.domain.complaints import Identity, IdentityMode
from portal.domain.errors import DraftGone, IdentityMissing, PortalError, TextTooLong, UnreadableEmail
from portal.domain.questionnaire import parse_answer, question
from portal.services.complaints import intake
from portal.services.complaints.intake import Draft
from portal.services.messages import telegram as conversation
from portal.wording.complaints import contact_sentence
from portal.wording.problems import problem_sentence

_EMAIL = re.compile(r"(?<![^\s,;<>()])[^\s,;<>()@]+@[^\s,;<>()@.]+(?:\.[^\s,;<>()@.]+)+")
"""From the start of a word, and with no part that can give way to the next: a text that is no address is seen to be
none in one pass, however many signs of it look like one."""
PATIENCE = (conversation.HEAD_START / 5 * 4).total_seconds()
"""Seconds that the handler may take over a receipt before it is the worker's."""
_PHONE = re.compile(r"\+?\(?\d[\d\s().-]{6,}\d")


async def identify(update: Update, context: BotContext, draft: Draft, option: str) -> None:
    """The last choice: anonymous is filed at once; otherwise name and contact are asked for, and never kept."""
    _ = context.translator
    mode = IdentityMode(option)
    await note_choice(update, questions.chosen_label(draft.question, option, _))
    if mode is IdentityMode.ANONYMOUS:
        await file_with(update, context, {"option": option})
        return
    await context.remember(awaits_contact=str(mode))
    await say(
        update,
        "\n\n".join(
            [
                _(
                    "Escreva numa mensagem o seu nome e um contato (e-mail ou telefone). "
                    "Eu envio a manifestação, e apago a mensagem deste chat."
                ),
                contact_sentence(_),
            ]
        ),
        questions.back_or_out(draft, _),
    )


async def shared_contact(update: Update, context: BotContext) -> bool:
    """A contact card answers the question of name and contact; False when that is not what is asked."""
    contact = update.message.contact if update.message else None
    mode = context.remembered.awaits_contact
    if not (contact and mode and context.remembered.draft):
        return False
    name = " ".join(part for part in (contact.first_name, contact.last_name) if part)
    await file_with(update, context, {"option": mode, "name": name, "phone": contact.phone_number})
    return True


def identity_in(text: str, mode: IdentityMode) -> dict[str, str]:
    """Name, e-mail and telephone out of one message, in any order."""
    email, phone = _EMAIL.search(text), _PHONE.search(text)
    rest = text
    for found in (email, phone):
        if found:
            rest = rest.replace(found[0], " ")
    name = " ".join(rest.strip(" ,;-\n").split())
    return {
        "option": str(mode),
        "name": name.strip(" ,;-"),
        "email": email[0] if email else "",
        "phone": phone[0] if phone else "",
    }


async def file_with(update: Update, context: BotContext, raw: Mapping[str, str]) -> None:
    """File the complaint. Its receipt is shown after the commit; should this process stop before that, the
    outbox shows it."""
    assert update.effective_chat  # a button or message of a chat
    _ = context.translator
    draft = await read_draft(update, context)
    if draft is None:
        return
    try:
        identity: Identity = parse_answer(
            question("identity"), raw, intake.circumstances(draft.municipality, now=clock.now())
        )
        filed = await context.change(
            conversation.file_from_chat, update.effective_chat.id, identity, now=clock.now()
        )
    except DraftGone:
        raise
    except (IdentityMissing, UnreadableEmail, TextTooLong) as problem:  # written again, it will do
        await say(update, problem_sentence(problem, _), questions.back_or_out(draft, _))
        return
    except PortalError as problem:
        await context.remember(awaits_contact=None)
        await say(update, problem_sentence(problem, _))
        await ask(update, context, draft)
        return
    context.took(draft=None, awaits_contact=None)
    await _show_receipt(update, context, filed)
    if identity.mode is not IdentityMode.ANONYMOUS and update.message:
        await take_out(update.message)  # name and contact


async def _show_receipt(update: Update, context: BotContext, filed: conversation.Filed) -> None:
    """Send the receipt at once, or leave it to the outbox.

    While Telegram asks for more patience than the outbox leaves, sending is given up: the worker would send it too.
    The person gets it twice only where Telegram took the message and its answer was lost on the way.
    """
    assert update.effective_chat
    sent = send_receipt(context.bot, update.effective_chat.id, filed.receipt, context.translator)
    if filed.delivery is None:
        await sent
        return
    try:
        await asyncio.wait_for(sent, PATIENCE)
    except TimeoutError:
        return
    await context.write(conversation.receipt_delivered, filed.delivery)
