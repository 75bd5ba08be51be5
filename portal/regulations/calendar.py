"""Days without work: those known by rule, and a municipality's own where its file gives them."""

from datetime import date, timedelta

from portal.regulations.shared_files import Holiday


def easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar (the anonymous computus)."""
    a, b, c = year % 19, year // 100, year % 100
    d, e = divmod(b, 4)
    g = (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = divmod(c, 4)
    m = (32 + 2 * e + 2 * i - h - k) % 7
    n = (a + 11 * h + 22 * m) // 451
    month, day = divmod(h + m - 7 * n + 114, 31)
    return date(year, month, day + 1)


def holidays_of(year: int, *rules: tuple[Holiday, ...]) -> dict[date, str]:
    """Each day without work of ``year`` with its name, by the rules in force on that day."""
    found = {}
    for rule in (rule for group in rules for rule in group):
        if rule.from_easter is not None:
            day = easter(year) + timedelta(rule.from_easter)
        else:
            assert rule.month is not None  # the schema asks for both
            assert rule.day is not None
            day = date(year, rule.month, rule.day)
        if rule.in_force(day):
            found[day] = rule.name
    return dict(sorted(found.items()))
