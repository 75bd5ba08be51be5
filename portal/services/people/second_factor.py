"""The code that a staff member shows beside the password: of an authenticator (RFC 6238), or a recovery code.

A code of the authenticator is taken once, however often it is sent within its half-minute; so is a recovery code.
The secret lies encrypted under the desk's own key, which neither the database nor the public portal has.
"""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from datetime import datetime

import pyotp
from sqlalchemy.orm import Session

from portal.domain.staff import StaffMember
from portal.sealing.secrets import Secrets, decrypt, decrypt_kept, each, encrypt, newest
from portal.services.people import audit
from portal.services.people.staff import actor, count_try
from portal.storage.sign_ins import (
    count_recovery_codes,
    forget_failures,
    replace_recovery_codes,
    set_authenticator,
    take_recovery_code,
    take_step,
)
from portal.storage.staff import StaffMemberRow

STEP = 30
"""Seconds that a code lives; the one before and the one after are taken too, as telephones go wrong."""
RECOVERY_CODES = 10
ENROL_MINUTES = 15
"""How long a secret that is shown may be confirmed."""
ISSUER = "Embarque Legal"

_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"
_ENROLMENT, _KEPT = "authenticator being enrolled", "authenticator"


@dataclass(frozen=True, slots=True)
class Enrolment:
    """A new secret, on its way from the page to the authenticator and back as a ticket."""

    secret: str
    """In base 32, as one types it where no camera is at hand."""
    address: str
    """``otpauth://…``, for the QR code."""
    ticket: str


@dataclass(frozen=True, slots=True)
class CodeTry:
    """What became of a code: ``by`` is ``code`` or ``recovery`` when it was right, else None."""

    by: str | None = None
    blocked_until: datetime | None = None


def offer_authenticator(member: StaffMember, *, secret: Secrets, now: datetime, shown: str = "") -> Enrolment:
    """A secret to be enrolled; ``shown`` is one that a ticket already holds. ``secret`` is the desk's own key."""
    new = shown or pyotp.random_base32()
    town_login = f"{member.login} ({member.municipality})"
    return Enrolment(
        secret=new,
        address=pyotp.TOTP(new).provisioning_uri(name=town_login, issuer_name=ISSUER),
        ticket=encrypt(f"{member.id} {new}", secret, purpose=_ENROLMENT, now=now).decode(),
    )


def offered_again(member: StaffMember, ticket: str, *, secret: Secrets, now: datetime) -> Enrolment:
    """The same secret once more, after a code that was mistyped; a new one when the ticket is old or another's."""
    return offer_authenticator(member, secret=secret, now=now, shown=_offered(member, ticket, secret, now))


def enrol(
    session: Session, member: StaffMember, ticket: str, code: str, *, secret: Secrets, now: datetime
) -> tuple[str, ...] | None:
    """Keep the authenticator of a ticket once it shows a right code; answers fresh recovery codes, else None.

    They are told this once: what is stored are their hashes.
    """
    offered = _offered(member, ticket, secret, now)
    step = _matching_step(offered, code, now) if offered else None
    if step is None:
        return None
    set_authenticator(session, member.id, encrypt(offered, secret, purpose=_KEPT, now=now), step)
    _log(session, member, "staff.authenticator_enrolled", now)
    return _fresh_codes(session, member, secret)


def new_recovery_codes(
    session: Session, member: StaffMember, *, secret: Secrets, now: datetime
) -> tuple[str, ...]:
    """Recovery codes in place of those handed out before, which open nothing any more."""
    _log(session, member, "staff.recovery_codes_replaced", now)
    return _fresh_codes(session, member, secret)


def recovery_codes_left(session: Session, member: StaffMember) -> int:
    return count_recovery_codes(session, member.id)


def has_authenticator(session: Session, member: StaffMember) -> bool:
    return session.get_one(StaffMemberRow, member.id).totp_secret is not None


def try_code(
    session: Session, member: StaffMember, code: str, *, place: str, secret: Secrets, now: datetime
) -> CodeTry:
    """Check a code of the authenticator, or a recovery code, and use it up; a wrong one is counted: commit either way.

    ``place`` is where the password was right (`Attempt.place`). A known browser's failures count apart; all others
    count together, so that whoever has stolen a password cannot guess a million codes from a million networks.
    """
    key = _hash(secret, f"tries\0{member.id}\0{place if place.startswith('browser ') else ''}")
    login_hash = hashlib.sha256(member.login.encode()).hexdigest()
    if blocked := count_try(session, key, login_hash, now=now):
        return CodeTry(blocked_until=blocked)
    row = session.get_one(StaffMemberRow, member.id)
    kept = decrypt_kept(row.totp_secret, secret, purpose=_KEPT) if row.totp_secret else None
    step = _matching_step(kept, code, now) if kept else None
    by = None
    if step is not None:
        by = "code" if take_step(session, member.id, step) else None
    elif any(take_recovery_code(session, member.id, _code_hash(member, code, one)) for one in each(secret)):
        by = "recovery"
    if by:
        forget_failures(session, key)
    return CodeTry(by)


def _offered(member: StaffMember, ticket: str, secret: Secrets, now: datetime) -> str:
    told = decrypt(ticket.encode(), secret, purpose=_ENROLMENT, now=now, minutes=ENROL_MINUTES) or " "
    owner, _space, offered = told.partition(" ")
    return offered if owner == str(member.id) else ""


def _matching_step(secret: str, code: str, now: datetime) -> int | None:
    typed = "".join(code.split())
    if not (typed.isascii() and typed.isdigit() and len(typed) == 6):
        return None
    present, totp = int(now.timestamp()) // STEP, pyotp.TOTP(secret)
    return next(
        (
            step
            for step in (present, present - 1, present + 1)
            if hmac.compare_digest(totp.generate_otp(step), typed)
        ),
        None,
    )


def _fresh_codes(session: Session, member: StaffMember, secret: Secrets) -> tuple[str, ...]:
    codes = tuple(
        "-".join("".join(secrets.choice(_ALPHABET) for _ in range(5)) for _ in range(2))
        for _ in range(RECOVERY_CODES)
    )
    replace_recovery_codes(session, member.id, [_code_hash(member, code, secret) for code in codes])
    return codes


def _code_hash(member: StaffMember, code: str, secret: Secrets) -> str:
    typed = "".join(letter for letter in code.casefold() if letter in _ALPHABET)
    return _hash(secret, f"recovery\0{member.id}\0{typed}")


def _hash(secret: Secrets, text: str) -> str:
    return hmac.new(newest(secret).encode(), text.encode("utf-8", "replace"), hashlib.sha256).hexdigest()


def _log(session: Session, member: StaffMember, action: str, now: datetime) -> None:
    audit.record(
        session, member.municipality, actor=actor(member), action=action, subject=actor(member), at=now
    )
