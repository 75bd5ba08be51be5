"""What guards a sign-in beside the password: counts of failures, codes of the authenticator, recovery codes."""

from collections.abc import Iterable
from datetime import datetime
from typing import cast

from sqlalchemy import CursorResult, ForeignKey, delete, func, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Mapped, Session, mapped_column

from portal.storage.base import Base
from portal.storage.staff import StaffMemberRow


class SignInFailuresRow(Base):
    """Failures in a row of one login from one place: digests alone, so that a mistyped password is not kept."""

    __tablename__ = "sign_in_failures"

    key_hash: Mapped[str] = mapped_column(primary_key=True)
    """Of login and browser known to it, or of login and network."""
    login_hash: Mapped[str] = mapped_column(index=True)
    """By which all of a login's are forgotten."""
    failures: Mapped[int]
    last_at: Mapped[datetime] = mapped_column(index=True)


class RecoveryCodeRow(Base):
    """One of the codes that stand in for a lost authenticator, each once; gone when it was used."""

    __tablename__ = "recovery_codes"

    code_hash: Mapped[str] = mapped_column(primary_key=True)
    staff_member_id: Mapped[int] = mapped_column(
        ForeignKey(StaffMemberRow.id, ondelete="CASCADE"), index=True
    )


def failures_of(session: Session, key_hash: str) -> SignInFailuresRow | None:
    return session.get(SignInFailuresRow, key_hash, populate_existing=True)


def count_failure(session: Session, key_hash: str, login_hash: str, *, at: datetime) -> None:
    """Add one failure in a single statement, so that simultaneous tries are all counted."""
    dialect = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite
    session.execute(
        dialect.insert(SignInFailuresRow)
        .values(key_hash=key_hash, login_hash=login_hash, failures=1, last_at=at)
        .on_conflict_do_update(
            index_elements=[SignInFailuresRow.key_hash],
            set_={"failures": SignInFailuresRow.failures + 1, "last_at": at},
        )
    )


def forget_failures(session: Session, key_hash: str) -> None:
    session.execute(delete(SignInFailuresRow).where(SignInFailuresRow.key_hash == key_hash))


def forget_failures_of_login(session: Session, login_hash: str) -> None:
    session.execute(delete(SignInFailuresRow).where(SignInFailuresRow.login_hash == login_hash))


def delete_old_failures(session: Session, *, before: datetime) -> None:
    session.execute(delete(SignInFailuresRow).where(SignInFailuresRow.last_at < before))


def set_authenticator(session: Session, staff_member_id: int, secret: bytes | None, step: int | None) -> None:
    session.execute(
        update(StaffMemberRow)
        .where(StaffMemberRow.id == staff_member_id)
        .values(totp_secret=secret, totp_last_step=step)
    )


def take_step(session: Session, staff_member_id: int, step: int) -> bool:
    """Mark a half-minute as used, in one statement: of two that send the same code at once, one is let in."""
    taken = session.execute(
        update(StaffMemberRow)
        .where(StaffMemberRow.id == staff_member_id)
        .where(or_(StaffMemberRow.totp_last_step.is_(None), StaffMemberRow.totp_last_step < step))
        .values(totp_last_step=step)
    )
    return bool(cast("CursorResult[None]", taken).rowcount)


def replace_recovery_codes(session: Session, staff_member_id: int, hashes: Iterable[str]) -> None:
    session.execute(delete(RecoveryCodeRow).where(RecoveryCodeRow.staff_member_id == staff_member_id))
    session.add_all(RecoveryCodeRow(code_hash=one, staff_member_id=staff_member_id) for one in hashes)
    session.flush()


def take_recovery_code(session: Session, staff_member_id: int, code_hash: str) -> bool:
    """Use a code up; False when it is none of this person's, or was used."""
    used = session.execute(
        delete(RecoveryCodeRow).where(
            RecoveryCodeRow.code_hash == code_hash, RecoveryCodeRow.staff_member_id == staff_member_id
        )
    )
    return bool(cast("CursorResult[None]", used).rowcount)


def count_recovery_codes(session: Session, staff_member_id: int) -> int:
    counted = select(func.count()).select_from(RecoveryCodeRow)
    return session.scalar(counted.where(RecoveryCodeRow.staff_member_id == staff_member_id)) or 0
