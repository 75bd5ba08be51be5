"""The facts of ``portal doctor`` that stand in the database."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from portal.storage import checkup
from portal.storage.checkup import ListAge
from portal.storage.migrate import newest_revision
from portal.storage.signs_of_life import backed_up_at, failing, worked_at


@dataclass(frozen=True, slots=True)
class Facts:
    kind: str
    """``sqlite`` or ``postgresql``."""
    revision: str | None
    """None where there is no table at all."""
    newest: str
    """Where the code wants it."""
    worked_at: datetime | None = None
    """When a worker last showed itself."""
    failing: tuple[tuple[str, str], ...] = ()
    """Chores whose last try failed, each with the type of the error."""
    due: int = 0
    due_since: datetime | None = None
    given_up: int = 0
    backed_up_at: datetime | None = None
    lists: tuple[ListAge, ...] = ()

    @property
    def up_to_date(self) -> bool:
        return self.revision == self.newest


def look_over(session: Session, *, now: datetime) -> Facts:
    """What the database says of how it is kept; only the first three where its tables are not up to date."""
    kind, revision, newest = session.get_bind().dialect.name, checkup.revision_of(session), newest_revision()
    if revision != newest:
        return Facts(kind, revision, newest)
    due, since = checkup.waiting_since(session, now=now)
    return Facts(
        kind,
        revision,
        newest,
        worked_at=worked_at(session),
        failing=tuple(failing(session)),
        due=due,
        due_since=since,
        given_up=checkup.given_up(session),
        backed_up_at=backed_up_at(session),
        lists=tuple(checkup.list_ages(session)),
    )
