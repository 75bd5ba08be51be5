"""The proof of a look-up: given for a verdict, and checked against what the register held and holds."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from portal.domain.errors import ReceiptUnknown
from portal.domain.look_ups import ListAsked, LookUp
from portal.domain.permits import HolderKind
from portal.domain.verdicts import PermitFinding, Verdict
from portal.regulations import catalogue
from portal.sealing.proofs import ForgedProof, ProofKey, read_proof, write_proof
from portal.services.verdicts.verification import verify_permit


@dataclass(frozen=True, slots=True)
class CheckedProof:
    """A proof that this portal gave."""

    code: str
    """As it is written: in groups of four."""
    municipality: str
    look_up: LookUp
    permits: tuple[PermitFinding, ...]
    """Of companies, as the register held them then; of a person's nothing is told again."""
    now: Verdict
    """What the list says today of what was asked."""


def prove(verdict: Verdict, keys: Sequence[ProofKey]) -> str:
    """The code that proves what a verdict said; nothing is stored.

    Raises:
        ReceiptUnknown: this portal has no key for it.
    """
    if not keys:
        raise ReceiptUnknown
    return write_proof(_look_up(verdict), keys)


def check_proof(session: Session, code: str, keys: Sequence[ProofKey], *, now: datetime) -> CheckedProof:
    """What a proof says, and what the list says now.

    Raises:
        ReceiptUnknown: this portal never said so, or the code was changed on the way.
    """
    try:
        look_up = read_proof(code, keys)
    except ForgedProof:
        raise ReceiptUnknown from None
    town = next((one for one in catalogue.municipalities() if one.ibge_code == look_up.town), None)
    if town is None:
        raise ReceiptUnknown
    # The register forgets nothing: asked again as it was known then, it tells the permits too.
    then = verify_permit(
        session, town.slug, look_up.asked, on=look_up.on, now=look_up.at, known_at=look_up.at
    )
    same = then.status is look_up.status
    return CheckedProof(
        code=write_proof(look_up, keys),
        municipality=town.slug,
        look_up=look_up,
        permits=tuple(one for one in then.permits if same and one.holder_kind is HolderKind.COMPANY),
        now=verify_permit(session, town.slug, look_up.asked, on=town.civil_day(now), now=now),
    )


def _look_up(verdict: Verdict) -> LookUp:
    return LookUp(
        town=catalogue.municipality(verdict.municipality).ibge_code,
        asked=verdict.asked,
        on=verdict.on,
        at=verdict.computed_at.replace(microsecond=0),
        status=verdict.status,
        limited=bool(verdict.limits),
        lists=tuple(ListAsked(one.as_of, one.kind != "register", one.stale) for one in verdict.lists),
    )
