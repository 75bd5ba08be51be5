"""/reclamar: the questionnaire of the site, one message a question; the draft is the only state there is.

A button says which draft and which question it belongs to, so that an old one, or a second tap, does no harm.
"""

import asyncio
import re
from collections.abc import Mapping

from telegram import Message, ReplyParameters, Update
from telegram.error import BadRequest

from bot import questions
from bot.cases import receipt_message
from bot.context import BotContext
from bot.handlers import verification
from bot.keyboards import button, column, parts
from bot.questions import BACK, CANCEL, CANCEL_NOW, CHANGE, MORE, SKIP, STAY, YESTERDAY
from bot.replies import disarm, edit_buttons, nod, note_choice, say, take_out
from bot.towns import town_buttons, town_of
from portal import clock
from portal.config import settings
from portal.domain.complaints import Identity, IdentityMode
from portal.domain.errors import DraftGone, PhotoRefused, PortalError
from portal.domain.plates import find_plate
from portal.domain.questionnaire import Kind, Raw, parse_answer, question
from portal.files.photos import MEGABYTES, read_photo
from portal.regulations import catalogue
from portal.services import intake
from portal.services import telegram as conversation
from portal.services.intake import Draft
from portal.services.verification import verify_permit
from portal.wording.complaints import demonstration_sentence, emergency_sentence
from portal.wording.problems import problem_sentence
from portal.wording.verdicts import verdict_sentence

UNAUTHORISED = "unauthorised_transport"
TOLD_TOO_MUCH = 20 * 1024 * 1024
"""Bytes: what Telegram hands to no bot."""
_EMAIL = re.compile(r"[^\s,;<>()]+@[^\s,;<>()]+\.[^\s,;<>()]+")
_PHONE = re.compile(r"\+?\(?\d[\d\s().-]{6,}\d")


# --- Beginning ------------------------------------------------------------------------------------


async def begin(update: Update, context: BotContext) -> None:
    """/reclamar: go on with the draft of this chat, or open one."""
    if context.remembered.draft:
        await say(update, context.translator("Continuamos de onde você parou."))
        await show(update, context)
    else:
        await _open(update, context, {})


async def report(update: Update, context: BotContext) -> None:
    """“Denunciar transporte sem autorização”: its own door, which answers the first question."""
    if context.remembered.draft:
        await begin(update, context)
    else:
        await _open(update, context, {"what": UNAUTHORISED})


async def from_verdict(update: Update, context: BotContext) -> None:
    """“Tell the ombudsman” under a verdict: town and vehicle are known already."""
    await nod(update)
    _word, ibge, asked = _pressed(update, 3)
    prefill = {"vehicle": asked} if asked else {}
    if context.remembered.draft:
        if asked:
            await context.change(intake.answer, context.remembered.draft, "vehicle", asked, now=clock.now())
        await begin(update, context)
    elif ibge:
        await _start(update, context, town_of(ibge).slug, prefill)
    else:
        await _open(update, context, prefill)


async def choose_town(update: Update, context: BotContext) -> None:
    """The town whose ombudsman receives the complaint."""
    await nod(update)
    _word, ibge, question_id, answer = _pressed(update, 4)
    await disarm(update)
    kept = _photo_replied_to(update)
    await _start(update, context, town_of(ibge).slug, {question_id: answer} if question_id else {})
    if kept:
        await _keep_photo(update, context, *kept)


async def _open(update: Update, context: BotContext, prefill: Mapping[str, str]) -> None:
    """Ask for the town, unless one is remembered; it can be changed at the first question.

    ``prefill`` answers at most one question, as a button carries no more.
    """
    if context.municipality:
        await _start(update, context, context.municipality, prefill)
    else:
        await _ask_town(update, context, next(iter(prefill.items()), ("", "")))


async def _ask_town(update: Update, context: BotContext, prefill: tuple[str, str]) -> None:
    _ = context.translator
    await say(update, _("Em qual município foi?"), column(town_buttons("draft-town", *prefill)))


async def _start(update: Update, context: BotContext, municipality: str, prefill: Mapping[str, str]) -> None:
    assert update.effective_chat  # a command or button of a chat
    _ = context.translator
    draft = await context.change(
        conversation.start_draft,
        update.effective_chat.id,
        municipality=municipality,
        language=_.language,
        prefill=prefill,
        now=clock.now(),
    )
    context.took(draft=draft.token, municipality=municipality, awaits_contact=None)
    town = catalogue.municipality(municipality)
    lines = [
        emergency_sentence(_),
        _("190 polícia · 192 SAMU · 180 violência contra a mulher · 100 direitos humanos"),
        _("A manifestação vai para a ouvidoria de %(town)s.") % {"town": f"{town.name} – {town.state}"},
        _("O Telegram sabe que você falou com este robô. Se isso preocupa, use o site: %(address)s")
        % {"address": settings().public_url},
    ]
    if settings().demonstration:
        lines.append(demonstration_sentence(_))
    answered = next(iter(prefill.items()), ("", ""))
    other = column([button(_("É em outro município"), "draft-elsewhere", *answered)])
    await say(update, "\n\n".join(lines), other)
    await ask(update, context, draft)


async def elsewhere(update: Update, context: BotContext) -> None:
    """Another town: the same question as at the beginning; what was answered in the first town is dropped."""
    await nod(update)
    await disarm(update)
    _word, question_id, answer = _pressed(update, 3)
    await _ask_town(update, context, (question_id, answer))


# --- Asking and answering ---------------------------------------------------------------------------


async def show(update: Update, context: BotContext) -> None:
    """Ask the present question again."""
    if draft := await _read(update, context):
        await ask(update, context, draft)


async def speak(update: Update, context: BotContext) -> None:
    """Go on with the draft, and be answered, in the language just chosen."""
    if draft := await _read(update, context):
        language = context.translator.language
        await ask(
            update, context, await context.write(intake.set_language, draft.token, language, now=clock.now())
        )


async def ask(update: Update, context: BotContext, draft: Draft) -> None:
    _ = context.translator
    await say(update, questions.question_text(draft, _), questions.question_buttons(draft, _))


async def read(update: Update, context: BotContext, text: str) -> None:
    """A typed answer."""
    _ = context.translator
    if context.remembered.awaits_contact:
        await _file_with(update, context, _identity_in(text, IdentityMode(context.remembered.awaits_contact)))
        return
    draft = await _read(update, context)
    if draft is None:
        return
    if draft.question.kind in (Kind.VEHICLE, Kind.PLACE, Kind.MOMENT, Kind.TEXT):
        await _answer(update, context, draft, {"text": text})
    elif find_plate(text):
        await verification.answer(update, context, text)
    else:
        await say(update, _("Aqui respondo com os botões."))
        await ask(update, context, draft)


async def read_plate_alone(update: Update, context: BotContext, text: str) -> None:
    """A plate and nothing else gets its verdict in any state; where a vehicle is asked for it is the answer too."""
    draft = await _read(update, context)
    if draft is None:
        await verification.say_verdict(update, context, text)
        return
    if draft.question.kind is not Kind.VEHICLE or context.remembered.awaits_contact:
        await verification.answer(update, context, text)
        return
    zone = catalogue.municipality(draft.municipality).zone
    verdict = await context.run(
        verify_permit, draft.municipality, text, on=clock.now().astimezone(zone).date(), now=clock.now()
    )
    await say(update, verdict_sentence(verdict, context.translator))
    await _answer(update, context, draft, {"text": text})


async def located(update: Update, context: BotContext, latitude: float, longitude: float) -> bool:
    """A shared location answers the question of the place; False when that is not what is asked."""
    draft = await _read(update, context) if context.remembered.draft else None
    if draft is None or draft.question.kind is not Kind.PLACE:
        return False
    await _answer(update, context, draft, {"latitude": f"{latitude}", "longitude": f"{longitude}"})
    return True


async def press(update: Update, context: BotContext) -> None:
    """A button under a question."""
    _ = context.translator
    _word, tag, question_id, option = _pressed(update, 4)
    token = context.remembered.draft
    if token is None or questions.tag(token) != tag:
        await nod(update, _("Este botão é de uma manifestação que já foi enviada ou cancelada."))
        await disarm(update)
        return
    draft = await _read(update, context)
    if draft is None:
        await nod(update)
        return
    if draft.question.id != question_id:
        await nod(update, _("Esta pergunta já foi respondida. Use Voltar para mudar a resposta."))
        return
    await nod(update)
    await _follow(update, context, draft, option)


async def _follow(update: Update, context: BotContext, draft: Draft, option: str) -> None:
    _ = context.translator
    asked = draft.question
    if option == CANCEL:
        await say(update, _("Apagar o que você respondeu? Nada foi enviado."), questions.surely(draft, _))
    elif option == CANCEL_NOW:
        await disarm(update)
        await cancel(update, context)
    elif option == STAY:
        await disarm(update)
        await ask(update, context, draft)
    elif option == MORE:
        everything = asked.kind is Kind.CHOICE
        await edit_buttons(update, questions.question_buttons(draft, _, everything=everything))
    elif option == CHANGE:
        await edit_buttons(update, questions.changes(draft, _))
    elif option.startswith(CHANGE):
        await disarm(update)
        changed = option.removeprefix(CHANGE)
        await ask(update, context, await context.change(intake.go_to, draft.token, changed, now=clock.now()))
    elif option == BACK:
        await disarm(update)
        if context.remembered.awaits_contact:
            await context.remember(awaits_contact=None)
            await ask(update, context, draft)
        else:
            await ask(update, context, await context.change(intake.go_back, draft.token, now=clock.now()))
    elif option == SKIP:
        await note_choice(update, questions.chosen_label(asked, option, _))
        await ask(update, context, await context.change(intake.skip, draft.token, asked.id, now=clock.now()))
    elif asked.kind is Kind.IDENTITY:
        await _identify(update, context, draft, option)
    elif asked.kind is Kind.MOMENT and option == "earlier":
        await say(update, _("Escreva o dia e, se lembrar, a hora: “28/11 às 14h30”."))
    else:
        raw: Raw = {"text": "ontem"} if option == YESTERDAY else {"option": option}
        await note_choice(update, questions.chosen_label(asked, option, _))
        await _answer(update, context, draft, raw)


async def _answer(update: Update, context: BotContext, draft: Draft, raw: Raw) -> None:
    """Give one answer and ask what comes next; an answer that cannot be read is asked for again."""
    try:
        following = await context.change(intake.answer, draft.token, draft.question.id, raw, now=clock.now())
    except DraftGone:
        raise
    except PortalError as problem:
        await say(update, problem_sentence(problem, context.translator))
        await ask(update, context, draft)
        return
    await ask(update, context, following)


async def cancel(update: Update, context: BotContext) -> None:
    """/cancelar: out of whatever is in progress."""
    assert update.effective_chat  # a command or button of a chat
    _ = context.translator
    if await context.change(conversation.drop_draft, update.effective_chat.id):
        await say(update, _("Cancelado: nada foi enviado, e apaguei as respostas."))
    else:
        await say(update, _("Não há nada em andamento. Envie uma placa ou use /inicio."))


# --- Photos -----------------------------------------------------------------------------------------


async def photo(update: Update, context: BotContext) -> None:
    """A photo, or a picture sent as a file: evidence of the draft; a plate in its caption is verified."""
    message = update.message
    assert message  # the filter lets only messages through
    _ = context.translator
    caption = message.caption or ""
    if context.remembered.draft is None:
        if find_plate(caption):
            await verification.say_verdict(update, context, caption)
            return
        await message.reply_text(
            _(
                "Guardo a foto se ela for de uma manifestação: escolha o município. "
                "Para verificar o veículo, envie a placa escrita."
            ),
            reply_markup=column(town_buttons("draft-town", first=context.municipality)),
            reply_parameters=ReplyParameters(message.message_id, allow_sending_without_reply=True),
        )
        return
    if sent := _file_in(message):
        await _keep_photo(update, context, *sent)
    if find_plate(caption):
        await verification.say_verdict(update, context, caption)


async def _keep_photo(update: Update, context: BotContext, file_id: str, name: str, size: int | None) -> None:
    assert context.remembered.draft  # asked by the caller
    _ = context.translator
    try:
        if size and size > MEGABYTES * 1024 * 1024:
            raise PhotoRefused(name, "too_large", limit=MEGABYTES)
        content = await _download(context, file_id, name)
        made = await asyncio.to_thread(read_photo, name, content)
        draft = await context.change(intake.attach, context.remembered.draft, made, now=clock.now())
    except PhotoRefused as problem:
        lines = [problem_sentence(problem, _)]
        if size and size > TOLD_TOO_MUCH:
            lines.append(_("O Telegram só me entrega arquivos de até 20 MB."))
        await say(update, "\n\n".join(lines))
        await show(update, context)
        return
    if draft.question.kind is Kind.FILES:
        await say(update, questions.photos_kept(len(draft.files), _), questions.question_buttons(draft, _))
    else:
        await say(update, questions.photos_kept(len(draft.files), _))
        await ask(update, context, draft)


async def _download(context: BotContext, file_id: str, name: str) -> bytes:
    try:
        file = await context.bot.get_file(file_id)
    except BadRequest:  # too big for a bot, or no longer kept
        raise PhotoRefused(name, "too_large", limit=MEGABYTES) from None
    return bytes(await file.download_as_bytearray())


def _photo_replied_to(update: Update) -> tuple[str, str, int | None] | None:
    """The photo that made the bot ask for a town: the question was a reply to it."""
    message = update.callback_query.message if update.callback_query else None
    origin = message.reply_to_message if isinstance(message, Message) else None
    return _file_in(origin) if origin else None


def _file_in(message: Message) -> tuple[str, str, int | None] | None:
    """Telegram's id, the name and the size in bytes of the picture in a message."""
    if message.photo:
        return message.photo[-1].file_id, "foto.jpg", message.photo[-1].file_size
    if message.document:
        return message.document.file_id, message.document.file_name or "foto", message.document.file_size
    return None


# --- Sending ----------------------------------------------------------------------------------------


async def _identify(update: Update, context: BotContext, draft: Draft, option: str) -> None:
    """The last choice: anonymous is filed at once; otherwise name and contact are asked for, and never kept."""
    _ = context.translator
    mode = IdentityMode(option)
    await note_choice(update, questions.chosen_label(draft.question, option, _))
    if mode is IdentityMode.ANONYMOUS:
        await _file_with(update, context, {"option": option})
        return
    await context.remember(awaits_contact=str(mode))
    await say(
        update,
        _(
            "Escreva numa mensagem o seu nome e um contato (e-mail ou telefone). "
            "Eu envio a manifestação, e apago a mensagem deste chat."
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
    await _file_with(update, context, {"option": mode, "name": name, "phone": contact.phone_number})
    return True


def _identity_in(text: str, mode: IdentityMode) -> dict[str, str]:
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


async def _file_with(update: Update, context: BotContext, raw: Mapping[str, str]) -> None:
    """File the complaint. Its receipt is shown after the commit; should this process stop before that, the
    outbox shows it."""
    assert update.effective_chat  # a button or message of a chat
    _ = context.translator
    draft = await _read(update, context)
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
    except PortalError as problem:
        await say(update, problem_sentence(problem, _))
        await ask(update, context, draft)
        return
    context.took(draft=None, awaits_contact=None)
    await say(update, receipt_message(filed.receipt, _))
    if filed.delivery is not None:
        await context.write(conversation.receipt_delivered, filed.delivery)
    if identity.mode is not IdentityMode.ANONYMOUS and update.message:
        await take_out(update.message)  # name and contact


async def _read(update: Update, context: BotContext) -> Draft | None:
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


def _pressed(update: Update, count: int) -> list[str]:
    """The parts of what a button carries, filled up to ``count``."""
    carried = parts(update.callback_query.data if update.callback_query else None)
    return (carried + [""] * count)[:count]
