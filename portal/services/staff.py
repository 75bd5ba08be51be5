"""Staff members of a desk: who they are, and how they sign in.

Signing in takes three steps, so that the slow digest of the password runs outside any transaction and never
holds up a citizen's complaint: `begin_sign_in` (writes: counts the try), `Attempt.check` (slow, no database),
`finish_sign_in` (writes: opens the session).
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from unicodedata import normalize

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from portal.domain.errors import LoginTaken, PasswordTooShort
from portal.domain.staff import Role, StaffMember
from portal.regulations import catalogue
from portal.services import audit
from portal.storage.staff import (
    StaffMemberRow,
    StaffSessionRow,
    count_failure,
    delete_old_sign_ins,
    end_session,
    end_sessions_of,
    failures_of,
    forget_failures,
    replace_password,
    staff_member_by_login,
    staff_member_of_session,
)

SESSION_LENGTH = timedelta(hours=12)
FREE_TRIES = 5
LONGEST_WAIT = timedelta(minutes=15)
MIN_PASSWORD = 12

# OWASP's Argon2id minimum: 19 MiB and some 20 ms, so that a small machine survives a burst of tries.
_hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


@dataclass(frozen=True, slots=True)
class Attempt:
    """A counted try. An unknown login carries a digest nobody's password has, so that the work is the same."""

    login_hash: str
    member: StaffMember | None
    password_hash: str = field(repr=False)
    blocked_until: datetime | None = None
    """Too many failures in a row, for known and unknown logins alike: do not even check."""

    def check(self, password: str) -> bool:
        """Whether the password is right; takes some 20 ms, so call it outside a unit of work."""
        try:
            _hasher.verify(self.password_hash, _octets(password))
        except (VerificationError, InvalidHashError):
            return False
        return self.member is not None and self.blocked_until is None


def add_staff(
    session: Session,
    *,
    municipality: str,
    login: str,
    name: str,
    role: Role,
    password: str,
    now: datetime,
) -> StaffMember:
    """Give a person a login at one municipality's desk.

    Raises:
        UnknownMunicipality: the catalogue has no such slug.
        LoginTaken: somebody has this login, here or in another municipality.
        PasswordTooShort: fewer than `MIN_PASSWORD` characters.
    """
    catalogue.municipality(municipality)
    if len(password) < MIN_PASSWORD:
        raise PasswordTooShort(MIN_PASSWORD)
    row = StaffMemberRow(
        municipality=municipality,
        login=_folded(login),
        name=name,
        role=role,
        password_hash=_hasher.hash(_octets(password)),
        created_at=now,
    )
    try:
        with session.begin_nested():
            session.add(row)
    except IntegrityError:
        raise LoginTaken(login) from None
    audit.record(session, municipality, actor="cli", action="staff.added", subject=f"staff:{row.id}", at=now)
    return _member(row)


def begin_sign_in(session: Session, login: str, *, now: datetime) -> Attempt:
    """Count a try before it is checked, so that a thousand at once are a thousand; commit, then check."""
    folded = _folded(login)
    login_hash = sha256(folded.encode()).hexdigest()
    row = staff_member_by_login(session, folded)
    seen = failures_of(session, login_hash)
    blocked_until = None
    if seen and seen.failures >= FREE_TRIES:
        wait = min(timedelta(minutes=1) * 2 ** min(seen.failures - FREE_TRIES, 10), LONGEST_WAIT)
        blocked_until = seen.last_at + wait if seen.last_at + wait > now else None
    if (
        blocked_until is None
    ):  # a try while blocked lengthens nothing: nobody can keep a colleague out for ever
        count_failure(session, login_hash, at=now)
    nobody = _nobodys_hash()
    if row is None or not row.active:
        return Attempt(login_hash, None, nobody, blocked_until)
    return Attempt(login_hash, _member(row), row.password_hash, blocked_until)


def finish_sign_in(session: Session, attempt: Attempt, *, now: datetime) -> str:
    """Open the session of an attempt that checked out; answers the token its cookie carries."""
    assert attempt.member is not None
    forget_failures(session, attempt.login_hash)
    token = secrets.token_urlsafe(32)
    session.add(
        StaffSessionRow(token_hash=_token_hash(token), staff_member_id=attempt.member.id, started_at=now)
    )
    audit.record(
        session,
        attempt.member.municipality,
        actor=actor(attempt.member),
        action="staff.signed_in",
        subject=actor(attempt.member),
        at=now,
    )
    session.flush()
    return token


def staff_of_session(session: Session, token: str, *, now: datetime) -> StaffMember | None:
    """Who holds this token; None once signed out, dismissed or after `SESSION_LENGTH`."""
    row = staff_member_of_session(session, _token_hash(token), started_after=now - SESSION_LENGTH)
    return _member(row) if row else None


def sign_out(session: Session, token: str) -> None:
    end_session(session, _token_hash(token))


def change_password(session: Session, login: str, password: str, *, now: datetime) -> StaffMember | None:
    """Set a new password and sign every browser out; None when nobody has this login."""
    if len(password) < MIN_PASSWORD:
        raise PasswordTooShort(MIN_PASSWORD)
    row = staff_member_by_login(session, _folded(login))
    if row is None:
        return None
    replace_password(session, row.id, _hasher.hash(_octets(password)))
    end_sessions_of(session, row.id)
    audit.record(
        session,
        row.municipality,
        actor="cli",
        action="staff.password_changed",
        subject=f"staff:{row.id}",
        at=now,
    )
    return _member(row)


def forget_old_sign_ins(session: Session, *, now: datetime) -> None:
    """Delete sessions that have ended and failures that no longer block."""
    delete_old_sign_ins(session, before=now - SESSION_LENGTH)


def actor(member: StaffMember) -> str:
    """How the audit chain names a staff member: a number, never a name."""
    return f"staff:{member.id}"


def name_of_actor(who: str, names: Mapping[int, str]) -> str | None:
    """The name behind an actor of the audit chain, by those of a desk; None for the command line and the worker."""
    kind, _, number = who.partition(":")
    return names.get(int(number)) if kind == "staff" and number.isdigit() else None


def _folded(login: str) -> str:
    readable = login.encode("utf-8", "ignore").decode().replace("\0", "")
    return normalize("NFKC", readable).strip().casefold()


def _octets(password: str) -> bytes:
    return normalize("NFKC", password).encode("utf-8", "surrogatepass")


def _token_hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()


@lru_cache
def _nobodys_hash() -> str:
    return _hasher.hash(secrets.token_urlsafe(32))


def _member(row: StaffMemberRow) -> StaffMember:
    return StaffMember(row.id, row.municipality, row.login, row.name, Role(row.role))
