"""/acompanhar: protocol and key in one message; the message is taken out of the chat once it is read.

Writing to the ombudsman needs neither again, and nothing is kept for it: a button under the case asks for the
message, which is known by being a reply to what the bot asked. Telegram vouches for both, not the person.
"""

import re
from datetime import datetime, timedelta

from telegram import ForceReply, InlineKeyboardButton, InlineKeyboardMarkup, Message, Update

from bot.cases import case_text, reply_prompt
from bot.context import BotContext
from bot.handlers import consent
from bot.keyboards import button, column, data, pressed
from bot.replies import edit_buttons, nod, say, take_out
from portal import clock
from portal.domain.access_keys import WORDS, fold, word_list
from portal.domain.errors import TicketExpired, WrongPair
from portal.domain.protocols import is_protocol, read_protocol
from portal.i18n import LANGUAGES, translator
from portal.services import telegram as conversation
from portal.services.tracking import TICKET_MINUTES, CaseView, add_message, issue_ticket
from portal.services.tracking import track as find_case
from portal.wording.complaints import case_status_sentence
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
    await say(update, case_text(found, _), column(_choices(found, context)))
    await consent.ask(update, context, found)


async def choose(update: Update, context: BotContext) -> None:
    """A button under a case that was opened with its key."""
    await nod(update)
    _word, what, protocol = pressed(update, 3)
    # What a button carries can be made up; what hangs under the bot's own message cannot.
    if not _hangs_under(update, what, protocol):
        raise TicketExpired
    if what == "write":
        await _ask_for_message(update, context, protocol)
    else:
        await _notify(update, context, protocol)


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


async def _ask_for_message(update: Update, context: BotContext, protocol: str) -> None:
    """The next text, which the person's Telegram makes a reply to this, goes to the ombudsman."""
    under = update.callback_query.message if update.callback_query else None
    if not (under and _recent(under.date)):
        raise TicketExpired
    await say(update, reply_prompt(protocol, context.translator), ForceReply())


def asked_about(update: Update, context: BotContext) -> tuple[str, datetime] | None:
    """The protocol of the case on which the bot asked for this message, and when it did; None for any other."""
    origin = update.message.reply_to_message if update.message else None
    if not (origin and origin.text and origin.from_user and origin.from_user.id == context.bot.id):
        return None
    pair = pair_in(origin.text)
    if pair and any(origin.text == reply_prompt(pair[0], translator(language)) for language in LANGUAGES):
        return pair[0], origin.date
    return None


async def write(update: Update, context: BotContext, protocol: str, asked_at: datetime, text: str) -> None:
    """Take a message to the ombudsman; a text that is refused can be written again in reply to the same."""
    if not _recent(asked_at):
        raise TicketExpired
    _, now = context.translator, clock.now()
    case = await context.change(add_message, issue_ticket(protocol, now=now), text, now=now)
    told = case_status_sentence(case.status, case.next_date, _)
    await say(update, "\n\n".join([_("Enviei a sua mensagem à ouvidoria."), told]))


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


def _choices(case: CaseView, context: BotContext) -> list[InlineKeyboardButton]:
    _ = context.translator
    choices = []
    if case.can_write:
        words = _("Responder à ouvidoria") if case.wants_reply else _("Escrever à ouvidoria")
        choices.append(button(words, "case", "write", case.protocol))
    if case.next_date is not None:
        choices.append(button(_("Avisar-me aqui quando houver novidade"), "case", "notify", case.protocol))
    return choices
