"""What the code of a card and of a proof hold: as much as is signed, as little as a small code takes."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from portal.domain import look_ups
from portal.domain.cards import (
    CONTENT,
    LETTERS,
    CardFacts,
    find_token,
    new_card_name,
    pack,
    read_letters,
    unpack,
)
from portal.domain.look_ups import ListAsked, LookUp
from portal.domain.permits import Status

CALM = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
PLATES = st.from_regex(r"[A-Z]{3}[0-9][A-Z0-9][0-9]{2}", fullmatch=True)


class TestACard:
    @CALM
    @given(plate=st.none() | PLATES, issue=st.integers(1, 65535), key=st.integers(0, 4095))
    def test_is_read_as_it_was_written(self, plate, issue, key):
        facts = CardFacts(new_card_name(), 3510500, plate, issue)

        content = pack(facts, key)

        assert len(content) == CONTENT
        assert unpack(content) == (facts, key)

    def test_is_written_in_letters_and_digits_that_stay_in_the_smallest_alphabet_of_a_code(self):
        assert LETTERS == 129
        assert set(new_card_name()) <= set("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")

    @pytest.mark.parametrize("text", ["", "A" * 128, "A" * 130, "BRA1A11", "x" * 129 + "y"])
    def test_is_not_seen_in_what_is_none(self, text):
        assert find_token(text) is None

    @pytest.mark.parametrize("text", ["", "Z" * 129, "é" * 129, "-" * 129])
    def test_of_more_than_its_bytes_or_other_signs_is_refused(self, text):
        with pytest.raises(ValueError, match=r"bytes|letters"):
            read_letters(text, 83)


class TestALookUp:
    @CALM
    @given(
        asked=PLATES | st.from_regex(r"[0-9]{4}/[0-9]{1,6}", fullmatch=True),
        status=st.sampled_from(sorted(look_ups.STATUSES)),
        limited=st.booleans(),
        lists=st.lists(
            st.builds(ListAsked, st.dates(date(2000, 1, 1), date(2100, 1, 1)), st.booleans(), st.booleans()),
            max_size=7,
        ),
    )
    def test_is_read_as_it_was_written(self, asked, status, limited, lists):
        at = datetime(2026, 11, 30, 17, 2, 31, tzinfo=UTC)
        told = LookUp(3510500, asked, date(2026, 11, 30), at, status, limited, tuple(lists))

        assert look_ups.unpack(look_ups.pack(told, 7)) == told
        data = look_ups.pack(told, 7)
        assert look_ups.read_code(look_ups.write_code(data).lower()) == data

    @CALM
    @given(st.binary(max_size=80))
    def test_is_not_seen_in_any_bytes_that_are_none(self, data):
        look_ups.unpack(data)

    def test_has_a_number_for_every_status(self):
        assert set(look_ups.STATUSES) == set(Status)
        assert len(set(look_ups.STATUSES.values())) == len(Status)
