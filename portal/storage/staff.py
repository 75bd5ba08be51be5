"""Staff members and their sessions."""

from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, delete, func, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from portal.storage.base import Base


class StaffMemberRow(Base):
    __tablename__ = "staff_members"
    __table_args__ = (CheckConstraint("role IN ('ombudsman', 'clerk', 'inspector', 'auditor')", name="role"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    municipality: Mapped[str] = mapped_column(index=True)
    login: Mapped[str] = mapped_column(unique=True)
    """Folded to lower case; unique over all municipalities, so that signing in asks for no town."""
    name: Mapped[str]
    role: Mapped[str]
    password_hash: Mapped[str]
    totp_secret: Mapped[bytes | None]
    """The authenticator's secret, encrypted under the desk's own key; None until one was enrolled."""
    totp_last_step: Mapped[int | None] = mapped_column(BigInteger)
    """The half-minute of the last code taken: neither it nor an older one is taken again."""
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


def end_session(session: Session, token_hash: str) -> None:
    session.execute(delete(StaffSessionRow).where(StaffSessionRow.token_hash == token_hash))


def end_sessions_of(session: Session, staff_member_id: int) -> None:
    session.execute(delete(StaffSessionRow).where(StaffSessionRow.staff_member_id == staff_member_id))


def delete_old_sessions(session: Session, *, before: datetime) -> None:
    """Sessions that are over."""
    session.execute(delete(StaffSessionRow).where(StaffSessionRow.started_at < before))


def replace_password(session: Session, staff_member_id: int, password_hash: str) -> None:
    session.execute(
        update(StaffMemberRow).where(StaffMemberRow.id == staff_member_id).values(password_hash=password_hash)
    )


def staff_of(session: Session, municipality: str | None) -> list[StaffMemberRow]:
    """Those of one municipality, or all of them, by town and login."""
    wanted = select(StaffMemberRow).order_by(StaffMemberRow.municipality, StaffMemberRow.login)
    if municipality is not None:
        wanted = wanted.where(StaffMemberRow.municipality == municipality)
    return list(session.scalars(wanted))


def count_sessions(session: Session, staff_member_id: int, *, started_after: datetime) -> int:
    counted = select(func.count()).select_from(StaffSessionRow)
    open_now = counted.where(
        StaffSessionRow.staff_member_id == staff_member_id, StaffSessionRow.started_at > started_after
    )
    return session.scalar(open_now) or 0


def set_active(session: Session, staff_member_id: int, active: bool) -> None:
    session.execute(update(StaffMemberRow).where(StaffMemberRow.id == staff_member_id).values(active=active))
