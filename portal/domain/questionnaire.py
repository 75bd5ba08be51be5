"""The complaint as an ordered list of questions, the same for every channel.

Plain data: the web renders the next question as a page or fragment, the bot as a message with buttons; neither
knows the order. Answers are JSON values under the question's id; what each looks like stands beside its check.
To add a question: add it to ``QUESTIONS``, word it in ``portal.wording.questionnaire``, and both channels ask it.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from enum import StrEnum
from typing import Any

from portal.domain.complaints import Category, ComplaintKind, Identity, IdentityMode
from portal.domain.errors import (
    AnswerMissing,
    IdentityMissing,
    MomentInFuture,
    UnknownOption,
    UnreadableEmail,
    UnreadableMoment,
    UnreadablePosition,
)
from portal.domain.geo import is_position
from portal.domain.said_vehicles import read_vehicle
from portal.domain.texts import clean_line, clean_text, within

Answers = Mapping[str, Any]
"""JSON values by question id; a question that was asked and skipped has the value of ``skipped``."""
Raw = str | Mapping[str, str]
"""What arrived: the fields of a form, or the text of a message or the id of a button."""

STORY_LIMIT = 4000
LINE_LIMIT = 300


class Kind(StrEnum):
    CHOICE = "choice"
    VEHICLE = "vehicle"
    PLACE = "place"
    MOMENT = "moment"
    TEXT = "text"
    FILES = "files"
    PICK = "pick"
    """One of the question's own options, and nothing else."""
    IDENTITY = "identity"
    """The last page: what was answered, who sees what, send."""


@dataclass(frozen=True, slots=True)
class Circumstances:
    """Where and when the question is asked: what the check of an answer depends on."""

    zone: tzinfo
    """The municipality's own."""
    now: datetime
    categories: Sequence[Category]
    """The municipality's kinds of complaint, most used first."""


@dataclass(frozen=True, slots=True)
class Question:
    id: str
    kind: Kind
    check: Callable[["Question", Mapping[str, str], Circumstances], Any]
    options: tuple[str, ...] = ()
    """Answers of one tap; for ``what`` they are the municipality's categories: see ``options_of``."""
    applies: Callable[[Answers], bool] = lambda answers: True
    skipped: Any = None
    """The answer of a person who skips the question."""
    skippable: bool = True
    offered: Callable[[Answers], bool] = lambda answers: False
    """True where it is not asked in its turn, and can be answered from the last page all the same."""


def _category(question: Question, raw: Mapping[str, str], around: Circumstances) -> dict[str, Any]:
    """``{"category": id, "kind": one of ComplaintKind, "needs": facts that are asked for}``."""
    option = raw.get("option", "")
    if not option:
        raise AnswerMissing(question.id)
    for category in around.categories:
        if category.id == option:
            return {
                "category": option,
                "kind": str(category.kind),
                "needs": [str(fact) for fact in category.needs],
            }
    raise UnknownOption(question.id, option)


def _vehicle(question: Question, raw: Mapping[str, str], around: Circumstances) -> dict[str, str]:
    """``{"kind": "typed", "text", "as"}`` as typed, ``{"kind": "line", "code"}`` of an itinerary, or
    ``{"kind": "unknown" | "none"}``.

    Whatever is typed is taken; ``as`` is what it reads as, a ``SaidVehicle``, with the ``pattern`` of part of a plate.
    """
    if option := _option(question, raw):
        return {"kind": option}
    if line := clean_line(raw.get("line", "")):
        return {"kind": "line", "code": within(line, LINE_LIMIT)}
    text = within(clean_line(raw.get("text", "")), LINE_LIMIT)
    if not text:
        raise AnswerMissing(question.id)
    said, pattern = read_vehicle(text)
    read = {"kind": "typed", "text": text, "as": str(said)}
    return {**read, "pattern": pattern} if pattern else read


def _place(question: Question, raw: Mapping[str, str], around: Circumstances) -> dict[str, Any]:
    """``{"kind": "stop", "code"}``, ``{"kind": "typed", "text"}``, ``{"kind": "position", "latitude", "longitude"}``
    in degrees, or ``{"kind": "unknown"}``."""
    if option := _option(question, raw):
        return {"kind": option}
    if code := clean_line(raw.get("stop", "")):
        return {"kind": "stop", "code": code}
    if raw.get("latitude") or raw.get("longitude"):
        return {"kind": "position", **_position(raw.get("latitude", ""), raw.get("longitude", ""))}
    text = clean_line(raw.get("text", ""))
    if not text:
        raise AnswerMissing(question.id)
    return {"kind": "typed", "text": within(text, LINE_LIMIT)}


def _position(latitude: str, longitude: str) -> dict[str, float]:
    try:
        north, east = float(latitude.replace(",", ".")), float(longitude.replace(",", "."))
    except ValueError:
        raise UnreadablePosition(f"{latitude[:40]} {longitude[:40]}") from None
    if not is_position(north, east):
        raise UnreadablePosition(f"{latitude[:40]} {longitude[:40]}")
    return {"latitude": round(north, 5), "longitude": round(east, 5)}  # a metre is near enough


def _moment(question: Question, raw: Mapping[str, str], around: Circumstances) -> dict[str, str | None]:
    """``{"kind": "at", "date": "2026-11-28", "time": "14:30" | None}`` in the municipality's zone, or ``unknown``."""
    local = around.now.astimezone(around.zone)
    option = raw.get("option", "")
    if option == "now":
        return _at(local.date(), local.time())
    if option == "unknown":
        return {"kind": "unknown"}
    if option == "today":
        text = raw.get("time", "").strip()
        return _past(local.date(), _clock_time(text) if text else None, text, local)
    if option == "earlier":
        text = raw.get("date", "").strip()
        if not text:
            raise AnswerMissing(question.id)
        hour = raw.get("time", "").strip()
        return _past(_day(text, local.date()), _clock_time(hour) if hour else None, text, local)
    if option:
        raise UnknownOption(question.id, option)
    text = clean_line(raw.get("text", ""))
    if not text:
        raise AnswerMissing(question.id)
    return _said(text, local)


_CLOCK = re.compile(r"(?<![\d/-])(\d{1,2})\s*[:hH]\s*(\d{2})?(?!\d)")
_TWELVE = re.compile(r"(?<![\d/:-])(\d{1,2})(?:[:.](\d{2}))?\s*([ap])\.?\s?m\b", re.IGNORECASE)
"""The clock of those who say 2:30 pm."""
_ISO_DAY = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_DAY = re.compile(r"(\d{1,2})/(\d{1,2})(?:/(\d{4}|\d{2}))?(?!\d)")
_DAYS_AGO = {
    "hoje": 0, "today": 0, "hoy": 0, "ontem": 1, "yesterday": 1, "ayer": 1, "anteontem": 2, "anteayer": 2,
}  # fmt: skip


def _said(text: str, local: datetime) -> dict[str, str | None]:
    """A moment in a person's words: "ontem 14h30", "28/11/2026", "14:30", "yesterday 2 pm"."""
    days_ago = next((_DAYS_AGO[word] for word in text.casefold().split() if word in _DAYS_AGO), None)
    clock = _TWELVE.search(text) or _CLOCK.search(text)
    if days_ago is not None:
        day = local.date() - timedelta(days=days_ago)
    elif _ISO_DAY.search(text) or _DAY.search(text):
        day = _day(text, local.date())
    elif clock:
        day = local.date()
    else:
        raise UnreadableMoment(text)
    return _past(day, _clock_time(clock.group()) if clock else None, text, local)


def _day(text: str, today: date) -> date:
    try:
        if match := _ISO_DAY.search(text):
            day = date(*map(int, match.groups()))
        elif match := _DAY.search(text):
            year = match[3] and int(match[3]) + (2000 if len(match[3]) == 2 else 0)
            day = date(year or today.year, int(match[2]), int(match[1]))
            if not year and day > today:
                day = day.replace(year=today.year - 1)  # in January, "28/12" was last year
        else:
            raise UnreadableMoment(text)
    except ValueError:  # 31 February
        raise UnreadableMoment(text) from None
    if day.year < 2000:  # a slip of the finger: nobody complains of 1901
        raise UnreadableMoment(text)
    return day


def _clock_time(text: str) -> time:
    if (twelve := _TWELVE.fullmatch(text.strip().rstrip("."))) and 1 <= int(twelve[1]) <= 12:
        hour = int(twelve[1]) % 12 + (12 if twelve[3] in "pP" else 0)
        text = f"{hour}:{twelve[2] or '00'}"
    match = _CLOCK.fullmatch(text.strip()) or re.fullmatch(r"(\d{1,2}):(\d{2})(?::\d{2})?", text.strip())
    try:
        if match:
            return time(int(match[1]), int(match[2] or 0))
    except ValueError:
        pass
    raise UnreadableMoment(text)


def _past(day: date, clock: time | None, text: str, local: datetime) -> dict[str, str | None]:
    if day > local.date() or (day == local.date() and clock is not None and clock > local.time()):
        raise MomentInFuture(text)
    return _at(day, clock)


def _at(day: date, clock: time | None) -> dict[str, str | None]:
    return {"kind": "at", "date": day.isoformat(), "time": clock.strftime("%H:%M") if clock else None}


def _story(question: Question, raw: Mapping[str, str], around: Circumstances) -> str | None:
    """The account, at most ``STORY_LIMIT`` characters; None when it says nothing."""
    text = clean_text(raw.get("text", ""))
    return within(text, STORY_LIMIT) or None


def _pick(question: Question, raw: Mapping[str, str], around: Circumstances) -> dict[str, str]:
    """``{"kind": one of the options}``."""
    option = raw.get("option", "")
    if not option and not raw.get("text"):
        raise AnswerMissing(question.id)
    if option not in question.options:
        raise UnknownOption(question.id, option or raw.get("text", "")[:LINE_LIMIT])
    return {"kind": option}


def _done(question: Question, raw: Mapping[str, str], around: Circumstances) -> bool:
    """True: the photos are finished with."""
    return True


def _identity(question: Question, raw: Mapping[str, str], around: Circumstances) -> Identity:
    """An ``Identity``; it is never stored as an answer, but sealed as the complaint is filed."""
    option = raw.get("option", "")
    if not option:
        raise AnswerMissing(question.id)
    if option not in question.options:
        raise UnknownOption(question.id, option)
    mode = IdentityMode(option)
    if mode is IdentityMode.ANONYMOUS:  # what may stand in the other fields is forgotten
        return Identity(mode)
    name, email, phone = (
        within(clean_line(raw.get(field, "")), LINE_LIMIT) or None for field in ("name", "email", "phone")
    )
    if email and not re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]+", email):
        raise UnreadableEmail(email)
    if not (name or email or phone):
        raise IdentityMissing
    return Identity(mode, name=name, email=email, phone=phone)


def _option(question: Question, raw: Mapping[str, str]) -> str:
    option = raw.get("option", "")
    if option and option not in question.options:
        raise UnknownOption(question.id, option)
    return option


def evidence_meter(answers: Answers, files: int) -> tuple[tuple[str, bool], ...]:
    """What helps to look into a complaint, and whether it is there: ``vehicle``, ``where``, ``when``, ``story``.

    Only what its category needs; ``story`` are the facts, in words or in a file. Nothing of it is ever required.
    """
    needs = (answers.get("what") or {}).get("needs", ())
    told = {
        "vehicle": ("vehicle", answers.get("vehicle")),
        "where": ("place", answers.get("where")),
        "when": ("time", answers.get("when")),
    }
    meter = [
        (question_id, answer is not None and answer["kind"] not in ("unknown", "none"))
        for question_id, (fact, answer) in told.items()
        if fact in needs
    ]
    return (*meter, ("story", bool(answers.get("story")) or files > 0))


def _needs(fact: str) -> Callable[[Answers], bool]:
    """Asked when the category needs the fact: a suggestion has no plate. Until a category is chosen, all are."""

    def applies(answers: Answers) -> bool:
        what = answers.get("what")
        return not what or fact in what["needs"]

    return applies


def _beside(answers: Answers) -> bool:
    """Asked where the place or the vehicle may be another government's: near a border, on a highway, between cities."""
    return any((answers.get(fact) or {}).get("beside") for fact in ("where", "vehicle"))


def _words_are_more(answers: Answers) -> bool:
    """Where two facts say what happened, words are more: they are offered. Praise without words is nothing, and
    nobody finds a lost thing without knowing what it is: there the category needs the ``story``."""
    what = answers.get("what")
    return not what or ("story" not in what["needs"] and len(what["needs"]) > 1)


_UNKNOWN = {"kind": "unknown"}

QUESTIONS: tuple[Question, ...] = (
    Question("what", Kind.CHOICE, _category, skippable=False),
    Question("vehicle", Kind.VEHICLE, _vehicle, ("unknown", "none"), _needs("vehicle"), _UNKNOWN),
    Question("where", Kind.PLACE, _place, ("unknown",), _needs("place"), _UNKNOWN),
    Question("here", Kind.PICK, _pick, ("here", "elsewhere", "between", "unknown"), _beside, _UNKNOWN),
    Question("when", Kind.MOMENT, _moment, ("now", "today", "earlier", "unknown"), _needs("time"), _UNKNOWN),
    Question("story", Kind.TEXT, _story, offered=_words_are_more),
    Question("photos", Kind.FILES, _done, ("done",), skipped=True, offered=lambda answers: True),
    # Last, so that no draft ever holds a name.
    Question("identity", Kind.IDENTITY, _identity, tuple(IdentityMode), skippable=False),
)

KIND = Question("kind", Kind.PICK, _pick, tuple(ComplaintKind), skippable=False, offered=lambda answers: True)
"""Guessed from what happened, so never asked; one tap on the last page corrects it."""

_BY_ID = {question.id: question for question in (*QUESTIONS, KIND)}


def question(question_id: str) -> Question:
    """The question of an id; raises ``UnknownOption`` for an address or button that names none."""
    if question_id not in _BY_ID:
        raise UnknownOption("question", question_id)
    return _BY_ID[question_id]


MOST_USED = (
    "rudeness", "outside_stop", "timetable", "dangerous_driving", "unauthorised_transport", "overcrowding",
    "ticket_or_price", "vehicle_condition", "harassment", "other_problem",
)  # fmt: skip
"""What people complain of most, after the volumes that big cities publish, and what nobody should have to look for."""


def options_of(asked: Question, around: Circumstances) -> tuple[str, ...]:
    """The one-tap answers of a question, in the order in which they are shown: most used first."""
    if asked.kind is not Kind.CHOICE:
        return asked.options
    ids = [category.id for category in around.categories]
    return (
        *(known for known in MOST_USED if known in ids),
        *(known for known in ids if known not in MOST_USED),
    )


def leading_options(asked: Question, around: Circumstances) -> int:
    """How many of ``options_of`` are shown at once; the rest stands behind "more"."""
    options = options_of(asked, around)
    if asked.kind is not Kind.CHOICE:
        return len(options)
    return sum(option in MOST_USED for option in options) or len(options)


def questions_for(answers: Answers) -> tuple[Question, ...]:
    """The questions this complaint is asked, given what is answered so far."""
    return tuple(question for question in QUESTIONS if question.applies(answers))


def asked_for(answers: Answers) -> tuple[Question, ...]:
    """Those of ``questions_for`` that are asked in their turn; the others are offered on the last page."""
    return tuple(question for question in questions_for(answers) if not question.offered(answers))


def next_question(answers: Answers) -> Question:
    """The first question without an answer; ``identity`` at the end, as its answer is never kept."""
    return next(question for question in asked_for(answers) if question.id not in answers)


def can_go_to(answers: Answers, question_id: str) -> bool:
    """Whether a question may be asked now: it was answered, or it is offered and nothing before the last is open."""
    if question_id == KIND.id:
        return "what" in answers
    one = next((one for one in questions_for(answers) if one.id == question_id), None)
    if one is None:
        return False
    at_the_end = next_question(answers).kind is Kind.IDENTITY
    return (
        one.id in answers
        or (at_the_end and one.offered(answers))
        or (at_the_end and one.kind is Kind.IDENTITY)
    )


def previous_question(answers: Answers, current: Question) -> Question | None:
    """The question before ``current``, for one that is offered the last page; None before the first."""
    if current.offered(answers):
        return next_question(answers)
    asked = asked_for(answers)
    position = next((i for i, question in enumerate(asked) if question.id == current.id), 0)
    return asked[position - 1] if position else None


def progress(answers: Answers, current: Question) -> tuple[int, int]:
    """Which step of how many ``current`` is: ``(3, 5)``."""
    ids = [question.id for question in asked_for(answers)]
    return (ids.index(current.id) + 1 if current.id in ids else len(ids), len(ids))


def parse_answer(asked: Question, raw: Raw, around: Circumstances) -> Any:
    """The answer as it is kept, read from what arrived.

    A bare string is a button's id if it names an option, otherwise typed text.
    Raises a ``PortalError`` that says what to mend: ``AnswerMissing``, ``UnknownOption``, ``TextTooLong``,
    ``UnreadableMoment``, ``MomentInFuture``, ``UnreadablePosition``, ``UnreadableEmail``, ``IdentityMissing``.
    """
    if isinstance(raw, str):
        raw = {"option": raw} if raw in options_of(asked, around) else {"text": raw}
    if asked.kind is Kind.CHOICE and not raw.get("option") and raw.get("text"):
        raise UnknownOption(asked.id, clean_line(raw["text"])[:LINE_LIMIT])
    return asked.check(asked, raw, around)


def with_answer(answers: Answers, asked: Question, value: Any) -> dict[str, Any]:
    """The answers with one more, without those that no longer apply. The kind corrects what was guessed."""
    if asked.id == KIND.id:
        return {**answers, "what": {**answers["what"], "kind": value["kind"]}}
    merged = {**answers, asked.id: value}
    applicable = {question.id for question in questions_for(merged)}
    return {question_id: kept for question_id, kept in merged.items() if question_id in applicable}
