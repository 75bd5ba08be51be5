"""The next question as a message with buttons. What is asked and in which order stands in the domain."""

import hashlib

from rapidfuzz import fuzz
from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from bot.keyboards import button, column
from bot.phrases import SLIP_SCORE, Meant
from bot.replies import split
from portal import clock
from portal.domain.complaints import IdentityMode
from portal.domain.names import fold
from portal.domain.questionnaire import (
    KIND,
    Kind,
    Question,
    leading_options,
    options_of,
    question,
    questions_for,
)
from portal.i18n import Translator
from portal.regulations import catalogue
from portal.services.complaints.intake import Draft, circumstances
from portal.wording.complaints import VIEWERS, honest_sentence, kind_word, sees, viewer_word
from portal.wording.evidence import bystanders_sentence, cleaning_sentence, files_kept, kinds_sentence
from portal.wording.questionnaire import (
    add_label,
    answer_name,
    answer_text,
    beyond_sentences,
    meter_sentence,
    option_hint,
    option_label,
    question_hint,
    question_title,
    skip_label,
)

WORD = "q"
BACK, SKIP, MORE, YESTERDAY = "<back", "<skip", "<more", "<1day"
CANCEL, CANCEL_NOW, STAY = "<cancel", "<yes", "<no"
CHANGE = "<change"
"""Followed by the id of the question to change. Like the others, what a button carries in place of an option."""
UNAUTHORISED = "unauthorised_transport"
STORY_SHOWN = 600
"""Characters of the story that the review repeats."""


def tag(token: str) -> str:
    """Six signs by which a button says which draft it belongs to; nothing can be opened with them."""
    return hashlib.sha256(token.encode()).hexdigest()[:6]


def question_text(draft: Draft, _: Translator) -> str:
    """The question, its step and its hint; at the review all answers."""
    asked = draft.question
    step = _("%(step)s de %(steps)s") % {"step": draft.step, "steps": draft.steps}
    category = draft.answers.get("what", {}).get("category", "")
    blocks = [f"{step} · {question_title(asked, _, category=category)}"]
    match asked.kind:
        case Kind.IDENTITY:
            blocks += [
                review_text(draft, _),
                meter_sentence(draft.meter, _),
                *beyond_sentences(draft.municipality, draft.answers, _),
                question_hint(asked, _),
            ]
        case Kind.FILES:
            blocks += [
                question_hint(asked, _),
                kinds_sentence(_),
                cleaning_sentence(_),
                bystanders_sentence(_),
            ]
            if draft.files:
                blocks.append(files_kept(len(draft.files), _))
        case Kind.PLACE:
            blocks += [question_hint(asked, _), _("Ou envie a localização pelo clipe 📎.")]
        case Kind.MOMENT:
            blocks += [
                question_hint(asked, _),
                _("Você também pode escrever, como em “ontem 14h30” ou “28/11”."),
            ]
        case _kind:
            blocks.append(question_hint(asked, _, category=category))
    return "\n\n".join(block for block in blocks if block)


def before_question(draft: Draft, _: Translator) -> str | None:
    """What is read once before a question, in a message of its own: before the review, who sees what."""
    if draft.question.kind is not Kind.IDENTITY:
        return None
    return "\n\n".join([_("Antes de enviar: quem vê o quê."), *identities(_), honest_sentence(_)])


def question_buttons(draft: Draft, _: Translator, *, everything: bool = False) -> InlineKeyboardMarkup:
    """One button an option, then the ways back, past and out."""
    asked = draft.question
    lines = [[each] for each in _options(draft, _, everything=everything)]
    ways = []
    if draft.can_go_back:
        ways.append(_way(draft, BACK, _("‹ Voltar")))
    if asked.skippable and asked.kind is not Kind.FILES:
        ways.append(_way(draft, SKIP, skip_label(asked, _)))
    ways.append(_way(draft, CANCEL, _("Cancelar")))
    return InlineKeyboardMarkup([*lines, ways])


def changes(draft: Draft, _: Translator) -> InlineKeyboardMarkup:
    """At the review: which answer to change."""
    asked = [each for each in (*questions_for(draft.answers), KIND) if each.kind is not Kind.IDENTITY]
    return column(
        [
            *(
                button(answer_name(each, _), WORD, tag(draft.token), draft.question.id, CHANGE + each.id)
                for each in asked
                if each.id in draft.answers or each is KIND
            ),
            _way(draft, MORE, _("Nada a mudar")),
        ]
    )


def back_or_out(draft: Draft, _: Translator) -> InlineKeyboardMarkup:
    """While name and contact are awaited: back to the choice, or out."""
    return InlineKeyboardMarkup([[_way(draft, BACK, _("‹ Voltar")), _way(draft, CANCEL, _("Cancelar"))]])


def surely(draft: Draft, _: Translator) -> InlineKeyboardMarkup:
    """The second thought before a draft is thrown away."""
    return column([_way(draft, CANCEL_NOW, _("Apagar")), _way(draft, STAY, _("Continuar"))])


def review_text(draft: Draft, _: Translator) -> str:
    """Every answer, and the town whose ombudsman receives it."""
    town = catalogue.municipality(draft.municipality)
    lines = [_("Para a ouvidoria de %(town)s") % {"town": f"{town.name} – {town.state}"}]
    for each in questions_for(draft.answers):
        if each.kind is Kind.IDENTITY or (each.offered(draft.answers) and not _given(draft, each)):
            continue
        if each.kind is Kind.FILES:
            said = files_kept(len(draft.files), _)
        else:
            said = answer_text(each, draft.answers.get(each.id), _)
        if len(said) > STORY_SHOWN:
            said = next(split(said, STORY_SHOWN)) + "…"
        lines.append(f"{answer_name(each, _)}\n{said}")
    lines.append(f"{answer_name(KIND, _)}\n{kind_word(draft.answers['what']['kind'], _)}")
    return "\n\n".join(lines)


def chosen_label(question: Question, option: str, _: Translator) -> str:
    """What a pressed button said, to be written into the message it stood under."""
    if option == SKIP:
        return skip_label(question, _)
    if option == YESTERDAY:
        return _("Ontem")
    return option_label(question, option, _)


def typed_option(draft: Draft, text: str, wish: Meant | None, _: Translator) -> str | None:
    """The button that a typed text stands for, as "back", "skip" or the words of an option; None for an answer.

    A way out works in every step, but only when nothing else is said: an account may hold any of these words.
    """
    asked = draft.question
    place = wish.place if wish else ""
    if wish and wish.whole:
        match place:
            case "cancel":
                return CANCEL
            case "back" if draft.can_go_back:
                return BACK
            case "skip" | "no" if asked.kind is Kind.FILES:
                return "done"
            case "skip" | "no" if asked.skippable:
                return SKIP
            case "yes" | "skip" if asked.kind is Kind.FILES:
                return next(iter(asked.options))
    if asked.kind is Kind.TEXT:
        return None
    typed = fold(text)
    for option in options_of(asked, circumstances(draft.municipality, now=clock.now())):
        if typed and fuzz.ratio(typed, fold(option_label(asked, option, _))) >= SLIP_SCORE:
            return option
    if asked.kind is Kind.CHOICE:
        word, _colon, category = place.partition(":")
        if word == "report":
            category = UNAUTHORISED
        elif word != "complain":  # "timetable" alone asks for one; the kind of complaint has its own name
            return None
        known = options_of(asked, circumstances(draft.municipality, now=clock.now()))
        return category if category in known else None
    return None


def _options(draft: Draft, _: Translator, *, everything: bool) -> list[InlineKeyboardButton]:
    asked, around = draft.question, circumstances(draft.municipality, now=clock.now())
    options = options_of(asked, around)
    if asked.kind is Kind.FILES and not draft.files:
        return [_way(draft, SKIP, skip_label(asked, _))]
    shown = options if everything else options[: leading_options(asked, around)]
    made = [_way(draft, option, option_label(asked, option, _)) for option in shown]
    if asked.kind is Kind.MOMENT:
        made.insert(2, _way(draft, YESTERDAY, _("Ontem")))
    if asked.kind is Kind.IDENTITY:
        made += [
            _way(draft, CHANGE + each.id, add_label(each, _))
            for each in questions_for(draft.answers)
            if each.offered(draft.answers) and not _given(draft, each)
        ]
        made.append(_way(draft, CHANGE, _("Mudar uma resposta")))
    if len(shown) < len(options):
        made.append(_way(draft, MORE, _("Mais opções")))
    return made


def _given(draft: Draft, one: Question) -> bool:
    return bool(draft.files if one.kind is Kind.FILES else draft.answers.get(one.id))


def _way(draft: Draft, option: str, words: str) -> InlineKeyboardButton:
    return button(words, WORD, tag(draft.token), draft.question.id, option)


def identities(_: Translator) -> list[str]:
    """Who sees what: the table of the site as lines; what no choice changes is said once."""
    asked = question("identity")
    viewers = (*VIEWERS, "telegram")
    same = [viewer for viewer in viewers if len({sees(viewer, mode, _) for mode in IdentityMode}) == 1]
    blocks = []
    for mode in IdentityMode:
        lines = [f"{option_label(asked, mode, _)} – {option_hint(asked, mode, _)}"]
        lines += [_line(viewer, mode, _) for viewer in viewers if viewer not in same]
        blocks.append("\n".join(lines))
    always = [_line(viewer, IdentityMode.ANONYMOUS, _) for viewer in same]
    return [*blocks, "\n".join([_("Em qualquer das formas:"), *always])]


def _line(viewer: str, mode: IdentityMode, _: Translator) -> str:
    return f"• {viewer_word(viewer, _)}: {sees(viewer, mode, _)}"
