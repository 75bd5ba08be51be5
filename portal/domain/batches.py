"""A long list in pieces: as many rows as one query takes, or as one short transaction writes."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """``items`` in their order, ``size`` at a time; the last piece may be shorter."""
    rest = iter(items)
    while some := list(islice(rest, size)):
        yield some
