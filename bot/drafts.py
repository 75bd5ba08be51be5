"""The draft of a chat: reading it, and asking the question it is at. It is the only state of a conversation."""

from telegram import Update

from bot import questions
from bot.context import BotContext
from bot.replies import say
from portal import clock
from portal.domain.errors import DraftGone
from portal.services.complaints import intake
from portal.services.complaints.intake import Draft
from portal.services.verdicts.circumstances import Place
from portal.wording.problems import problem_sentence


async def show(update: Update, context: BotContext) -> None:
    """Ask the present question again."""
    if draft := await read_draft(update, context):
        await ask(update, context, draft, again=True)


async def speak(update: Update, context: BotContext) -> None:
    """Go on with the draft, and be answered, in the language just chosen."""
    if draft := await read_draft(update, context):
        language = context.translator.language
        await ask(
            update, context, await context.write(intake.set_language, draft.token, language, now=clock.now())
        )


async def ask(update: Update, context: BotContext, draft: Draft, *, again: bool = False) -> None:
    """Ask what the draft is at; ``again`` leaves out what stands above in the chat."""
    _ = context.translator
    if not again and (before := questions.before_question(draft, _)):
        await say(update, before)
    await say(update, questions.question_text(draft, _), questions.question_buttons(draft, _))


async def read_draft(update: Update, context: BotContext) -> Draft | None:
    """The draft of this chat; when its time is over the person is told, and the chat forgets it."""
    token = context.remembered.draft
    if token is None:
        return None
    try:
        return await context.run(intake.read_draft, token, now=clock.now())
    except DraftGone as problem:
        await context.remember(draft=None, awaits_contact=None)
        await say(update, problem_sentence(problem, context.translator))
        return None


async def place_said(context: BotContext) -> Place | None:
    """Where the person said they are, in the draft of this chat; None while that is not known."""
    token = context.remembered.draft
    if token is None:
        return None
    try:
        draft = await context.run(intake.read_draft, token, now=clock.now())
    except DraftGone:
        return None
    where = draft.answers.get("where")
    return Place(draft.municipality, where) if where else None
