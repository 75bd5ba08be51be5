"""From questions and answers to what a template shows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from portal.domain.complaints import ComplaintStatus, IdentityMode, Rating, Sender
from portal.domain.errors import MomentInFuture, PortalError, UnreadableEmail
from portal.domain.lifecycle import Move
from portal.domain.questionnaire import (
    KIND,
    Circumstances,
    Kind,
    Question,
    leading_options,
    options_of,
    question,
    questions_for,
)
from portal.i18n import Translator, translator
from portal.regulations.municipalities import Municipality
from portal.services.complaints.filing import FACTS
from portal.services.complaints.intake import Draft
from portal.services.complaints.tracking import CaseMessage, CaseView
from portal.wording.categories import category_label
from portal.wording.complaints import (
    VIEWERS,
    case_sentence,
    case_status_word,
    identity_word,
    kind_word,
    rating_word,
    sees,
    viewer_word,
)
from portal.wording.events import event_title
from portal.wording.evidence import files_kept
from portal.wording.questionnaire import add_label, answer_name, answer_text, option_hint, option_label

PICTOGRAMS = {
    "unauthorised_transport": "van", "outside_app": "phone", "permit_lent": "swap", "permit_not_shown": "card",
    "outside_stop": "pin", "off_route": "route", "timetable": "clock", "trip_interrupted": "hand",
    "dangerous_driving": "warning", "speeding": "speed", "alcohol_or_drugs": "bottle", "weapon": "stop",
    "crash": "crash", "overcrowding": "people", "outside_or_standing": "person", "vehicle_condition": "wrench",
    "seat_belts_and_doors": "belt", "harassment": "hand", "aggression": "warning", "rudeness": "speech",
    "discrimination": "people", "accessibility_refused": "wheelchair", "ride_refused": "barred", "smoking": "smoke",
    "noise": "sound", "cleanliness": "broom", "ticket_or_price": "money", "lost_property": "bag",
    "wrong_data": "pencil", "other_problem": "dots", "suggestion": "bulb", "praise": "heart",
}  # fmt: skip
"""The drawing beside each subject, for who cannot read its name; the words say the same."""


def choices(asked: Question, around: Circumstances, _: Translator) -> dict[str, list[tuple[str, ...]]]:
    """Value, label and hint of each one-tap answer, and of a subject its drawing: shown at once, or behind "more"."""
    options: list[tuple[str, ...]] = []
    for option in options_of(asked, around):
        drawing = (PICTOGRAMS.get(option, "dots"),) if asked.kind is Kind.CHOICE else ()
        label, hint = option_label(asked, option, _), option_hint(asked, option, _)
        options.append((option, label, hint, *drawing))
    leading = leading_options(asked, around)
    return {"leading": options[:leading], "more": options[leading:]}


def shown_values(asked: Question, answer: Any) -> dict[str, str]:
    """An earlier answer as the fields of its form."""
    if not isinstance(answer, Mapping):
        return {"text": answer} if asked.kind is Kind.TEXT and answer else {}
    match answer:
        case {"category": category}:
            return {"option": category}
        case {"kind": "at", "date": day, "time": clock}:
            return {"date": day, "time": clock or ""}
        case {"kind": "typed", "text": text}:
            return {"text": text}
    return {"option": str(answer["kind"])}


def review_rows(
    answers: Mapping[str, Any], draft: Draft | None, address: Callable[[Question], str], _: Translator
) -> list[tuple[str, str, str]]:
    """Each answer, named, in words and with the address to change it; what is only offered stands in ``offers``."""
    rows = []
    for one in questions_for(answers):
        if one.kind is Kind.IDENTITY or one.id not in answers:
            continue
        if one.offered(answers) and not answers[one.id] and one.kind is Kind.TEXT:
            continue
        if one.kind is Kind.FILES:
            if count := len(draft.files) if draft else 0:
                rows.append((answer_name(one, _), files_kept(count, _), address(one)))
        else:
            rows.append((answer_name(one, _), answer_text(one, answers[one.id], _), address(one)))
    return rows


def offers(
    answers: Mapping[str, Any], draft: Draft | None, address: Callable[[Question], str], _: Translator
) -> list[tuple[str, str, str]]:
    """What may still be added, each with its words, its address and its icon."""
    found = []
    for one in questions_for(answers):
        given = draft.files if draft and one.kind is Kind.FILES else answers.get(one.id)
        if one.offered(answers) and not given:
            found.append(
                (add_label(one, _), address(one), "camera" if one.kind is Kind.FILES else "document")
            )
    return found


def kinds(answers: Mapping[str, Any], _: Translator) -> list[tuple[str, str, bool]]:
    """The five kinds, and which one was guessed or chosen."""
    return [
        (option, option_label(KIND, option, _), option == answers["what"]["kind"]) for option in KIND.options
    ]


def identity_table(_: Translator, *modes: IdentityMode) -> list[tuple[str, list[tuple[str, str, str]]]]:
    """Who sees what: a row a viewer, with the mode, its word and the sight; all modes, or those given."""
    return [
        (
            viewer_word(viewer, _),
            [(str(mode), identity_word(mode, _), sees(viewer, mode, _)) for mode in modes or IdentityMode],
        )
        for viewer in VIEWERS
    ]


def first_field(asked: Question, problem: PortalError) -> str:
    """The id of the field that a problem's link leads to."""
    match asked.kind:
        case Kind.MOMENT:
            return "date" if not isinstance(problem, MomentInFuture) or "-" in problem.text else "time"
        case Kind.FILES:
            return "photos"
        case Kind.PICK:
            return ""
        case Kind.IDENTITY:
            return "email" if isinstance(problem, UnreadableEmail) else "option"
        case Kind.VEHICLE | Kind.PLACE | Kind.TEXT:
            return "text"
    return ""


def by_field(problems: Sequence[tuple[str, str]]) -> dict[str, str]:
    """What is wrong with each field, by its id: of several files each has its own sentence."""
    said: dict[str, str] = {}
    for field, sentence in problems:
        said[field] = f"{said[field]} {sentence}" if field in said else sentence
    return said


@dataclass(frozen=True, slots=True)
class State:
    """A case's state as a tag and a sentence; ``tag`` also knows ``overdue``."""

    tag: str
    word: str
    sentence: str


def state_of_case(case: CaseView, _: Translator) -> State:
    return State(str(case.status), case_status_word(case.status, _), case_sentence(case, _))


def ratings(_: Translator) -> list[tuple[str, str]]:
    """Each tap that says something of the answer."""
    return [(str(rating), rating_word(rating, _)) for rating in Rating]


def next_title(case: CaseView, _: Translator) -> str:
    """What the next date is the date of."""
    if case.status in (ComplaintStatus.ANSWERED, ComplaintStatus.DISMISSED):
        return _("Último dia para pedir revisão") if Move.REQUEST_REVIEW in case.moves else _("Encerramento")
    return _("Prazo da sua resposta") if case.reply_by == case.next_date else _("Prazo da resposta")


def case_timeline(case: CaseView, town: Municipality, _: Translator) -> list[dict[str, Any]]:
    """Steps, messages and files that came later, in order; the next date last."""
    told: list[tuple[datetime, dict[str, Any]]] = []
    written_in = translator(case.language).tag
    for event in case.events:
        title = event_title(event.kind, _) or case_status_word(event.status, _)
        told.append((event.at, {"title": title, "text": event.reason or "", "lang": written_in}))
    for message in case.messages:
        told.append(
            (message.at, {"title": message_title(message, _), "text": message.text, "lang": written_in})
        )
    for file in case.files:
        if file.added_at > case.filed_at:
            told.append((file.added_at, {"title": _("Você juntou um arquivo"), "text": file.name}))
    told.sort(key=lambda pair: pair[0])
    items = [{**item, "when": _.datetime(at.astimezone(town.zone))} for at, item in told]
    if items:
        items[-1]["current"] = True
    if case.next_date:
        items.append({"title": next_title(case, _), "when": _.date(case.next_date), "next": True})
    return items


def message_title(message: CaseMessage, _: Translator) -> str:
    if message.is_answer:
        return _("Resposta da ouvidoria")
    return _("Você escreveu") if message.sender is Sender.CITIZEN else _("A ouvidoria escreveu")


def case_rows(case: CaseView, _: Translator) -> list[tuple[str, str]]:
    """What was told when it was filed."""
    rows = [
        (answer_name(question("what"), _), category_label(case.category, _)),
        (_("Tipo"), kind_word(case.kind, _)),
    ]
    answers = {**case.facts, "story": case.story}
    for fact in (*FACTS, "story"):
        if answers.get(fact):
            rows.append((answer_name(question(fact), _), answer_text(question(fact), answers[fact], _)))
    rows.append((answer_name(question("identity"), _), identity_word(case.identity_mode, _)))
    return rows
