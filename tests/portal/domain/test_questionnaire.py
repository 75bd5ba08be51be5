from datetime import UTC, datetime
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest

from portal.domain.complaints import IdentityMode
from portal.domain.errors import (
    AnswerMissing,
    IdentityMissing,
    MomentInFuture,
    TextTooLong,
    UnknownOption,
    UnreadableEmail,
    UnreadableMoment,
    UnreadablePosition,
)
from portal.domain.questionnaire import (
    QUESTIONS,
    Circumstances,
    next_question,
    options_of,
    parse_answer,
    previous_question,
    progress,
    question,
    with_answer,
)


def category(name, kind="denuncia", needs=("vehicle", "place", "time")):
    return SimpleNamespace(id=name, kind=kind, needs=needs, fast_lane=False, unauthorised=False)


HERE = Circumstances(
    zone=ZoneInfo("America/Cuiaba"),
    now=datetime(2026, 12, 1, 2, 30, tzinfo=UTC),  # 22:30 of 30 November there
    categories=(
        category("speeding"), category("lost_property", "solicitacao", ("vehicle", "time")),
        category("suggestion", "sugestao", ()), category("rudeness"),
    ),
)  # fmt: skip


def read(question_id, raw):
    return parse_answer(question(question_id), raw, HERE)


class TestTheOrder:
    def test_identity_comes_last_and_is_never_answered(self):
        answers = {}
        asked = []
        while next_question(answers).id != "identity":
            current = next_question(answers)
            asked.append(current.id)
            answers = with_answer(
                answers, current, read("what", "speeding") if current.id == "what" else None
            )
        assert asked == ["what", "vehicle", "where", "when"]
        assert QUESTIONS[-1].id == "identity"

    def test_a_suggestion_has_neither_plate_nor_place_nor_moment(self):
        answers = with_answer({}, question("what"), read("what", "suggestion"))
        assert next_question(answers).id == "story"
        assert progress(answers, next_question(answers)) == (2, 3)

    def test_goes_back_over_what_was_not_asked(self):
        answers = with_answer({}, question("what"), read("what", "suggestion"))
        assert previous_question(answers, question("story")).id == "what"
        assert previous_question(answers, question("what")) is None

    def test_a_change_drops_what_no_longer_applies(self):
        answers = {"what": read("what", "speeding"), "vehicle": {"kind": "none"}}
        changed = with_answer(answers, question("what"), read("what", "suggestion"))
        assert set(changed) == {"what"}

    def test_what_people_complain_of_most_comes_first(self):
        assert options_of(question("what"), HERE) == ("rudeness", "speeding", "lost_property", "suggestion")

    def test_an_option_of_another_town_is_refused(self):
        with pytest.raises(UnknownOption):
            read("what", "noise")


class TestTheVehicle:
    @pytest.mark.parametrize(
        ("typed", "said"),
        [
            ("ABC1D23", "plate"), ("abc-1d23", "plate"), ("ABC 1234", "plate"), ("AB 123 CD", "foreign"),
            ("ABCD 123", "foreign"), ("sem placa", "description"), ("2026/0001", "permit"),
            ("trenzinho azul com 3 vagões", "description"),
        ],
    )  # fmt: skip
    def test_anything_typed_is_taken(self, typed, said):
        assert read("vehicle", {"text": typed}) == {"kind": "typed", "text": typed, "as": said}

    @pytest.mark.parametrize(
        ("typed", "pattern"),
        [
            ("ABC então algo 23", "ABC*23"), ("ABC then something 23", "ABC*23"), ("abc?23?", "ABC?23?"),
            ("começa com ABC e termina em 23", "ABC*23"), ("ABC...3", "ABC*3"), ("placa ABC algo 4", "ABC*4"),
        ],
    )  # fmt: skip
    def test_part_of_a_plate_is_kept_as_a_pattern(self, typed, pattern):
        assert read("vehicle", {"text": typed}) == {
            "kind": "typed", "text": typed, "as": "partial", "pattern": pattern,
        }  # fmt: skip

    @pytest.mark.parametrize("typed", ["linha 23", "o ônibus das 14", "um carro e um trem", "van branca"])
    def test_a_description_is_no_part_of_a_plate(self, typed):
        assert read("vehicle", {"text": typed})["as"] == "description"

    @pytest.mark.parametrize("option", ["unknown", "none"])
    def test_not_knowing_is_an_answer(self, option):
        assert read("vehicle", option) == {"kind": option}

    @pytest.mark.parametrize("nothing", ["", "   ", "\u200b\u200b", "....", "\x00"])
    def test_typing_nothing_is_told(self, nothing):
        with pytest.raises(AnswerMissing):
            read("vehicle", {"text": nothing})


class TestThePlace:
    def test_a_stop_a_position_or_words(self):
        assert read("where", {"stop": "P1"}) == {"kind": "stop", "code": "P1"}
        assert read("where", {"text": "Praça\u202e Dr.\n Cândido"}) == {
            "kind": "typed",
            "text": "Praça Dr. Cândido",
        }
        assert read("where", {"latitude": "-23,62", "longitude": "-45.41"}) == {
            "kind": "position", "latitude": -23.62, "longitude": -45.41,
        }  # fmt: skip

    @pytest.mark.parametrize(("latitude", "longitude"), [("91", "0"), ("x", "1"), ("nan", "nan"), ("", "3")])
    def test_a_position_that_is_none(self, latitude, longitude):
        with pytest.raises(UnreadablePosition):
            read("where", {"latitude": latitude, "longitude": longitude})


class TestTheMoment:
    def test_now_is_the_towns_own_day_and_hour(self):
        assert read("when", "now") == {"kind": "at", "date": "2026-11-30", "time": "22:30"}

    @pytest.mark.parametrize(
        ("raw", "day", "clock"),
        [
            ({"option": "today", "time": "08:15"}, "2026-11-30", "08:15"),
            ({"option": "today", "time": ""}, "2026-11-30", None),
            ({"option": "earlier", "date": "2026-11-28", "time": "23:59"}, "2026-11-28", "23:59"),
            ("ontem às 14h30", "2026-11-29", "14:30"),
            ("yesterday 9h", "2026-11-29", "09:00"),
            ("ayer", "2026-11-29", None),
            ("28/11", "2026-11-28", None),
            ("28/12 10:00", "2025-12-28", "10:00"),
            ("01/11/26", "2026-11-01", None),
            ("14:30", "2026-11-30", "14:30"),
            ("yesterday 2pm", "2026-11-29", "14:00"),
            ("yesterday at 12:30 a.m.", "2026-11-29", "00:30"),
        ],
    )
    def test_in_fields_or_in_words(self, raw, day, clock):
        assert read("when", raw) == {"kind": "at", "date": day, "time": clock}

    @pytest.mark.parametrize("raw", [
        {"option": "today", "time": "22:31"}, {"option": "earlier", "date": "2026-12-01"}, "01/12/2026", "hoje 23:00",
    ])  # fmt: skip
    def test_never_the_future(self, raw):
        with pytest.raises(MomentInFuture):
            read("when", raw)

    @pytest.mark.parametrize("raw", [
        "semana passada", {"option": "earlier", "date": "2026-02-31"}, {"option": "today", "time": "25:00"},
        {"option": "earlier", "date": "1901-01-01"}, "99/99",
    ])  # fmt: skip
    def test_what_is_no_moment_is_told(self, raw):
        with pytest.raises(UnreadableMoment):
            read("when", raw)

    def test_another_day_needs_its_date(self):
        with pytest.raises(AnswerMissing):
            read("when", {"option": "earlier", "date": ""})


class TestTheStory:
    @pytest.mark.parametrize("nothing", ["", "   ", "\u200b\u200b", "....", "\u2060"])
    def test_saying_nothing_is_allowed_and_kept_as_nothing(self, nothing):
        assert read("story", {"text": nothing}) is None

    @pytest.mark.parametrize("text", ["🚂🚂🚂", "🚂 lotado, criança em pé", "مرحبا ABC1D23", "=HYPERLINK(1)"])
    def test_what_says_something_is_kept(self, text):
        assert read("story", {"text": text}) == text

    def test_is_composed_and_loses_only_what_harms(self):
        assert read("story", {"text": "Sa\u0303o\x00 a\u202eb\ud800\r\nc"}) == "São ab\nc"

    def test_stacked_marks_stay_readable(self):
        assert len(read("story", {"text": "Z" + "\u0335" * 200 + "algo"})) < 10

    def test_its_limit(self):
        assert len(read("story", {"text": "a" * 4000})) == 4000
        with pytest.raises(TextTooLong) as long:
            read("story", {"text": "a" * 4001})
        assert (long.value.length, long.value.limit) == (4001, 4000)


class TestTheIdentity:
    def test_anonymous_forgets_what_stands_in_the_other_fields(self):
        identity = read("identity", {"option": "anonymous", "name": "Nome", "email": "a@example.org"})
        assert (identity.mode, identity.name, identity.email) == (IdentityMode.ANONYMOUS, None, None)

    def test_no_single_field_is_required(self):
        assert read("identity", {"option": "sealed", "phone": "12 90000-0000"}).phone == "12 90000-0000"

    def test_but_nothing_at_all_is_told(self):
        with pytest.raises(IdentityMissing):
            read("identity", {"option": "open", "name": " "})

    def test_an_address_that_is_none(self):
        with pytest.raises(UnreadableEmail):
            read("identity", {"option": "sealed", "email": "a@b"})

    def test_is_not_shown_by_a_traceback(self):
        assert "Nome" not in repr(read("identity", {"option": "open", "name": "Nome"}))
