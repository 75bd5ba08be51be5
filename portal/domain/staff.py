"""Who works at a desk. A staff member belongs to one municipality and sees nothing of another."""

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    OMBUDSMAN = "ombudsman"
    """Reads, routes and answers complaints, and alone may open an identity."""
    CLERK = "clerk"
    """Keeps the register, and reads no complaint."""
    INSPECTOR = "inspector"
    """Reads the facts of a complaint, never who sent it; changes nothing."""
    AUDITOR = "auditor"
    """Reads the audit log and the statistics; no complaint, no identity, and changes nothing."""


@dataclass(frozen=True, slots=True)
class StaffMember:
    id: int
    municipality: str
    login: str
    name: str
    role: Role

    @property
    def may_read_cases(self) -> bool:
        return self.role in (Role.OMBUDSMAN, Role.INSPECTOR)

    @property
    def may_answer(self) -> bool:
        return self.role is Role.OMBUDSMAN

    @property
    def may_route(self) -> bool:
        return self.role is Role.OMBUDSMAN

    @property
    def may_open_identity(self) -> bool:
        return self.role is Role.OMBUDSMAN

    @property
    def may_keep_register(self) -> bool:
        return self.role is Role.CLERK

    @property
    def may_read_register(self) -> bool:
        return self.role in (Role.CLERK, Role.OMBUDSMAN)

    @property
    def may_read_log(self) -> bool:
        return self.role in (Role.AUDITOR, Role.OMBUDSMAN)

    @property
    def may_read_statistics(self) -> bool:
        return self.role in (Role.AUDITOR, Role.OMBUDSMAN)

    @property
    def may_see_state(self) -> bool:
        """How the service itself fares: figures, and nothing of a complaint."""
        return self.role in (Role.OMBUDSMAN, Role.CLERK, Role.AUDITOR)

    @property
    def may_see_deliveries(self) -> bool:
        """Notices that could not be delivered: their protocol and what failed, no address."""
        return self.role is Role.OMBUDSMAN
