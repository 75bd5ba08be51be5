"""Readings of registers as they are written down: what was read, what was wrong, what was published."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.orm import Session

from portal.domain.registers import RowProblem
from portal.storage.imports import ImportProblemRow, ImportRunRow

R, P = ImportRunRow, ImportProblemRow


def add_run(session: Session, **told: Any) -> int:
    """Write down that a file is being read; answers the reading's number."""
    return session.execute(insert(R).values(**told).returning(R.id)).scalar_one()


def update_run(session: Session, run_id: int, **told: Any) -> None:
    session.execute(update(R).where(R.id == run_id).values(**told))


def find_run(session: Session, municipality: str, run_id: int, *, lock: bool = False) -> ImportRunRow | None:
    wanted = select(R).where(R.id == run_id, R.municipality == municipality)
    if lock:
        wanted = wanted.with_for_update()
    return session.scalar(wanted, execution_options={"populate_existing": True})


def read_run(session: Session, run_id: int) -> ImportRunRow:
    return session.get_one(R, run_id)


def runs_of(session: Session, municipality: str, *, limit: int) -> Sequence[ImportRunRow]:
    """The latest readings that still say something: not those under way or thrown away."""
    wanted = (
        select(R)
        .where(R.municipality == municipality, R.state.not_in(("staging", "discarded")))
        .order_by(R.id.desc())
        .limit(limit)
    )
    return session.scalars(wanted).all()


def last_published(session: Session, municipality: str, *, lock: bool = False) -> ImportRunRow | None:
    wanted = (
        select(R)
        .where(R.municipality == municipality, R.state.in_(("merged", "undoing")))
        .where(R.published_at.is_not(None))
        .order_by(R.published_at.desc())
        .limit(1)
    )
    return session.scalar(wanted.with_for_update() if lock else wanted)


def under_way(session: Session, municipality: str, *, since: datetime) -> bool:
    """Whether a publication of the town, or its undoing, began after an instant and has not ended."""
    wanted = select(R.id).where(
        R.municipality == municipality, R.state.in_(("publishing", "undoing")), R.finished_at > since
    )
    return session.scalar(wanted.limit(1)) is not None


def give_up(session: Session, run_id: int) -> None:
    """What broke off can be begun again."""
    for begun, before in (("publishing", "staged"), ("undoing", "merged")):
        session.execute(update(R).where(R.id == run_id, R.state == begun).values(state=before))


def merged_run_of(session: Session, municipality: str, digest: str) -> int | None:
    """The reading that already published this very file, if no other file of its source came after it."""
    run = session.execute(
        select(R.id, R.source)
        .where(R.municipality == municipality, R.file_digest == digest, R.state == "merged")
        .order_by(R.id.desc())
        .limit(1)
    ).first()
    if run is None:
        return None
    newest = session.scalar(
        select(func.max(R.id)).where(
            R.municipality == municipality, R.source == run.source, R.state == "merged"
        )
    )
    return run.id if newest == run.id else None


def left_behind(session: Session, *, before: datetime, limit: int) -> list[tuple[str, int]]:
    """Readings that nobody published or threw away, by town and number."""
    wanted = (
        select(R.municipality, R.id)
        .where(R.state.in_(("staging", "staged", "publishing")), R.started_at < before)
        .limit(limit)
    )
    return [(row[0], row[1]) for row in session.execute(wanted)]


def keep_problems(
    session: Session,
    run_id: int,
    problems: Sequence[RowProblem],
    *,
    events_file: Callable[[RowProblem], bool],
) -> None:
    if problems:
        session.execute(
            insert(P),
            [
                {
                    "run_id": run_id,
                    "ordinal": at,
                    "code": one.code,
                    "line": one.line,
                    "field": one.column[:80] if one.column else None,
                    "value": one.value,
                    "events_file": events_file(one),
                    "refuses": one.refuses,
                    "article": one.article,
                    "instrument": one.instrument,
                    "data": dict(one.data),
                }
                for at, one in enumerate(problems)
            ],
        )


def problems_of(session: Session, run_id: int, file_name: str) -> tuple[RowProblem, ...]:
    rows = session.scalars(select(P).where(P.run_id == run_id).order_by(P.ordinal))
    return tuple(
        RowProblem(
            row.code,
            row.line,
            row.field,
            row.value,
            "" if row.events_file else file_name,
            row.refuses,
            row.article,
            row.instrument,
            row.data,
        )
        for row in rows
    )


def drop_run(session: Session, run_id: int) -> None:
    session.execute(delete(P).where(P.run_id == run_id))
    session.execute(delete(R).where(R.id == run_id))
