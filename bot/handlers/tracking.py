"""/acompanhar: protocol and key in one message; the message is taken out of the chat once it is read."""

import re

from telegram import InlineKeyboardButton, Update

from bot.cases import case_text
from bot.context import BotContext
from bot.keyboards import button, column, pressed
from bot.replies import disarm, nod, say, take_out
from portal import clock
from portal.domain.access_keys import WORDS, fold, word_list
from portal.domain.errors import WrongPair
from portal.domain.protocols import is_protocol, read_protocol
from portal.services import telegram as conversation
from portal.services.tracking import CaseView
from portal.services.tracking import track as find_case
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


async def subscribe(update: Update, context: BotContext) -> None:
    """“Tell me here of news”, under a case that was opened with its key."""
    assert update.effective_chat  # a button hangs under a message of a chat
    await nod(update)
    await disarm(update)
    _ = context.translator
    _word, _what, protocol = pressed(update, 3)
    begun = await context.write(conversation.subscribe, update.effective_chat.id, protocol)
    if begun:
        await say(update, _("Pronto: aviso aqui quando houver novidade. /parar encerra os avisos."))
    else:
        await say(update, _("Os avisos já estão ligados. /parar encerra os avisos."))


def pair_in(text: str) -> tuple[str, str] | None:
    """The protocol in a text and the key beside it, which may be empty; None without a protocol."""
    for match in _PROTOCOL.finditer(text):
        # A word of twelve letters may have the right check character by chance; a protocol has digits or hyphens.
        if is_protocol(match[0]) and (any(sign.isdigit() for sign in match[0]) or match[0].count("-") == 2):
            return read_protocol(match[0]), _key_in(text[: match.start()] + " \n " + text[match.end() :])
    return None


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
    if case.next_date is None:
        return []
    _ = context.translator
    return [button(_("Avisar-me aqui quando houver novidade"), "case", "notify", case.protocol)]
