"""The hot look-ups: the stops near a position, and what a typed name may mean.

Each costs the same whether a town has ten thousand stops or a million: a few ranges of an index, and a limit
on what is read of a word that very many names hold. ``tests/portal/storage/test_finding.py`` reads the plans.
"""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import exists, func, literal, select, union_all
from sqlalchemy.orm import Session, aliased

from portal.domain.geo import Grid, cells_near
from portal.storage.itineraries import NameWordRow, StopRow, WordSlipRow

MANY = 2_000
"""Names read of one word: past these the shortest names stand for all."""

_CELLS = {Grid.FINEST: StopRow.finest_cell, Grid.FINE: StopRow.cell, Grid.COARSE: StopRow.coarse_cell}


def boarding_points_in(
    session: Session,
    imports: Collection[int],
    latitude: float,
    longitude: float,
    grid: Grid,
    reach: int,
    *,
    accessible: bool = False,
) -> list[tuple[int, float, float]]:
    """Identifier, latitude and longitude of each boarding point in the cells at most ``reach`` away."""
    cell = _CELLS[grid]
    rows = [
        select(StopRow.id, StopRow.latitude, StopRow.longitude).where(
            cell.between(first, last),
            StopRow.import_id.in_(imports),
            StopRow.kind == "boarding_point",
            *([StopRow.accessible.is_(True)] if accessible else []),
        )
        for first, last in cells_near(latitude, longitude, grid, reach)
    ]
    return [(row[0], row[1], row[2]) for row in session.execute(union_all(*rows))]


Uses = dict[tuple[int, str], int]
"""How many names of an import have a word that begins so, as far as it was counted."""


def targets_named(
    session: Session,
    imports: Collection[int],
    typed: Sequence[str],
    *,
    limit: int = 60,
    counted: Uses | None = None,
) -> list[tuple[str, int]]:
    """What has, for each typed word, a word that begins with it: ``("stop" | "itinerary" | "place", id)``.

    Names that hold the words whole come first, of these the shortest.

    Args:
        counted: kept between the readings of one text, which share most of their words; it is added to here.
    """
    counted = {} if counted is None else counted
    found: list[tuple[str, int]] = []
    for number in imports if typed else ():
        found += _targets_of(session, number, typed, limit, counted)
    return list(dict.fromkeys(found))


def _targets_of(
    session: Session, number: int, typed: Sequence[str], limit: int, counted: Uses
) -> list[tuple[str, int]]:
    if len(typed) > 1:
        for word in typed:
            if (number, word) not in counted:
                counted[number, word] = _uses(session, number, word)
        uses = {word: counted[number, word] for word in typed}
    else:
        uses = {typed[0]: 1}
    rarest, *others = sorted(uses, key=lambda word: uses[word])
    if not uses[rarest]:
        return []
    named = (
        select(NameWordRow.target, NameWordRow.target_id)
        .where(NameWordRow.import_id == number, _begins(NameWordRow.word, rarest))
        .order_by(NameWordRow.word, NameWordRow.rank, NameWordRow.target, NameWordRow.target_id)
        .limit(MANY if others else limit)
        .subquery()
    )
    query = select(named.c.target, named.c.target_id)
    for word in others:
        other = aliased(NameWordRow)
        query = query.where(
            exists().where(
                other.target == named.c.target,
                other.target_id == named.c.target_id,
                _begins(other.word, word),
            )
        )
    return [(target, each) for target, each in session.execute(query.limit(limit))]


def _uses(session: Session, number: int, word: str) -> int:
    """How many names have a word that begins so; counted up to ``MANY``."""
    some = (
        select(literal(1))
        .where(NameWordRow.import_id == number, _begins(NameWordRow.word, word))
        .limit(MANY)
        .subquery()
    )
    return session.scalar(select(func.count()).select_from(some)) or 0


def begins_a_word(session: Session, imports: Collection[int], word: str) -> bool:
    """Whether some name has a word that begins so."""
    query = select(NameWordRow.word).where(
        NameWordRow.import_id.in_(imports), _begins(NameWordRow.word, word)
    )
    return session.scalars(query.limit(1)).first() is not None


def words_by_slip(session: Session, imports: Collection[int], slips: Collection[str]) -> list[str]:
    """The words of names that share one of these remainders; see ``portal.domain.names.slips_of``."""
    query = select(WordSlipRow.word).where(WordSlipRow.import_id.in_(imports), WordSlipRow.slip.in_(slips))
    return list(session.scalars(query.distinct()))


def _begins(column: Any, prefix: str) -> Any:
    # A range, so that the index serves it in SQLite and under any collation of PostgreSQL; words hold a-z0-9.
    return column.between(prefix, prefix + "z" * 20)
