"""One login a role, at the desk of one town."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from portal.domain.staff import Role, StaffMember
from portal.services.demonstration import Case, Subject
from portal.services.people.staff import add_staff

PASSWORD = "demonstracao"  # noqa: S105  # printed for everybody: it opens invented complaints alone
LOGINS = {
    Role.OMBUDSMAN: "ouvidoria",
    Role.CLERK: "cadastro",
    Role.INSPECTOR: "fiscalizacao",
    Role.AUDITOR: "auditoria",
}


@dataclass(frozen=True, slots=True)
class DemonstrationStaff:
    ombudsman: StaffMember
    cases: tuple[Case, ...]


def add_demonstration_staff(session: Session, municipality: str, *, now: datetime) -> DemonstrationStaff:
    """Add the staff of the demonstration's desk."""
    members = {
        role: add_staff(
            session,
            municipality=municipality,
            login=login,
            name=f"{login.capitalize()} (demonstração)",
            role=role,
            password=PASSWORD,
            now=now,
        )
        for role, login in LOGINS.items()
    }
    cases = tuple(
        Case(Subject.STAFF, role, municipality, login=login, password=PASSWORD)
        for role, login in LOGINS.items()
    )
    return DemonstrationStaff(members[Role.OMBUDSMAN], cases)
