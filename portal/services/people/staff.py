"""Staff members of a desk: who they are, and how they sign in.

Signing in takes three steps, so that the slow digest of the password runs outside any transaction and never
holds up a citizen's complaint: `begin_sign_in` (writes: counts the try), `Attempt.check` (slow, no database),
`finish_sign_in` (writes: opens the session). Where an authenticator is asked for, its code comes in between: see
`portal.services.people.second_factor`.

Failures are counted for a login *from one place*: a browser in which this person has signed in before, or else a
network. So a stranger who tries on and on makes strangers of that network wait, and never the colleague's own browser.
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from hashlib import sha256
from ipaddress import ip_address, ip_network
from unicodedata import normalize

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from portal.domain.errors import LoginTaken, PasswordTooShort
from portal.domain.staff import Role, StaffMember
from portal.regulations import catalogue
from portal.sealing.secrets import Secrets, decrypt, encrypt
from portal.services.people import audit
from portal.storage.sign_ins import (
    count_failure,
    delete_old_failures,
    failures_of,
    forget_failures,
    forget_failures_of_login,
    replace_recovery_codes,
    set_authenticator,
)
from portal.storage.staff import (
    StaffMemberRow,
    StaffSessionRow,
    count_sessions,
    delete_old_sessions,
    end_session,
    end_sessions_of,
    replace_password,
    set_active,
    staff_member_by_login,
    staff_member_of_session,
    staff_of,
)

SESSION_LENGTH = timedelta(hours=12)
FREE_TRIES = 5
LONGEST_WAIT = timedelta(minutes=15)
MIN_PASSWORD = 12
BROWSER_KNOWN = timedelta(days=180)
"""How long a browser is remembered as one in which its person has signed in."""

# OWASP's Argon2id minimum: 19 MiB and some 20 ms, so that a small machine survives a burst of tries.
_hasher = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


@dataclass(frozen=True, slots=True)
class KnownBrowser:
    """What a browser shows of an earlier sign-in; it lets nobody in, and only parts its failures from a stranger's."""

    member_id: int
    nonce: str
    mark: str
    """Of the password then: a new one makes every browser a stranger."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A counted try. An unknown login carries a digest nobody's password has, so that the work is the same."""

    key_hash: str
    place: str
    """The browser or network that tries, as failures are counted for it."""
    member: StaffMember | None
    password_hash: str = field(repr=False)
    blocked_until: datetime | None = None
    """Too many failures in a row, for known and unknown logins alike: do not even check."""
    has_authenticator: bool = False

    def check(self, password: str) -> bool:
        """Whether the password is right; takes some 20 ms, so call it outside a unit of work."""
        try:
            _hasher.verify(self.password_hash, _octets(password))
        except (VerificationError, InvalidHashError):
            return False
        return self.member is not None and self.blocked_until is None


@dataclass(frozen=True, slots=True)
class StaffLine:
    """One line of the list of a desk's people."""

    member: StaffMember
    active: bool
    has_authenticator: bool


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


def begin_sign_in(
    session: Session,
    login: str,
    *,
    now: datetime,
    network: str = "",
    browser: KnownBrowser | None = None,
) -> Attempt:
    """Count a try before it is checked, so that a thousand at once are a thousand; commit, then check.

    Args:
        network: address of who tries; its neighbours (IPv4 /24, IPv6 /64) count as one.
        browser: what `read_browser` made of the browser's token.
    """
    folded = _folded(login)
    login_hash = _digest(folded)
    row = staff_member_by_login(session, folded)
    known = (
        browser if browser and row and browser == KnownBrowser(row.id, browser.nonce, _mark(row)) else None
    )
    place = f"browser {known.nonce}" if known else f"network {_neighbours(network)}"
    key_hash = _digest(f"{folded}\0{place}")
    blocked_until = count_try(session, key_hash, login_hash, now=now)
    if row is None or not row.active:
        return Attempt(key_hash, place, None, _nobodys_hash(), blocked_until)
    return Attempt(
        key_hash, place, _member(row), row.password_hash, blocked_until, row.totp_secret is not None
    )


def count_try(session: Session, key_hash: str, login_hash: str, *, now: datetime) -> datetime | None:
    """Count a try of this key; answers until when it must wait, if it must.

    A try while waiting lengthens nothing, so that the wait ends however often somebody presses on.
    """
    seen = failures_of(session, key_hash)
    if seen and seen.failures >= FREE_TRIES:
        wait = min(timedelta(minutes=1) * 2 ** min(seen.failures - FREE_TRIES, 10), LONGEST_WAIT)
        until: datetime = seen.last_at + wait
        if until > now:
            return until
    count_failure(session, key_hash, login_hash, at=now)
    return None


def pass_password(session: Session, attempt: Attempt) -> None:
    """The password was right: its failures are forgotten, whatever becomes of the code."""
    forget_failures(session, attempt.key_hash)


def finish_sign_in(session: Session, attempt: Attempt, *, now: datetime) -> str:
    """Open the session of an attempt that checked out; answers the token its cookie carries."""
    assert attempt.member is not None
    pass_password(session, attempt)
    return open_session(session, attempt.member, now=now)


def open_session(session: Session, member: StaffMember, *, now: datetime, by: str = "password") -> str:
    """Sign a browser in, once all that is asked for was right; answers the token its cookie carries.

    ``by`` is what the person showed last: ``password``, ``code`` or ``recovery``.
    """
    token = secrets.token_urlsafe(32)
    session.add(StaffSessionRow(token_hash=_digest(token), staff_member_id=member.id, started_at=now))
    audit.record(
        session,
        member.municipality,
        actor=actor(member),
        action="staff.signed_in" if by == "password" else f"staff.signed_in.{by}",
        subject=actor(member),
        at=now,
    )
    session.flush()
    return token


def member_of_id(session: Session, member_id: int) -> StaffMember | None:
    """The active staff member of a number."""
    row = session.get(StaffMemberRow, member_id)
    return _member(row) if row and row.active else None


def remember_browser(session: Session, member: StaffMember, *, secret: Secrets, now: datetime) -> str:
    """A token by which this browser is known at the door the next time; ``secret`` is the desk's."""
    row = session.get_one(StaffMemberRow, member.id)
    told = f"{row.id} {secrets.token_hex(8)} {_mark(row)}"
    return encrypt(told, secret, purpose=_BROWSER, now=now).decode()


def read_browser(token: str, *, secret: Secrets, now: datetime) -> KnownBrowser | None:
    """What a browser's token says; None for none, a forged or an old one."""
    minutes = int(BROWSER_KNOWN.total_seconds() // 60)
    told = decrypt(token.encode(), secret, purpose=_BROWSER, now=now, minutes=minutes)
    if told is None:
        return None
    member_id, nonce, mark = told.split()
    return KnownBrowser(int(member_id), nonce, mark)


def staff_of_session(session: Session, token: str, *, now: datetime) -> StaffMember | None:
    """Who holds this token; None once signed out, dismissed or after `SESSION_LENGTH`."""
    row = staff_member_of_session(session, _digest(token), started_after=now - SESSION_LENGTH)
    return _member(row) if row else None


def sign_out(session: Session, token: str) -> None:
    end_session(session, _digest(token))


def sign_out_everywhere(session: Session, member: StaffMember, *, now: datetime) -> None:
    """End every session of a staff member, this one too."""
    end_sessions_of(session, member.id)
    _log(session, member, "staff.signed_out_everywhere", now, by=actor(member))


def sessions_open(session: Session, member: StaffMember, *, now: datetime) -> int:
    """In how many browsers a staff member is signed in."""
    return count_sessions(session, member.id, started_after=now - SESSION_LENGTH)


def change_password(
    session: Session, login: str, password: str, *, now: datetime, by: str = "cli"
) -> StaffMember | None:
    """Set a new password and sign every browser out; None when nobody has this login."""
    if len(password) < MIN_PASSWORD:
        raise PasswordTooShort(MIN_PASSWORD)
    row = staff_member_by_login(session, _folded(login))
    if row is None:
        return None
    replace_password(session, row.id, _hasher.hash(_octets(password)))
    session.expire(row)
    end_sessions_of(session, row.id)
    _log(session, _member(row), "staff.password_changed", now, by=by)
    return _member(row)


def reset(session: Session, login: str, password: str, *, now: datetime) -> StaffMember | None:
    """For somebody who lost the password or the authenticator: a new password, no authenticator, no session, no wait.

    At the next sign-in an authenticator is enrolled anew. None when nobody has this login.
    """
    member = change_password(session, login, password, now=now)
    if member is None:
        return None
    set_authenticator(session, member.id, None, None)
    replace_recovery_codes(session, member.id, ())
    forget_failures_of_login(session, _digest(_folded(login)))
    _log(session, member, "staff.authenticator_removed", now, by="cli")
    return member


def list_staff(session: Session, municipality: str | None = None) -> tuple[StaffLine, ...]:
    """Who has a login, in one municipality or in all."""
    return tuple(
        StaffLine(_member(row), row.active, row.totp_secret is not None)
        for row in staff_of(session, municipality)
    )


def set_allowed(session: Session, login: str, allowed: bool, *, now: datetime) -> StaffMember | None:
    """Dismiss a staff member, whose sessions end at once, or let one back in; None when nobody has this login.

    The row stays: the log and the answers name it.
    """
    row = staff_member_by_login(session, _folded(login))
    if row is None:
        return None
    set_active(session, row.id, allowed)
    end_sessions_of(session, row.id)
    _log(session, _member(row), "staff.allowed" if allowed else "staff.dismissed", now, by="cli")
    return _member(row)


def forget_old_sign_ins(session: Session, *, now: datetime) -> None:
    """Delete sessions that have ended and failures that no longer block."""
    delete_old_sessions(session, before=now - SESSION_LENGTH)
    delete_old_failures(session, before=now - SESSION_LENGTH)


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


_BROWSER = "known browser"


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _mark(row: StaffMemberRow) -> str:
    return _digest(f"known browser\0{row.password_hash}")[:16]


def _neighbours(address: str) -> str:
    try:
        read = ip_address(address)
    except ValueError:
        return address[:60]
    return str(ip_network(f"{read}/{24 if read.version == 4 else 64}", strict=False))


def _log(session: Session, member: StaffMember, action: str, now: datetime, *, by: str) -> None:
    audit.record(session, member.municipality, actor=by, action=action, subject=actor(member), at=now)


@lru_cache
def _nobodys_hash() -> str:
    return _hasher.hash(secrets.token_urlsafe(32))


def _member(row: StaffMemberRow) -> StaffMember:
    return StaffMember(row.id, row.municipality, row.login, row.name, Role(row.role))
