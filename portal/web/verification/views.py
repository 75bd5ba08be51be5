"""The look-up: one address for the page and the fragment, and the same answer as JSON."""

from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import Any

import orjson
from flask import Blueprint, Response
from werkzeug.wrappers import Response as Answer

from portal import clock
from portal.domain.errors import (
    CardUnknown,
    CodeElsewhere,
    DateOutOfReach,
    PortalError,
    UnknownService,
    UnknownStop,
    UnreadableDate,
    UnreadableQuery,
    UnreadableTime,
)
from portal.domain.plates import printable
from portal.domain.verdicts import Verdict
from portal.i18n import Translator
from portal.pages.exchange import asked
from portal.pages.fragments import render
from portal.pages.languages import current_translator
from portal.pages.spoken import Spoken
from portal.pages.towns import remembered_town
from portal.regulations import catalogue
from portal.services.itineraries.places import PlaceMatch, find_places
from portal.services.unit_of_work import reading, unit_of_work
from portal.services.verdicts.circumstances import judge_everywhere, judge_here, read_circumstances
from portal.services.verdicts.verification import ABSENT, public_day, verify_everywhere, verify_permit
from portal.web.cards.views import card_in, unrecognised
from portal.wording import reasons, verdict_card
from portal.wording import verdicts as wording
from portal.wording.citations import article_words
from portal.wording.problems import problem_sentence
from portal.wording.verdict_json import verdict_json

blueprint = Blueprint("verification", __name__)

LONGEST_ECHO = 200
"""Characters of a query that come back in the box."""

MOST_PLACES = 8
"""Places of one town that a name may mean."""

HERE = ("stop", "at", "service")
"""Parameters that say where, when and for what one would board."""

WRONG_FRAME = (UnreadableDate, DateOutOfReach, UnreadableTime, UnknownStop, UnknownService)
"""What was typed is a vehicle; the day, hour, place or service asked about is at fault."""


@blueprint.get("/verificar")
def verify_in_every_town() -> Answer:
    """The plate comes first: every town served answers, the remembered one on top."""
    query = _query()
    if not query and "q" not in asked().said:
        return _page()
    if answered := _card(query):
        return answered
    town, now = remembered_town(), clock.now()
    try:
        with reading() as session:
            verdicts = verify_everywhere(session, query, now=now, first=town.slug if town else None)
        verdicts = _judged_everywhere(verdicts, now)
    except UnreadableQuery as problem:
        return _not_a_vehicle(query, problem)
    except WRONG_FRAME as problem:
        return _page(query, problem=problem)
    told = [one for one in verdicts if one.status not in ABSENT or (town and one.municipality == town.slug)]
    return _page(query, verdicts=told, others=[one for one in verdicts if one not in told])


@blueprint.get("/<slug:municipality>/verificar")
def verify_in_town(municipality: str) -> Answer:
    """Verify a vehicle in one town: a plain GET form, which htmx merely answers faster."""
    query, day = _query(), asked().said.get("on")
    if not query and "q" not in asked().said:
        return _page(municipality=municipality)
    if answered := _card(query, municipality):
        return answered
    try:
        now = clock.now()
        on = public_day(day, municipality, now=now)
        with reading() as session:
            verdict = verify_permit(session, municipality, query, on=on, now=now)
        verdict = _judged_here(verdict, now)
    except UnreadableQuery as problem:
        return _not_a_vehicle(query, problem, municipality=municipality, day=day)
    except WRONG_FRAME as problem:
        return _page(query, municipality=municipality, day=day, problem=problem)
    return _page(query, municipality=municipality, day=day, verdicts=[verdict])


@blueprint.get("/api/v1/verify")
def verify_in_every_town_json() -> Response:
    """The answer of every town, those that know the vehicle first."""
    now = clock.now()
    with reading() as session:
        verdicts = verify_everywhere(session, _query(), now=now)
    translator = current_translator()
    return _json([verdict_json(verdict, translator) for verdict in _judged_everywhere(verdicts, now)])


@blueprint.get("/api/v1/<municipality>/verify")
def verify_in_town_json(municipality: str) -> Response:
    """One town's answer; what cannot be read is a 422, an unknown town a 404."""
    now = clock.now()
    on = public_day(asked().said.get("on"), municipality, now=now)
    with reading() as session:
        verdict = verify_permit(session, municipality, _query(), on=on, now=now)
    return _json(verdict_json(_judged_here(verdict, now), current_translator()))


def _card(query: str, municipality: str | None = None) -> Answer | None:
    """One box for everything: the text of a card's code leads to the card."""
    try:
        return card_in(query)
    except CardUnknown as problem:
        return unrecognised(problem)
    except CodeElsewhere as problem:
        return _page(query, municipality=municipality, problem=problem)


def _judged_here(verdict: Verdict, now: datetime) -> Verdict:
    """The verdict judged at the stop, hour and service of the address, where it names any."""
    said = asked().said
    if said.keys().isdisjoint(HERE):
        return verdict
    stop, at, service = (said.get(name) for name in HERE)
    here = read_circumstances(verdict.municipality, stop=stop, at=at, service=service, now=now)
    if here is None:
        return verdict
    with unit_of_work() as session:
        return judge_here(session, verdict, here)


def _judged_everywhere(verdicts: tuple[Verdict, ...], now: datetime) -> tuple[Verdict, ...]:
    stop, at, service = (asked().said.get(name) for name in HERE)
    if not (stop or at or service):
        return verdicts
    with unit_of_work() as session:
        return judge_everywhere(session, verdicts, stop=stop, at=at, service=service, now=now)


def _not_a_vehicle(
    query: str, problem: UnreadableQuery, *, municipality: str | None = None, day: str | None = None
) -> Response:
    """One box for everything: what is no plate and no number may be the name of a stop or of a place."""
    towns = [municipality] if municipality else [one.slug for one in catalogue.municipalities()]
    places: list[tuple[str, PlaceMatch]] = []
    if problem.why == "unreadable":
        with unit_of_work() as session:
            places = [
                (slug, place)
                for slug in towns
                for place in find_places(session, slug, query, limit=MOST_PLACES)
            ]
    named = [(slug, place) for slug, place in places if not place.by_slip]
    return _page(
        query,
        municipality=municipality,
        day=day,
        places=named or places,
        problem=None if named else problem,
    )


def _query() -> str:
    return printable(asked().said.get("q", ""))


def _page(
    query: str = "",
    *,
    municipality: str | None = None,
    day: str | None = None,
    verdicts: Sequence[Verdict] = (),
    others: Sequence[Verdict] = (),
    places: Sequence[tuple[str, PlaceMatch]] = (),
    problem: PortalError | None = None,
) -> Response:
    sentence = problem_sentence(problem, current_translator()) if problem else None
    said = asked().said
    return render(
        "verification/verify.html",
        fragment="answer",
        status=problem.status if problem else 200,
        frame=(municipality,),
        here=catalogue.municipality(municipality) if municipality else None,
        query=query[:LONGEST_ECHO],
        day=printable(day or "")[:40],
        verdicts=verdicts,
        others=others,
        places=places,
        problem=problem,
        sentence=sentence,
        wrong_day=isinstance(problem, WRONG_FRAME),
        kept={name: printable(said[name])[:80] for name in HERE if said.get(name)},
    )


def _json(body: Any) -> Response:
    return Response(orjson.dumps(body) + b"\n", mimetype="application/json")


def _spoken(said: Callable[..., Any]) -> Callable[..., Any]:
    """A sentence that takes the translator last, as a filter in the language of the page."""
    blueprint.add_app_template_filter(Spoken(said), said.__name__)
    return said


@_spoken
def day(value: date, _: Translator) -> str:
    """A civil date as people of this language write it."""
    return _.date(value)


@blueprint.app_template_filter()
def day_in_links(verdict: Verdict) -> date | None:
    """The day that a verdict's links carry on; None while it is the town's today, which needs no saying."""
    return None if verdict.on == catalogue.today_in(verdict.municipality) else verdict.on


@blueprint.app_template_filter()
def instrument_title(identifier: str) -> str:
    """An instrument as it calls itself, in Portuguese."""
    return catalogue.instrument(identifier).title


@_spoken
def in_town(moment: datetime, municipality: str, _: Translator) -> str:
    """An instant on the clock of a town."""
    return _.datetime(moment.astimezone(catalogue.municipality(municipality).zone))


for _said in (
    wording.verdict_sentence, wording.verdict_word, wording.state_word, wording.town_name,
    reasons.reason_sentence, reasons.check_sentence, reasons.citation, article_words,
    verdict_card.list_sentences, verdict_card.role_name, verdict_card.next_steps, verdict_card.kerb_advice,
    verdict_card.elsewhere_sentence, verdict_card.plate_question,
):  # fmt: skip
    _spoken(_said)
