"""Photos, recordings and documents: evidence of the complaint in progress, or of a filed one in reply to the bot."""

import asyncio
from collections.abc import Awaitable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TypeVar

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, Message, ReplyParameters, Update
from telegram.error import BadRequest, InvalidToken, NetworkError

from bot import questions
from bot.context import MORE_OF_ALBUM, AlreadyDone, BotContext
from bot.drafts import ask, read_draft, show
from bot.handlers import cards, tracking, verification
from bot.keyboards import button, column, pressed
from bot.replies import disarm, edit_buttons, nod, say
from bot.towns import town_buttons
from portal import clock
from portal.config import settings
from portal.domain.errors import FileRefused, PortalError
from portal.domain.evidence import LARGEST_FILE, MEGABYTE, EvidenceKind
from portal.domain.lifecycle import Move
from portal.domain.plates import find_plate
from portal.domain.questionnaire import Kind, questions_for
from portal.files.reading import ReadFile, clean_name, read_file
from portal.regulations import catalogue
from portal.services.complaints import intake
from portal.services.complaints.evidence import suggestion
from portal.services.complaints.intake import Draft
from portal.services.complaints.stored_files import StoredFile, forget_unnamed, store_file
from portal.services.complaints.tracking import municipality_of, reply_with
from portal.services.messages import telegram as conversation
from portal.wording.complaints import case_sentence
from portal.wording.evidence import (
    files_kept,
    moment_offer,
    nothing_told,
    place_offer,
    sealed_for_good_sentence,
    sealed_sentence,
    too_big_for_a_case,
    too_big_for_telegram,
)
from portal.wording.problems import problem_sentence

T = TypeVar("T")

TOLD_TOO_MUCH = 20 * MEGABYTE
"""Bytes: what Telegram hands to no bot."""
REMOVE, USE = "file-out", "file-says"
"""Words of buttons: take a file out again, and answer a question with what a file said."""


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file in a message, before it is fetched."""

    file_id: str
    name: str
    size: int | None
    """Bytes, as Telegram says."""
    spoken: bool = False
    """A voice message: the account of somebody who would rather not type."""


async def photo(update: Update, context: BotContext) -> None:
    """A photo, a document or a recording: evidence of the draft; a plate in its caption is verified."""
    message = update.message
    assert message  # the filter lets only messages through
    _ = context.translator
    caption = message.caption or ""
    if asked := tracking.asked_about(update, context):
        await _add_to_case(update, context, *asked)
        return
    if context.remembered.draft is None:
        await _let_wait(update, context)
        if await cards.answer(update, context, caption):
            return
        if find_plate(caption):
            await verification.say_verdict(update, context, caption)
            return
        if MORE_OF_ALBUM.get():
            return
        await message.reply_text(
            _(
                "Guardo o arquivo se ele for de uma manifestação: escolha o município. "
                "Para uma já enviada, use /acompanhar. Para verificar o veículo, envie a placa escrita."
            ),
            reply_markup=column(town_buttons("draft-town", first=context.municipality)),
            reply_parameters=ReplyParameters(message.message_id, allow_sending_without_reply=True),
        )
        return
    if sent := _file_in(message):
        await keep_photo(update, context, sent)
    if find_plate(caption):
        await verification.say_verdict(update, context, caption)


async def _let_wait(update: Update, context: BotContext) -> None:
    """A file before any complaint waits for the one that may be begun: an album has more than a button can name."""
    assert update.effective_chat
    assert update.message
    if sent := _file_in(update.message):
        chat = update.effective_chat.id
        waiting = await context.write(conversation.keep_file, chat, asdict(sent), now=clock.now())
        context.took(files=waiting)


async def take_waiting(update: Update, context: BotContext, *others: SentFile) -> bool:
    """Keep with the draft what was sent before it was begun, and ask its question; False when nothing was."""
    assert update.effective_chat
    waiting = [SentFile(**each) for each in context.remembered.files or ()]
    waiting += [each for each in others if each not in waiting]
    if not waiting:
        return False
    await context.write(conversation.take_files, update.effective_chat.id)
    context.took(files=None)
    for number, sent in enumerate(waiting, start=1):
        MORE_OF_ALBUM.set(number < len(waiting))  # the last answers for all
        await keep_photo(update, context, sent)
    return True


async def keep_photo(update: Update, context: BotContext, sent: SentFile) -> None:
    """Fetch a file and keep it with the draft; what cannot be kept is told, and the question asked again."""
    assert context.remembered.draft  # asked by the caller
    _ = context.translator
    try:
        made = await _read(context, sent)
        if made is None:
            await _send_to_browser(update, context, sent)
            return
        stored = await _store(context, made)
        with_draft = context.change(intake.attach, context.remembered.draft, stored, now=clock.now())
        draft = await _named(with_draft, stored)
    except (NetworkError, InvalidToken):  # to the library a file that is gone is a token nobody knows
        await say(update, _("Algo deu errado aqui. Tente de novo daqui a pouco."))
        await show(update, context)
        return
    except FileRefused as problem:
        await _refuse(update, context, problem)
        return
    await _say_kept(update, context, draft, made, sent)


async def _add_to_case(
    update: Update, context: BotContext, what: str, protocol: str, asked_at: datetime
) -> None:
    """A file in reply to what the bot asked about a filed complaint; what stands under it is the message itself."""
    assert update.message
    _, caption, sent = context.translator, update.message.caption or "", _file_in(update.message)
    assert sent  # the filter lets only files through
    ticket, name, problem = tracking.ticket_of(protocol, asked_at), clean_name(sent.name), ""
    made = None
    try:
        made = await _read(context, sent)
        if made is None:
            address = f"{settings().public_url.rstrip('/')}/acompanhar"
            problem = too_big_for_a_case(name, TOLD_TOO_MUCH // MEGABYTE, address, _)
    except (NetworkError, InvalidToken):
        problem = _("Algo deu errado aqui. Tente de novo daqui a pouco.")
    except FileRefused as refused:
        problem = problem_sentence(refused, _)
    if made is None and not caption:
        await say(update, problem)
        return
    move = Move.REQUEST_REVIEW if what == "review" and not MORE_OF_ALBUM.get() else Move.REPLY
    stored = None
    if made is not None:
        town = await context.run(municipality_of, ticket, now=clock.now())
        try:
            stored = await asyncio.to_thread(store_file, made, town)
        except FileRefused as refused:
            made, problem = None, problem_sentence(refused, _)
            if not caption:
                await say(update, problem)
                return
    with_case = context.change(reply_with, ticket, move, caption, stored, now=clock.now())
    case, refusal = await _named(with_case, stored)
    if refusal:
        problem = problem_sentence(refusal, _)
    if MORE_OF_ALBUM.get() and not problem and made and made.clean:
        return
    lines = [problem] if problem else []
    if made and not made.clean and not refusal:
        lines.append(sealed_for_good_sentence(made.name, _))
    said = [*lines, files_kept(len(case.files), _), case_sentence(case, _)]
    await say(update, "\n\n".join(said), column(tracking.choices(case, context)))


async def _store(context: BotContext, made: ReadFile) -> StoredFile:
    """Put a file into the store before the transaction that names it; raises ``FileRefused``."""
    assert context.remembered.draft  # asked by the caller
    draft = await context.run(intake.read_draft, context.remembered.draft, now=clock.now())
    return await asyncio.to_thread(store_file, made, draft.municipality)


async def _named(naming: Awaitable[T], stored: StoredFile | None) -> T:
    """The answer of the service that names ``stored``; where it does not, its bytes go again."""
    try:
        answer = await naming
    except (PortalError, AlreadyDone):
        if stored is not None:
            await asyncio.to_thread(forget_unnamed, [stored])
        raise
    if stored is not None and not stored.named:
        await asyncio.to_thread(forget_unnamed, [stored])
    return answer


async def _say_kept(
    update: Update, context: BotContext, draft: Draft, made: ReadFile, sent: SentFile
) -> None:
    _ = context.translator
    if MORE_OF_ALBUM.get() and made.clean:
        return
    lines = [files_kept(len(draft.files), _)]
    if not made.clean:
        lines.append(sealed_sentence(made.name, _))
    offers = _offers(draft, made, context)
    if not sent.spoken and made.taken_at is None and made.position is None:
        lines.append(nothing_told(_))
    await say(
        update, "\n\n".join(lines), InlineKeyboardMarkup([[each] for each in offers]) if offers else None
    )
    if sent.spoken and draft.question.kind is Kind.TEXT:
        await ask(
            update,
            context,
            await context.change(intake.skip, draft.token, draft.question.id, now=clock.now()),
        )
    else:
        await ask(update, context, draft, again=True)


def _offers(draft: Draft, made: ReadFile, context: BotContext) -> list[InlineKeyboardButton]:
    """A button for each thing the file said that the person may take for an answer. It is kept nowhere else."""
    _ = context.translator
    asked = {one.id for one in questions_for(draft.answers)}
    said = suggestion(made, catalogue.municipality(draft.municipality), now=clock.now())
    offers = []
    if said.moment and "when" in asked:
        value = said.moment.strftime("%Y%m%d%H%M")
        offers.append(button(moment_offer(said.moment, _), USE, questions.tag(draft.token), "when", value))
    if said.position and "where" in asked:
        value = "{:.5f},{:.5f}".format(*said.position)
        offers.append(button(place_offer(_), USE, questions.tag(draft.token), "where", value))
    return offers


async def use(update: Update, context: BotContext) -> None:
    """The button under "the file says": its date or place becomes the answer."""
    _word, tag, question_id, value = pressed(update, 4)
    await nod(update)
    draft = await _draft_of_button(update, context, tag)
    if draft is None:
        return
    await edit_buttons(update, _others(update))
    raw = _told_answer(question_id, value)
    try:
        draft = await context.change(intake.answer, draft.token, question_id, raw, now=clock.now())
    except PortalError as problem:
        await say(update, problem_sentence(problem, context.translator))
    await ask(update, context, draft)


def _others(update: Update) -> InlineKeyboardMarkup | None:
    """The buttons of the message but the one that was pressed: a file may say both when and where."""
    query = update.callback_query
    markup = query.message.reply_markup if query and isinstance(query.message, Message) else None
    rows = markup.inline_keyboard if markup else ()
    left = [[one for one in row if query and one.callback_data != query.data] for row in rows]
    kept = [row for row in left if row]
    return InlineKeyboardMarkup(kept) if kept else None


def _told_answer(question_id: str, value: str) -> dict[str, str]:
    if question_id == "where":
        latitude, _comma, longitude = value.partition(",")
        return {"latitude": latitude, "longitude": longitude}
    try:
        moment = datetime.strptime(value, "%Y%m%d%H%M")  # noqa: DTZ007
    except ValueError:
        return {"text": value}
    return {"option": "earlier", "date": moment.date().isoformat(), "time": moment.strftime("%H:%M")}


async def remove(update: Update, context: BotContext) -> None:
    """The button that takes a file out of the draft again."""
    _word, tag, file = pressed(update, 3)
    await nod(update)
    draft = await _draft_of_button(update, context, tag)
    if draft is None:
        return
    await disarm(update)
    draft = await context.change(intake.detach, draft.token, file, now=clock.now())
    await say(update, files_kept(len(draft.files), context.translator))
    await ask(update, context, draft, again=True)


async def _draft_of_button(update: Update, context: BotContext, tag: str) -> Draft | None:
    _ = context.translator
    token = context.remembered.draft
    if token is None or questions.tag(token) != tag:
        await disarm(update)
        await say(update, _("Este botão é de uma manifestação que já foi enviada ou cancelada."))
        return None
    return await read_draft(update, context)


async def _refuse(update: Update, context: BotContext, problem: FileRefused) -> None:
    _ = context.translator
    draft = await read_draft(update, context)
    if problem.why == "too_many" and draft:
        await say(update, problem_sentence(problem, _), files_out(draft, context))
        return
    await say(update, problem_sentence(problem, _))
    if draft:
        await ask(update, context, draft, again=True)


def files_out(draft: Draft, context: BotContext) -> InlineKeyboardMarkup:
    """Each file of the draft, to be taken out."""
    _ = context.translator
    tag = questions.tag(draft.token)
    return column([
        button(_("Tirar %(name)s") % {"name": f"{number}. {file.name}"}, REMOVE, tag, file.token)
        for number, file in enumerate(draft.files, start=1)
    ])  # fmt: skip


async def _send_to_browser(update: Update, context: BotContext, sent: SentFile) -> None:
    """Too big for Telegram to hand over: a link for this one file, tied to the draft. Opening it changes nothing."""
    assert context.remembered.draft
    _ = context.translator
    draft = await read_draft(update, context)
    if draft is None:
        return
    upload = await context.change(intake.open_upload, draft.token, now=clock.now())
    base = settings().public_url.rstrip("/")
    address = f"{base}/{draft.municipality}/manifestacoes/arquivo/{upload}"
    await say(update, too_big_for_telegram(clean_name(sent.name), TOLD_TOO_MUCH // MEGABYTE, address, _))
    await ask(update, context, draft, again=True)


async def _read(context: BotContext, sent: SentFile) -> ReadFile | None:
    """The file, fetched and cleaned; None for what Telegram does not hand over. Raises ``FileRefused``."""
    if sent.size and sent.size > LARGEST_FILE:
        limit = LARGEST_FILE // MEGABYTE
        raise FileRefused(clean_name(sent.name), "too_large", limit=limit, kind=EvidenceKind.VIDEO)
    if sent.size and sent.size > TOLD_TOO_MUCH:
        return None
    content = await _download(context, sent)
    return None if content is None else await asyncio.to_thread(read_file, sent.name, content)


async def _download(context: BotContext, sent: SentFile) -> bytes | None:
    """The bytes; None when Telegram does not hand over so much."""
    try:
        file = await context.bot.get_file(sent.file_id)
    except BadRequest as refused:
        if "too big" in str(refused).lower():
            return None
        raise FileRefused(clean_name(sent.name), "unreadable") from None  # no longer kept
    return bytes(await file.download_as_bytearray())


def photo_replied_to(update: Update) -> SentFile | None:
    """The file that made the bot ask for a town: the question was a reply to it."""
    message = update.callback_query.message if update.callback_query else None
    origin = message.reply_to_message if isinstance(message, Message) else None
    return _file_in(origin) if origin else None


def _file_in(message: Message) -> SentFile | None:
    """The file in a message, whatever Telegram calls it; what it is, its content will say."""
    if message.photo:
        return SentFile(message.photo[-1].file_id, "foto.jpg", message.photo[-1].file_size)
    if voice := message.voice:
        return SentFile(voice.file_id, "voz.ogg", voice.file_size, spoken=True)
    if note := message.video_note:
        return SentFile(note.file_id, "video.mp4", note.file_size)
    for named, name in (
        (message.video, "video.mp4"),
        (message.audio, "audio"),
        (message.document, "arquivo"),
    ):
        if named:
            return SentFile(named.file_id, named.file_name or name, named.file_size)
    return None
