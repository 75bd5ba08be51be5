"""Which places make us ask "was it here?". The square runs from 0 to 1 degree; its east side is the sea."""

import re

import pytest

from portal.domain.borders import Corner, beside, names_highway, names_intercity
from portal.regulations import catalogue
from portal.regulations.borders import agencies_beyond, outline

SQUARE = (
    Corner(0, 0, 0, True), Corner(0, 1, 0, True), Corner(0, 1, 1, True), Corner(0, 0.5, 1, False),
    Corner(0, 0, 1, True), Corner(0, 0, 0, True),
)  # fmt: skip
COAST = "caraguatatuba-sp"


class TestBesideABorder:
    @pytest.mark.parametrize(
        ("latitude", "longitude", "asked"),
        [
            (0.5, 0.5, False), (0.5, 0.0002, True), (0.5, -0.0002, True), (0.5, -3, True), (1.5, 0.5, True),
            (0.5, 0.9999, False), (0.5, 1.01, False), (0.5, 1.2, True),
        ],
    )  # fmt: skip
    def test_is_near_or_beyond_one_that_a_neighbour_shares(self, latitude, longitude, asked):
        assert beside(SQUARE, latitude, longitude) is asked

    def test_is_nowhere_without_an_outline(self):
        assert not beside((), 0.5, 0.5)

    def test_twenty_metres_from_the_limit_and_in_the_middle_of_town(self):
        shared = [corner for corner in outline(COAST) if corner.shared]
        assert all(
            beside(outline(COAST), corner.latitude, corner.longitude + 0.0002) for corner in shared[::9]
        )
        assert not beside(outline(COAST), -23.6125, -45.4125)

    def test_is_no_beach(self):
        assert not beside(outline(COAST), -23.6336, -45.3843)


class TestWords:
    @pytest.mark.parametrize("text", ["SP-055, km 100", "na BR 101", "Rodovia dos Tamoios", "highway SP 99"])
    def test_of_a_highway(self, text):
        assert names_highway(text)

    @pytest.mark.parametrize("text", ["Rua SP", "Praça da Matriz", "Rua Brasil 101", "Rodoviária"])
    def test_of_a_street(self, text):
        assert not names_highway(text)

    @pytest.mark.parametrize("text", ["van intermunicipal", "ônibus interestadual", "tinha o selo da ARTESP"])
    def test_of_transport_between_cities(self, text):
        assert names_intercity(text)


class TestWhoLooksAfterIt:
    def test_the_state_comes_first_and_then_the_union(self):
        assert [agency.what for agency in agencies_beyond(COAST)] == ["state", "federal"]

    def test_each_is_named_with_the_law_that_gives_it_that_role_and_without_an_address(self):
        for town in catalogue.municipalities():
            for agency in agencies_beyond(town.slug):
                assert agency.law
                assert not re.search(r"www\.|https?:|@", agency.name + agency.law)
                assert agency.phone is None or re.fullmatch(r"1\d\d", agency.phone)
