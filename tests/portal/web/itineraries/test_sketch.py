from itertools import combinations

import pytest

from portal.web.itineraries.sketch import WIDTH, _dots, _place_names, _rooms

LINE = [(22.0, 52.0), (180.0, 60.0), (338.0, 66.0)]
HEIGHT = 120


def names(**at):
    return _place_names(
        {code: (f"Praça de nome comprido {code}"[-20:], point) for code, point in at.items()},
        taken=[*_dots(LINE), *at.values()],
        height=HEIGHT,
    )


class TestTheNamesOfAFlatRoute:
    @pytest.fixture
    def boxes(self):
        return names(first=LINE[0], second=LINE[1], third=LINE[2])

    def test_do_not_lie_on_the_line(self, boxes):
        assert not [dot for dot in _dots(LINE) for box in boxes.values() if box.holds(dot)]

    def test_do_not_lie_on_each_other(self, boxes):
        assert not [pair for pair in combinations(boxes.values(), 2) if pair[0].meets(pair[1])]

    def test_stay_inside_the_drawing(self, boxes):
        assert all(
            box.left >= 0 and box.right <= WIDTH and box.top >= 0 and box.bottom <= HEIGHT
            for box in boxes.values()
        )


def test_a_name_beside_its_mark_is_the_first_choice():
    assert _rooms((100.0, 50.0), 60.0)[0].left == 112.0
