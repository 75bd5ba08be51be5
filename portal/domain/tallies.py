"""Counting complaints so that figures inform and nobody is picked out: medians, shares, merged small groups."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import median

MINIMUM = 5
"""Of fewer than this there is no median and no share, and no group is published by itself."""

MERGED = "merged"
"""The key of the groups that were too small to be told apart."""


@dataclass(frozen=True, slots=True)
class Counted:
    """One complaint, or one question to a unit, as far as figures need it."""

    keys: dict[str, str]
    """What it is grouped by: ``kind``, ``category`` …"""
    days: float | None
    """From its arrival to the answer; None while there is none."""
    in_time: bool | None
    """Whether the answer came, or fell, within its time; None while the time still runs."""
    answered: bool = False


@dataclass(frozen=True, slots=True)
class Figures:
    received: int
    answered: int
    median_days: float | None
    """None with fewer than ``MINIMUM`` answers: one quick case says nothing of an office."""
    in_time: float | None
    """The share, 0 to 1, of those whose answer came or was due; None with fewer than ``MINIMUM`` of them."""


@dataclass(frozen=True, slots=True)
class Group:
    key: str
    figures: Figures


def figures(cases: Sequence[Counted]) -> Figures:
    days = [case.days for case in cases if case.days is not None]
    judged = [case.in_time for case in cases if case.in_time is not None]
    return Figures(
        received=len(cases),
        answered=sum(case.answered for case in cases),
        median_days=round(float(median(days)), 1) if len(days) >= MINIMUM else None,
        in_time=sum(judged) / len(judged) if len(judged) >= MINIMUM else None,
    )


def grouped(
    cases: Iterable[Counted], by: Callable[[Counted], str | None], *, publish: bool = False
) -> tuple[Group, ...]:
    """The figures of each group, the largest first; what has no key is left out.

    To ``publish``, groups under ``MINIMUM`` are told together. When even together they are fewer, the smallest of the
    others joins them, so that nobody finds them by taking the rest from the total; with no other, none is told.
    """
    groups: dict[str, list[Counted]] = {}
    for case in cases:
        key = by(case)
        if key is not None:
            groups.setdefault(key, []).append(case)
    together: list[Counted] = []
    if publish:
        for key in sorted(groups, key=lambda one: (len(groups[one]), one)):
            if len(groups[key]) < MINIMUM or 0 < len(together) < MINIMUM:
                together += groups.pop(key)
    ranked = sorted(groups.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    told = [Group(key, figures(members)) for key, members in ranked]
    if len(together) >= MINIMUM:
        told.append(Group(MERGED, figures(together)))
    return tuple(told)
