"""/reclamar: the questionnaire of the site, one message a question; the draft is the only state there is.

A button says which draft and which question it belongs to, so that an old one, or a second tap, does no harm.
"""

from collections.abc import Mapping

from telegram import Message, ReplyParameters, Update

from bot import questions
from bot.context import BotContext
from bot.drafts import ask, read_draft, show
from bot.handlers import filing, photos, tracking, verification
from bot.keyboards import button, column, pressed
from bot.menu import emergency_numbers
from bot.phrases import meant, tells_what_happened
from bot.questions import BACK, CANCEL, CANCEL_NOW, CHANGE, MORE, SKIP, STAY, UNAUTHORISED, YESTERDAY
from bot.replies import disarm, edit_buttons, nod, note_choice, say
from bot.towns import town_buttons, town_of
from portal import clock
from portal.config import settings
from portal.domain.complaints import IdentityMode
from portal.domain.errors import DraftGone, PortalError, TextTooLong
from portal.domain.plates import find_plate
from portal.domain.questionnaire import STORY_LIMIT, Kind, Raw, options_of
from portal.regulations import catalogue
from portal.regulations.municipalities import Municipality
from portal.services.complaints import intake
from portal.services.complaints.intake import Draft, circumstances
from portal.services.messages import telegram as conversation
from portal.services.verdicts.verification import verify_permit
from portal.wording.complaints import demonstration_sentence, emergency_sentence
from portal.wording.problems import problem_sentence

CHOOSE, MOVE = "draft-town", "draft-move"
"""Words of a town's button: the town of a new draft, and another town in place of the one chosen."""


# --- Beginning ------------------------------------------------------------------------------------


async def begin(update: Update, context: BotContext) -> None:
    """/reclamar: go on with the draft of this chat, or open one."""
    if draft := await read_draft(update, context):
        _ = context.translator
        await say(update, _("Continuamos de onde você parou."))
        if not await photos.take_waiting(update, context):
            await ask(update, context, draft)
    else:
        said = _account_in(update, context)
        await _open(update, context, {"story": said} if said else {})


async def report(update: Update, context: BotContext) -> None:
    """“Denunciar transporte sem autorização”: its own door, which answers the first question."""
    if context.remembered.draft:
        await begin(update, context)
    else:
        await _open(update, context, {"what": UNAUTHORISED})


async def tell_of(update: Update, context: BotContext, category: str) -> None:
    """What happened was said in the person's own words: its kind is answered, and can be changed at the review.

    The words themselves are kept as the account, where they tell more than the kind.
    """
    if context.remembered.draft:
        await begin(update, context)
        return
    said = _account_in(update, context)
    await _open(update, context, {"what": category} | ({"story": said} if said else {}))


def _account_in(update: Update, context: BotContext) -> str | None:
    """What a message tells that opens a complaint; None for a mere request to open one."""
    text = (update.message.text or "") if update.message else ""
    if text.startswith("/"):
        text = text.partition(" ")[2]
    tells = tells_what_happened(text, context.translator.language, any_kind=True)
    return text if tells and len(text) <= STORY_LIMIT else None


async def from_verdict(update: Update, context: BotContext) -> None:
    """“Tell the ombudsman” under a verdict: town and vehicle are known already."""
    await nod(update)
    _word, ibge, asked = pressed(update, 3)
    await tell_of_vehicle(update, context, town_of(ibge) if ibge else None, asked)


async def tell_of_vehicle(update: Update, context: BotContext, town: Municipality | None, asked: str) -> None:
    """Go on with the draft or open one, with the vehicle answered where one is known."""
    prefill = {"vehicle": asked} if asked else {}
    if context.remembered.draft:
        if asked:
            await context.remember(awaits_contact=None)  # the review comes again before it
            await context.change(intake.answer, context.remembered.draft, "vehicle", asked, now=clock.now())
        await begin(update, context)
    elif town:
        await _start(update, context, town.slug, prefill)
    else:
        await _open(update, context, prefill)


async def choose_town(update: Update, context: BotContext) -> None:
    """The town whose ombudsman receives the complaint."""
    await nod(update)
    word, ibge, question_id, answer = pressed(update, 4)
    await disarm(update)
    kept = photos.photo_replied_to(update)
    prefill = {question_id: answer} if question_id else {}
    if story := await _story_so_far(update, context, word):
        prefill["story"] = story
    if word == CHOOSE and await read_draft(update, context):  # asked before that draft was opened
        if not (kept and await photos.take_waiting(update, context, kept)):
            await begin(update, context)
        return
    await _start(update, context, town_of(ibge).slug, prefill, kept)


async def _story_so_far(update: Update, context: BotContext, word: str) -> str | None:
    """What the person has told before the town was asked: in the draft of another town, or in what was replied to."""
    if word == MOVE:
        draft = await read_draft(update, context)
        return draft.answers.get("story") if draft else None
    under = update.callback_query.message if update.callback_query else None
    told = under.reply_to_message if isinstance(under, Message) else None
    return told.text if told else None


async def _open(update: Update, context: BotContext, prefill: Mapping[str, str]) -> None:
    """Ask for the town, unless one is remembered; it can be changed at the first question.

    Beside an account ``prefill`` answers at most one question, as a button carries no more; an account is in the
    message that the question of the town is a reply to.
    """
    if context.municipality:
        await _start(update, context, context.municipality, prefill)
    else:
        await _ask_town(update, context, _carried(prefill), quotes="story" in prefill)


def _carried(prefill: Mapping[str, str]) -> tuple[str, str]:
    return next(((name, value) for name, value in prefill.items() if name != "story"), ("", ""))


async def _ask_town(
    update: Update,
    context: BotContext,
    prefill: tuple[str, str],
    word: str = CHOOSE,
    *,
    quotes: bool = False,
) -> None:
    _ = context.translator
    choices = column(town_buttons(word, *prefill))
    if quotes and update.message:
        reply = ReplyParameters(update.message.message_id, allow_sending_without_reply=True)
        await update.message.reply_text(
            _("Em qual município foi?"), reply_markup=choices, reply_parameters=reply
        )
    else:
        await say(update, _("Em qual município foi?"), choices)


async def _start(
    update: Update,
    context: BotContext,
    municipality: str,
    prefill: Mapping[str, str],
    kept: photos.SentFile | None = None,
) -> None:
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
        emergency_numbers(_),
        _("A manifestação vai para a ouvidoria de %(town)s.") % {"town": f"{town.name} – {town.state}"},
        _("O Telegram sabe que você falou com este robô. Se isso preocupa, use o site: %(address)s")
        % {"address": settings().public_url},
    ]
    if settings().demonstration:
        lines.append(demonstration_sentence(_))
    if "story" in prefill:
        lines.append(_("Guardei o que você contou no relato."))
    other = column([button(_("É em outro município"), "draft-elsewhere", *_carried(prefill))])
    await say(update, "\n\n".join(lines), other)
    if not await photos.take_waiting(update, context, *([kept] if kept else ())):
        await ask(update, context, draft)


async def elsewhere(update: Update, context: BotContext) -> None:
    """Another town: the same question as at the beginning; what was answered in the first town is dropped."""
    await nod(update)
    await disarm(update)
    _word, question_id, answer = pressed(update, 3)
    await _ask_town(update, context, (question_id, answer), MOVE)


# --- Asking and answering ---------------------------------------------------------------------------


async def read(update: Update, context: BotContext, text: str) -> None:
    """A typed answer."""
    _ = context.translator
    if context.remembered.awaits_contact:
        await filing.file_with(
            update, context, filing.identity_in(text, IdentityMode(context.remembered.awaits_contact))
        )
        return
    draft = await read_draft(update, context)
    if draft is None:
        return
    wish = meant(text, _.language)
    asked = draft.question
    if asked.kind in (Kind.VEHICLE, Kind.PLACE, Kind.MOMENT) and tells_what_happened(
        text, _.language, in_a_place=asked.kind is Kind.PLACE
    ):
        await _keep_account(update, context, draft, text)
        return
    if find_plate(text):
        is_question = "?" in text or (wish is not None and wish.place in ("verify", "safety"))
        if asked.kind in (Kind.CHOICE, Kind.FILES) or (
            asked.kind in (Kind.PLACE, Kind.MOMENT) and is_question
        ):
            await verification.answer(update, context, text)
            return
        await _say_briefly(update, context, draft, text)  # and it is an answer besides
    if option := questions.typed_option(draft, text, wish, _):
        await _follow(update, context, draft, option)
    elif asked.kind in (Kind.VEHICLE, Kind.PLACE, Kind.MOMENT, Kind.TEXT):
        await _answer(update, context, draft, {"text": text})
    elif _takes_a_story(draft) and not (wish and wish.whole and wish.place in BARE_WORDS):
        await _answer(
            update, context, draft, {"text": text}, question_id="story"
        )  # words nobody had to ask for
    else:
        await say(update, _("Aqui respondo com os botões."))
        await ask(update, context, draft)


async def quotes(update: Update, context: BotContext, key: str) -> bool:
    """Whether a protocol in the text is part of an account: a story may tell of an earlier case, without its key.

    Taken for a protocol with a wrong key, the story would be deleted from the chat and lost.
    """
    if tracking.is_key(key) or not context.remembered.draft:
        return False
    draft = await read_draft(update, context)
    return draft is not None and (draft.question.kind is Kind.TEXT or _takes_a_story(draft))


async def _keep_account(update: Update, context: BotContext, draft: Draft, text: str) -> None:
    """An account where something else was asked: it is kept as one, and the question stands.

    A plate in it is verified, and is the vehicle where that is asked.
    """
    now = clock.now()
    story = "\n".join(each for each in (draft.answers.get("story"), text) if each)
    try:
        draft = await context.change(intake.answer, draft.token, "story", story, now=now)
    except TextTooLong as problem:
        await say(update, problem_sentence(problem, context.translator))
        await ask(update, context, draft)
        return
    _ = context.translator
    await say(update, _("Guardei o que você contou no relato."))
    if find_plate(text):
        await _say_briefly(update, context, draft, text)
        if draft.question.kind is Kind.VEHICLE:
            draft = await context.change(intake.answer, draft.token, "vehicle", text, now=now)
    await ask(update, context, draft)


BARE_WORDS = frozenset({"yes", "no", "skip", "back", "menu", "bye"})
"""Said alone, these tell nothing of what happened."""


def _takes_a_story(draft: Draft) -> bool:
    """Whether a text is the account, though nothing asks for it: at the last page, until there is one."""
    return draft.question.kind is Kind.IDENTITY and not draft.answers.get("story")


async def read_plate_alone(update: Update, context: BotContext, text: str) -> None:
    """A plate and nothing else gets its verdict in any state; where a vehicle is asked for it is the answer too."""
    draft = await read_draft(update, context)
    if draft is None:
        await verification.say_verdict(update, context, text)
        return
    if draft.question.kind is not Kind.VEHICLE or context.remembered.awaits_contact:
        await verification.answer(update, context, text)
        return
    await _say_briefly(update, context, draft, text)
    await _answer(update, context, draft, {"text": text})


async def _say_briefly(update: Update, context: BotContext, draft: Draft, text: str) -> None:
    """The verdict of the complaint's town on the plate in a text, in one sentence."""
    found, today = find_plate(text), catalogue.today_in(draft.municipality)
    asked = found.plate if found else text
    verdict = await context.run(verify_permit, draft.municipality, asked, on=today, now=clock.now())
    await say(update, verification.brief(verdict, context.translator))


async def located(update: Update, context: BotContext, latitude: float, longitude: float) -> bool:
    """A shared location answers the question of the place; False when that is not what is asked."""
    draft = await read_draft(update, context) if context.remembered.draft else None
    if draft is None or draft.question.kind is not Kind.PLACE:
        return False
    await _answer(update, context, draft, {"latitude": f"{latitude}", "longitude": f"{longitude}"})
    return True


async def press(update: Update, context: BotContext) -> None:
    """A button under a question."""
    _ = context.translator
    _word, tag, question_id, option = pressed(update, 4)
    token = context.remembered.draft
    if token is None or questions.tag(token) != tag:
        await nod(update, _("Este botão é de uma manifestação que já foi enviada ou cancelada."))
        await disarm(update)
        return
    draft = await read_draft(update, context)
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
        await filing.identify(update, context, draft, option)
    elif asked.kind is Kind.MOMENT and option == "earlier":
        await say(update, _("Escreva o dia e, se lembrar, a hora: “28/11 às 14h30”."))
    elif option not in (YESTERDAY, *options_of(asked, circumstances(draft.municipality, now=clock.now()))):
        await ask(update, context, draft)  # made up, or of a category that is no more
    else:
        raw: Raw = {"text": "ontem"} if option == YESTERDAY else {"option": option}
        await note_choice(update, questions.chosen_label(asked, option, _))
        await _answer(update, context, draft, raw)


async def _answer(
    update: Update, context: BotContext, draft: Draft, raw: Raw, *, question_id: str | None = None
) -> None:
    """Give one answer and ask what comes next; an answer that cannot be read is asked for again."""
    asked = question_id or draft.question.id
    try:
        following = await context.change(intake.answer, draft.token, asked, raw, now=clock.now())
    except DraftGone:
        raise
    except PortalError as problem:
        await say(update, problem_sentence(problem, context.translator))
        await ask(update, context, draft, again=True)
        return
    await ask(update, context, following, again=following.question.id == draft.question.id)


async def cancel(update: Update, context: BotContext) -> None:
    """/cancelar: out of whatever is in progress."""
    assert update.effective_chat  # a command or button of a chat
    _ = context.translator
    if tracking.asked_about(update, context):
        await say(update, _("Cancelado: a mensagem não foi enviada."))
        if context.remembered.draft:
            await show(update, context)
    elif await context.change(conversation.drop_draft, update.effective_chat.id):
        await say(update, _("Cancelado: nada foi enviado, e apaguei as respostas."))
    else:
        await say(update, _("Não há nada em andamento. Envie uma placa ou use /inicio."))
