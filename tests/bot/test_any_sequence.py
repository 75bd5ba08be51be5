"""Whatever people do, in whatever order: nobody is left unanswered, nothing raises, one send is one complaint."""

import logging

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from portal.config import settings as configured
from portal.services.unit_of_work import unit_of_work
from portal.storage.complaints import ComplaintRow
from portal.storage.drafts import DraftRow
from portal.storage.outbox import OutboxRow
from portal.storage.telegram import TelegramChatRow, TelegramLaneRow, TelegramUpdateRow
from tests.bot.handlers.test_complaints import picture
from tests.bot.test_phrases import EVERY
from tests.bot.town import PLATE, SQUARE
from tests.telegram.driving import answering_at_once
from tests.telegram.world import Person, Said, World

pytestmark = pytest.mark.usefixtures("at_two", "database", "keys")

COMMANDS = (
    "inicio",
    "start",
    "verificar",
    "pontos",
    "reclamar",
    "acompanhar",
    "idioma",
    "cancelar",
    "parar",
    "apagar",
)
TEXTS = st.one_of(
    st.sampled_from([sentence for _, _, sentence in EVERY]),
    st.sampled_from(
        [
            PLATE,
            f"olha essa {PLATE} aqui",
            "BRA0000",
            "2026/0001",
            "Indaiá",
            "ontem 14h30",
            "31/02",
            "x" * 4096,
        ]
    ),
    st.sampled_from(
        [
            "linha_1 *centro* [x](y) 10.5! <b>&amp; \\ ~|{}`",
            "\ud800",
            "\u202egpj.exe",
            "a\x00b",
            " ",
            "🚂" * 2000,
        ]
    ),
    st.text(max_size=60),
)
PLACES = st.tuples(st.floats(-100, 100), st.floats(-200, 200)) | st.just(SQUARE)
STEPS = st.one_of(
    st.tuples(st.just("says"), TEXTS),
    st.tuples(
        st.just("command"),
        st.sampled_from(COMMANDS),
        st.sampled_from(["", PLATE, "s_3510500_praca", "orla", "?"]),
    ),
    st.tuples(st.just("presses"), st.integers(0, 30)),
    st.tuples(st.just("presses_twice"), st.integers(0, 30)),
    st.tuples(st.just("presses_old"), st.integers(0, 30), st.integers(0, 200)),
    st.tuples(
        st.just("presses_made_up"),
        st.text(max_size=64).filter(lambda text: 0 < len(text.encode(errors="replace")) <= 64),
    ),
    st.tuples(st.just("place"), PLACES),
    st.tuples(st.just("live"), PLACES),
    st.tuples(st.just("moves"), PLACES),
    st.tuples(st.just("edits"), TEXTS),
    st.tuples(st.just("photo"), st.sampled_from([None, PLATE, "olha"])),
    st.tuples(st.sampled_from(["sticker", "voice", "contact", "poll"])),
    st.tuples(st.just("sends"), st.integers(1, 3)),
)
ANSWERED_BY_NOTHING = {"moves"}
"""A location that nobody follows may move unseen."""


def take(person: Person, step: tuple) -> tuple[Said, ...]:
    """Do one step; what the person sees for it."""
    match step:
        case ("says", text):
            person.says(text or "?")
        case ("command", name, rest):
            person.says(f"/{name} {rest}".strip())
        case ("presses" | "presses_twice" as how, number):
            buttons = [
                (said, each)
                for said in person.messages[-3:]
                for each in said.inline
                if "callback_data" in each
            ]
            if not buttons:
                person.says("?")
            else:
                said, button = buttons[number % len(buttons)]
                person.presses_data(button["callback_data"], said)
                if how == "presses_twice":  # the same press, under a new update id
                    person.presses_data(button["callback_data"], said)
        case ("presses_old", back, number):
            old = person.messages[: max(1, len(person.messages) - back)]
            buttons = [(said, each) for said in old for each in said.inline if "callback_data" in each]
            if buttons:
                said, button = buttons[number % len(buttons)]
                person.presses_data(button["callback_data"], said)
            else:
                person.says("?")
        case ("presses_made_up", data):
            if not person.messages:
                person.says("/start")
            person.presses_data(data)
        case ("place", (latitude, longitude)):
            person.sends_location(latitude, longitude)
        case ("live", (latitude, longitude)):
            person.shares_live(latitude, longitude)
        case ("moves", (latitude, longitude)):
            if any(
                "location" in each
                for each in person.world.messages.get(person.id, ())
                if each["from"]["id"] == person.id
            ):
                person.moves(latitude, longitude)
        case ("edits", text):
            if any(
                "text" in each
                for each in person.world.messages.get(person.id, ())
                if each["from"]["id"] == person.id
            ):
                person.edits(text or "?")
            else:
                person.says("?")
        case ("sends", times):
            send(person, times)
        case ("photo", caption):
            person.sends_photo(PICTURE, caption)
        case (kind,):
            getattr(person, f"sends_{kind}")()
    return tuple(person.since)


def send(person: Person, times: int) -> None:
    """Go on with the complaint, or begin one, to its end, and press the last button so many times."""
    person.says("/reclamar")
    for _ in range(20):
        choices = {tuple(each["callback_data"].split("|")): said for said, each in shown(person)}
        by_option = {data[-1]: (data, said) for data, said in choices.items() if data[0] == "q"}
        towns = [(data, said) for data, said in choices.items() if data[0] == "draft-town"]
        pressed = by_option.get("anonymous") or by_option.get("<skip") or by_option.get("overcrowding")
        data, said = pressed or towns[0]
        for _ in range(times if data[-1] == "anonymous" else 1):
            person.presses_data("|".join(data), said)
        if data[-1] == "anonymous":
            return
    raise AssertionError("the questions have no end")


def shown(person: Person) -> list[tuple[Said, dict[str, str]]]:
    """The buttons under what was said last, each with its message."""
    return [(said, each) for said in person.since for each in said.inline if "callback_data" in each]


PICTURE = picture()


def empty() -> None:
    with unit_of_work(writes=True) as session:
        for kind in (TelegramChatRow, TelegramUpdateRow, TelegramLaneRow, OutboxRow):
            session.query(kind).delete()


def sent() -> int:
    with unit_of_work() as session:
        return session.query(ComplaintRow).count()


def test_no_sequence_of_updates_leaves_anybody_without_an_answer(caplog):
    sends: list[int] = []

    @settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
    @given(
        steps=st.lists(STEPS, min_size=1, max_size=14), language=st.sampled_from(["pt-br", "en", "es", None])
    )
    def holds(steps: list[tuple], language: str | None) -> None:
        caplog.clear()
        empty()
        world = World()
        with answering_at_once(configured(), world), caplog.at_level(logging.WARNING):
            ana = world.person("Ana", language)
            for step in steps:
                note(f"{step}")
                calls = len(world.calls)
                drafts, filed = open_drafts(), sent()
                take(ana, step)
                answers = [call.method for call in world.calls[calls:]]
                assert answers or step[0] in ANSWERED_BY_NOTHING, "nobody answered"
                if step[0] == "sends":
                    sends.append(step[1])
                    assert sent() == filed + 1, "a send, pressed however often, is one complaint"
                else:
                    assert sent() <= filed + min(1, drafts), "one send made two complaints"
        assert [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR] == []

    holds()
    assert max(sends, default=0) > 1, "no sequence sent a complaint with more than one press"


def open_drafts() -> int:
    with unit_of_work() as session:
        return session.query(DraftRow).count()
