"""A long list by pages, for people."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Paging:
    """Which page of how many; ``offset`` and ``size`` say which items stand on it."""

    page: int
    pages: int
    offset: int
    size: int


def paging(total: int, asked: int, size: int) -> Paging:
    """The page asked for, from 1; before the first it is the first, past the end the last."""
    pages = max(1, -(-total // size))
    page = min(max(asked, 1), pages)
    return Paging(page, pages, (page - 1) * size, size)
