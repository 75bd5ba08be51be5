"""Staff members, their sessions and the count of failed sign-ins."""

from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, delete, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Mapped, Session, mapped_column

from portal.storage.base import Base


class StaffMemberRow(Base):
    __tablename__ = "staff_members"
    __table_args__ = (CheckConstraint("role IN ('ombudsman', 'clerk', 'inspector')", name="role"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    municipality: Mapped[str] = mapped_column(index=True)
    login: Mapped[str] = mapped_column(unique=True)
    """Folded to lower case; unique over all municipalities, so that signing in asks for no town."""
    name: Mapped[str]
    role: Mapped[str]
    password_hash: Mapped[str]
    active: Mapped[bool] = mapped_column(default=True)
    created_at: Mapped[datetime]


class StaffSessionRow(Base):
    """One signed-in browser. Deleting the row signs it out, whatever cookie it still holds."""

    __tablename__ = "staff_sessions"

    token_hash: Mapped[str] = mapped_column(primary_key=True)
    staff_member_id: Mapped[int] = mapped_column(
        ForeignKey(StaffMemberRow.id, ondelete="CASCADE"), index=True
    )
    started_at: Mapped[datetime] = mapped_column(index=True)


class SignInFailuresRow(Base):
    """Failures in a row for one login, known or not: a digest, so that a mistyped password is not kept."""

    __tablename__ = "sign_in_failures"

    login_hash: Mapped[str] = mapped_column(primary_key=True)
    failures: Mapped[int]
    last_at: Mapped[datetime] = mapped_column(index=True)


def staff_member_by_login(session: Session, login: str) -> StaffMemberRow | None:
    return session.scalar(select(StaffMemberRow).where(StaffMemberRow.login == login))


def staff_member_of_session(
    session: Session, token_hash: str, *, started_after: datetime
) -> StaffMemberRow | None:
    """The active staff member behind a session that is not too old."""
    return session.scalar(
        select(StaffMemberRow)
        .join(StaffSessionRow, StaffSessionRow.staff_member_id == StaffMemberRow.id)
        .where(StaffSessionRow.token_hash == token_hash, StaffSessionRow.started_at > started_after)
        .where(StaffMemberRow.active)
    )


def failures_of(session: Session, login_hash: str) -> SignInFailuresRow | None:
    return session.get(SignInFailuresRow, login_hash, populate_existing=True)


def count_failure(session: Session, login_hash: str, *, at: datetime) -> None:
    """Add one failure in a single statement, so that simultaneous tries are all counted."""
    dialect = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
    session.execute(
        dialect.insert(SignInFailuresRow)
        .values(login_hash=login_hash, failures=1, last_at=at)
        .on_conflict_do_update(
            index_elements=[SignInFailuresRow.login_hash],
            set_={"failures": SignInFailuresRow.failures + 1, "last_at": at},
        )
    )


def forget_failures(session: Session, login_hash: str) -> None:
    session.execute(delete(SignInFailuresRow).where(SignInFailuresRow.login_hash == login_hash))


def end_session(session: Session, token_hash: str) -> None:
    session.execute(delete(StaffSessionRow).where(StaffSessionRow.token_hash == token_hash))


def end_sessions_of(session: Session, staff_member_id: int) -> None:
    session.execute(delete(StaffSessionRow).where(StaffSessionRow.staff_member_id == staff_member_id))


def delete_old_sign_ins(session: Session, *, before: datetime) -> None:
    """Sessions and counts of failures that no longer bind anybody."""
    session.execute(delete(StaffSessionRow).where(StaffSessionRow.started_at < before))
    session.execute(delete(SignInFailuresRow).where(SignInFailuresRow.last_at < before))


def replace_password(session: Session, staff_member_id: int, password_hash: str) -> None:
    session.execute(
        update(StaffMemberRow).where(StaffMemberRow.id == staff_member_id).values(password_hash=password_hash)
    )
