"""The ombudsman's question whether an identity may be told to somebody: asked under a case opened with its key."""

from telegram import Message, Update

from bot.context import BotContext
from bot.keyboards import button, column, pressed
from bot.replies import disarm, nod, note_choice, say
from portal import clock
from portal.domain.errors import TicketExpired
from portal.services.complaints.disclosures import State, decide, requests_of_ticket
from portal.services.complaints.tracking import TICKET_MINUTES, CaseView, issue_ticket
from portal.wording.disclosures import consent_hint, consent_question, decided_sentence

WORD = "consent"


async def ask(update: Update, context: BotContext, case: CaseView) -> None:
    """Put each request that waits for an answer to the person, with a button for yes and one for no."""
    _ = context.translator
    for request in await context.run(requests_of_ticket, case.ticket, now=clock.now()):
        if request.state is State.ASKED:
            choices = [
                button(_("Autorizo"), WORD, "yes", request.id, case.protocol),
                button(_("Não autorizo"), WORD, "no", request.id, case.protocol),
            ]
            text = f"{consent_question(request, _)}\n\n{consent_hint(_)}"
            await say(update, text, column(choices))


async def choose(update: Update, context: BotContext) -> None:
    """The person has pressed yes or no."""
    await nod(update)
    _ = context.translator
    _word, answer, number, protocol = pressed(update, 4)
    # What a button carries can be made up; what hangs under the bot's own, recent message cannot.
    if not (_hangs_here(update) and number.isdecimal()):
        raise TicketExpired
    now = clock.now()
    ticket = issue_ticket(protocol, now=now)
    decided = await context.change(decide, ticket, int(number), answer == "yes", now=now)
    await note_choice(update, _("Autorizo") if decided.state is State.GRANTED else _("Não autorizo"))
    await disarm(update)
    await say(update, decided_sentence(decided, _))


def _hangs_here(update: Update) -> bool:
    query = update.callback_query
    under = query.message if query else None
    if query is None or not isinstance(under, Message) or under.reply_markup is None:
        return False
    recent = (clock.now() - under.date).total_seconds() <= TICKET_MINUTES * 60
    return recent and any(
        each.callback_data == query.data for row in under.reply_markup.inline_keyboard for each in row
    )
