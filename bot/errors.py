"""One place where anything that goes wrong is told to the person, and noted without anything about them."""

import logging
import traceback

from telegram import Update
from telegram.error import BadRequest, Forbidden, NetworkError, RetryAfter

from bot import menu
from bot.context import AlreadyDone, BotContext
from bot.drafts import show
from bot.replies import nod, say
from portal.domain.errors import DraftGone, NothingHere, PortalError
from portal.i18n import Translator
from portal.services.messages import telegram as conversation
from portal.wording.problems import problem_sentence

log = logging.getLogger(__name__)


async def on_error(update: object, context: BotContext) -> None:
    """The error handler of the application."""
    error = context.error
    if not isinstance(update, Update):
        _note(error)
        return
    try:
        # The library makes a new context for an error, which knows neither the language chosen nor the draft.
        await context.refresh_data()
        _ = context.translator
        await nod(update)
        match error:
            case AlreadyDone() | DraftGone() if context.remembered.draft:
                await show(update, context)
            case AlreadyDone():
                await say(update, _("Já recebi esta mensagem. Como posso ajudar?"), menu.main(_))
            case PortalError():
                await say(update, _sentence(error, _))
                if context.remembered.draft:
                    await show(update, context)
            case Forbidden():  # blocked: whoever does so wants no more news either
                if update.effective_chat:
                    await context.write(conversation.stop_notices, update.effective_chat.id)
            case BadRequest():
                _note(error)
                await say(update, _("Algo deu errado aqui. Tente de novo daqui a pouco."))
            case RetryAfter() | NetworkError():
                log.warning("an answer could not be sent: %s", type(error).__name__)
            case _:
                _note(error)
                await say(update, _("Algo deu errado aqui. Tente de novo daqui a pouco."))
    except Exception as second:  # the apology failed too: nobody is left to tell
        _note(second)


def _sentence(error: PortalError, _: Translator) -> str:
    if isinstance(error, NothingHere):
        return _("Isso não está mais na lista. Veja a lista de agora em /pontos.")
    return problem_sentence(error, _)


def _note(error: BaseException | None) -> None:
    """Log where it happened and of which type; never its words, which may quote a person, a plate or a key."""
    if error is None:
        return
    frames = traceback.extract_tb(error.__traceback__)
    where = " < ".join(f"{frame.name}:{frame.lineno}" for frame in reversed(frames[-6:]))
    log.error("%s at %s", type(error).__name__, where)
