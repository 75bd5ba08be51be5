"""Figures that inform and pick nobody out (a body with one case, with two hundred, with none)."""

from portal.domain.tallies import MERGED, MINIMUM, Counted, figures, grouped

FOUR_MINUTES = 4 / 1440


def case(key="a", days=10.0, in_time=True):
    return Counted({"of": key}, days=days, in_time=in_time, answered=days is not None)


def by(one):
    return one.keys["of"]


class TestFigures:
    def test_one_case_of_four_minutes_is_not_enough_data(self):
        told = figures([case(days=FOUR_MINUTES)])

        assert (told.received, told.median_days, told.in_time) == (1, None, None)

    def test_two_hundred_cases_have_a_median_and_a_share(self):
        told = figures([case(days=float(n % 20), in_time=n % 4 > 0) for n in range(200)])

        assert (told.median_days, told.in_time) == (9.5, 0.75)

    def test_a_median_is_not_moved_by_one_case_of_years(self):
        assert figures([case(days=2.0)] * 4 + [case(days=2000.0)]).median_days == 2.0

    def test_none_is_not_a_hundred_per_cent(self):
        assert figures([]).in_time is None

    def test_whose_time_still_runs_counts_neither_way(self):
        told = figures([case(days=None, in_time=None)] * 20)

        assert (told.received, told.answered, told.in_time) == (20, 0, None)

    def test_the_least_is_enough(self):
        assert figures([case()] * MINIMUM).in_time == 1.0


class TestGroups:
    def test_the_largest_stands_first(self):
        told = grouped([case("small"), case("large"), case("large")], by)

        assert [(one.key, one.figures.received) for one in told] == [("large", 2), ("small", 1)]

    def test_published_groups_under_five_are_told_together(self):
        cases = [case("large")] * 9 + [case("x")] * 3 + [case("y")] * 4

        assert [(g.key, g.figures.received) for g in grouped(cases, by, publish=True)] == [
            ("large", 9),
            (MERGED, 7),
        ]

    def test_a_single_small_one_takes_the_next_along_so_that_nobody_subtracts(self):
        cases = [case("large")] * 9 + [case("middle")] * 6 + [case("x")]

        assert [(g.key, g.figures.received) for g in grouped(cases, by, publish=True)] == [
            ("large", 9),
            (MERGED, 7),
        ]

    def test_fewer_than_five_in_all_are_not_published(self):
        assert grouped([case("x"), case("x"), case("y")], by, publish=True) == ()

    def test_the_desk_sees_every_group(self):
        assert len(grouped([case("x"), case("y")], by)) == 2
