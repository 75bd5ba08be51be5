"""/acompanhar: protocol and key in one message; the message is taken out of the chat once it is read.

Writing to the ombudsman needs neither again, and nothing is kept for it: a button under the case asks for the
message, which is known by being a reply to what the bot asked. Telegram vouches for both, not the person.
"""

import re
from collections.abc import Callable, Coroutine
from datetime import datetime, timedelta
from typing import Any

from telegram import ForceReply, InlineKeyboardButton, InlineKeyboardMarkup, Message, Update

from bot.cases import case_text, reply_prompt, review_prompt, withdraw_question
from bot.context import BotContext
from bot.handlers import consent
from bot.keyboards import button, column, data, pressed
from bot.replies import disarm, edit_buttons, nod, say, take_out
from portal import clock
from portal.domain.access_keys import WORDS, fold, word_list
from portal.domain.complaints import Rating
from portal.domain.errors import TicketExpired, WrongPair
from portal.domain.lifecycle import Move
from portal.domain.protocols import is_protocol, read_protocol
from portal.i18n import LANGUAGES, translator
from portal.services.complaints.tracking import (
    TICKET_MINUTES,
    CaseView,
    add_message,
    issue_ticket,
    rate,
    request_review,
    withdraw,
)
from portal.services.complaints.tracking import track as find_case
from portal.services.messages import telegram as conversation
from portal.wording.complaints import case_sentence, rating_word
from portal.wording.problems import problem_sentence

_PROTOCOL = re.compile(
    r"(?<![0-9A-Za-z])[0-9A-Za-z]{4}[\s.–-]?[0-9A-Za-z]{4}[\s.–-]?[0-9A-Za-z]{4}(?![0-9A-Za-z])"
)


async def track(update: Update, context: BotContext) -> None:
    """/acompanhar 7K3M-9QXT-4B2C and six words; without them it asks for both."""
    _ = context.translator
    typed = " ".join(context.args or [])
    pair = pair_in(typed)
    if pair:
        await show_case(update, context, *pair)
    elif typed:
        await say(
            update,
            _(
                "Não achei um protocolo aí: são três grupos de quatro sinais, como 7K3M-9QXT-4B2C. Envie-o com a chave."
            ),
        )
    else:
        await say(
            update,
            _(
                "Envie numa só mensagem o protocolo e as seis palavras da chave. "
                "Depois de ler, apago a sua mensagem deste chat."
            ),
        )


async def show_case(update: Update, context: BotContext, protocol: str, key: str) -> None:
    """Show the case of a right pair; a wrong one gets the same answer whatever was wrong."""
    assert update.effective_chat  # typed in a chat
    _ = context.translator
    if not key:
        await say(update, _("Falta a chave: envie o protocolo e as seis palavras numa só mensagem."))
        return
    await take_out(update.effective_message)
    found = await context.write(find_case, protocol, key, now=clock.now())
    if isinstance(found, WrongPair):
        await say(update, problem_sentence(found, _))
        return
    await say(update, case_text(found, _), column(choices(found, context)))
    await consent.ask(update, context, found)


async def choose(update: Update, context: BotContext) -> None:
    """A button under a case that was opened with its key."""
    await nod(update)
    _ = context.translator
    _word, what, protocol = pressed(update, 3)
    # What a button carries can be made up; what hangs under the bot's own message cannot.
    if not _hangs_under(update, what, protocol):
        raise TicketExpired
    if what == "notify":
        await _notify(update, context, protocol)
    elif what in PROMPTS:
        await _ask_for_message(update, context, what, protocol)
    elif what.startswith("rate-"):
        rating = Rating(what.removeprefix("rate-"))
        await _do(
            update, context, protocol, lambda ticket, now: context.change(rate, ticket, rating, now=now)
        )
    elif what == "withdraw":
        _fresh(update)
        sure = [
            button(_("Retirar"), "case", "withdraw-yes", protocol),
            button(_("Não retirar"), "case", "withdraw-no", protocol),
        ]
        await say(update, withdraw_question(protocol, _), column(sure))
    elif what == "withdraw-yes":
        await _do(update, context, protocol, lambda ticket, now: context.change(withdraw, ticket, now=now))
    else:
        await disarm(update)


async def _notify(update: Update, context: BotContext, protocol: str) -> None:
    """Tell this chat of news from now on."""
    assert update.effective_chat  # a button hangs under a message of a chat
    await edit_buttons(update, _but_the_pressed(update))
    _ = context.translator
    begun = await context.write(conversation.subscribe, update.effective_chat.id, protocol)
    if begun:
        await say(update, _("Pronto: aviso aqui quando houver novidade. /parar encerra os avisos."))
    else:
        await say(update, _("Os avisos já estão ligados. /parar encerra os avisos."))


async def _ask_for_message(update: Update, context: BotContext, what: str, protocol: str) -> None:
    """The next text, which the person's Telegram makes a reply to this, goes to the ombudsman."""
    _fresh(update)
    await say(update, PROMPTS[what](protocol, context.translator), ForceReply())


async def _do(
    update: Update,
    context: BotContext,
    protocol: str,
    act: Callable[[str, datetime], Coroutine[Any, Any, CaseView]],
) -> None:
    """Do one thing with the case and show what became of it."""
    _fresh(update)
    now = clock.now()
    case = await act(issue_ticket(protocol, now=now), now)
    await disarm(update)
    await say(update, case_text(case, context.translator), column(choices(case, context)))


def asked_about(update: Update, context: BotContext) -> tuple[str, str, datetime] | None:
    """What the bot asked this message for (``PROMPTS``), the protocol of the case, and when; None for any other."""
    origin = update.message.reply_to_message if update.message else None
    if not (origin and origin.text and origin.from_user and origin.from_user.id == context.bot.id):
        return None
    pair = pair_in(origin.text)
    for what, prompt in PROMPTS.items():
        if pair and any(origin.text == prompt(pair[0], translator(language)) for language in LANGUAGES):
            return what, pair[0], origin.date
    return None


async def write(
    update: Update, context: BotContext, what: str, protocol: str, asked_at: datetime, text: str
) -> None:
    """Take a message to the ombudsman; a text that is refused can be written again in reply to the same."""
    ticket = ticket_of(protocol, asked_at)
    _, now = context.translator, clock.now()
    service = request_review if what == "review" else add_message
    case = await context.change(service, ticket, text, now=now)
    done = _("Enviei o pedido de revisão.") if what == "review" else _("Enviei a sua mensagem à ouvidoria.")
    await say(update, "\n\n".join([done, case_sentence(case, _)]), column(choices(case, context)))


def ticket_of(protocol: str, asked_at: datetime) -> str:
    """What opens the case whose key was asked at ``asked_at``; raises ``TicketExpired`` when that is long ago."""
    if not _recent(asked_at):
        raise TicketExpired
    return issue_ticket(protocol, now=clock.now())


PROMPTS = {"write": reply_prompt, "review": review_prompt}
"""What a button may ask a message for, and the words that ask it."""


def _hangs_under(update: Update, what: str, protocol: str) -> bool:
    """Whether the message whose button was pressed has such a button for such a case."""
    under = update.callback_query.message if update.callback_query else None
    markup = under.reply_markup if isinstance(under, Message) else None
    rows = markup.inline_keyboard if markup else ()
    return any(each.callback_data == data("case", what, protocol) for row in rows for each in row)


def _but_the_pressed(update: Update) -> InlineKeyboardMarkup | None:
    """The other buttons of the message whose button was pressed; that one has been answered."""
    query = update.callback_query
    markup = query.message.reply_markup if query and isinstance(query.message, Message) else None
    if query is None or markup is None:
        return None
    left = [each for row in markup.inline_keyboard for each in row if each.callback_data != query.data]
    return column(left) if left else None


def _fresh(update: Update) -> None:
    """A case opened too long ago is not acted on: the telephone may be in other hands by now."""
    under = update.callback_query.message if update.callback_query else None
    if not (under and _recent(under.date)):
        raise TicketExpired


def _recent(moment: datetime) -> bool:
    return clock.now() - moment <= timedelta(minutes=TICKET_MINUTES)


def pair_in(text: str) -> tuple[str, str] | None:
    """The protocol in a text and the key beside it, which may be empty; None without a protocol."""
    for match in _PROTOCOL.finditer(text):
        # A word of twelve letters may have the right check character by chance; a protocol has digits or hyphens.
        if is_protocol(match[0]) and (any(sign.isdigit() for sign in match[0]) or match[0].count("-") == 2):
            return read_protocol(match[0]), _key_in(text[: match.start()] + " \n " + text[match.end() :])
    return None


def is_key(key: str) -> bool:
    """Whether a key is made of the list's words alone; a slip in one of them makes it none."""
    known = set(word_list())
    return len(key.split()) == WORDS and all(fold(word) in known for word in key.split())


def _key_in(text: str) -> str:
    """Six words of the list that stand together; failing that, the last six of whatever is written.

    The last such six, since what comes before may be of the list too: “chave” is.
    """
    written = re.findall(r"[^\W\d_]+", text)
    known = set(word_list())
    for start in reversed(range(len(written) - WORDS + 1)):
        run = written[start : start + WORDS]
        if all(fold(word) in known for word in run):
            return " ".join(run)
    return " ".join(written[-WORDS:])


def choices(case: CaseView, context: BotContext) -> list[InlineKeyboardButton]:
    """The buttons under a case: what its author can do with it now."""
    _ = context.translator
    found = []
    if case.can_write:
        words = _("Responder à ouvidoria") if case.wants_reply else _("Escrever à ouvidoria")
        found.append(button(words, "case", "write", case.protocol))
    if case.can_rate:
        found += [
            button(rating_word(each, _), "case", f"rate-{each}", case.protocol)
            for each in Rating
            if each is not case.rating
        ]
    if Move.REQUEST_REVIEW in case.moves:
        found.append(button(_("Pedir revisão"), "case", "review", case.protocol))
    if Move.WITHDRAW in case.moves:
        found.append(button(_("Retirar a manifestação"), "case", "withdraw", case.protocol))
    if case.next_date is not None:
        found.append(button(_("Avisar-me aqui quando houver novidade"), "case", "notify", case.protocol))
    return found
