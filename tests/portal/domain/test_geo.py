import pytest
from hypothesis import given
from hypothesis import strategies as st

from portal.domain.geo import (
    Direction,
    Grid,
    cell_of,
    cells_near,
    certain_within_m,
    direction,
    distance_m,
    is_position,
    typed_position,
    walking_minutes,
)


def test_a_degree_of_latitude_is_a_hundred_and_eleven_kilometres():
    assert distance_m(-23, -45, -24, -45) == pytest.approx(111_195, rel=1e-3)


@pytest.mark.parametrize(
    ("latitude", "longitude", "way"),
    [
        (-22, -45, Direction.NORTH),
        (-23, -44, Direction.EAST),
        (-24, -46, Direction.SOUTH_WEST),
        (-23, -46, Direction.WEST),
    ],
)
def test_directions(latitude, longitude, way):
    assert direction(-23, -45, latitude, longitude) is way


def test_walking_allows_for_streets_and_never_says_none():
    assert (walking_minutes(0), walking_minutes(300)) == (1, 6)


@pytest.mark.parametrize("pair", [(0, 0), (91, 0), (-23, -181), (0.05, -0.05)])
def test_what_can_be_no_place(pair):
    assert not is_position(*pair)


@given(st.floats(-60, 60), st.floats(-179, 179), st.floats(-0.05, 0.05), st.floats(-0.05, 0.05))
def test_nothing_nearer_than_promised_lies_outside_the_cells(latitude, longitude, north, east):
    other = (latitude + north, longitude + east)
    for grid in Grid:
        for reach in (1, 4):
            near = distance_m(latitude, longitude, *other) < certain_within_m(latitude, grid, reach) * 0.999
            cell = cell_of(*other, grid)
            found = any(first <= cell <= last for first, last in cells_near(latitude, longitude, grid, reach))
            assert found or not near


@pytest.mark.parametrize(
    "text", ["-23.6238, -45.4100", "-23.6238,-45.41000", " -23,6238; -45,4100 ", "−23.6238 -45.410"]
)
def test_a_position_is_read_as_maps_let_one_copy_it(text):
    assert typed_position(text) == (-23.6238, -45.41)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "praia",
        "10,50 20,00",
        "-23.6238",
        "0.0000, 0.0000",
        "95.1234, 10.1234",
        "a -23.6238, -45.4100",
        "1" * 10_000,
    ],
)
def test_any_other_text_is_no_position(text):
    assert typed_position(text) is None
