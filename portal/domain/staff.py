"""Who works at a desk. A staff member belongs to one municipality and sees nothing of another."""

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    OMBUDSMAN = "ombudsman"
    """Reads, routes and answers complaints, and alone may open an identity."""
    CLERK = "clerk"
    """Reads and routes complaints and keeps the register."""
    INSPECTOR = "inspector"
    """Reads the facts of a complaint, never who sent it."""


@dataclass(frozen=True, slots=True)
class StaffMember:
    id: int
    municipality: str
    login: str
    name: str
    role: Role

    @property
    def may_answer(self) -> bool:
        return self.role is Role.OMBUDSMAN

    @property
    def may_route(self) -> bool:
        return self.role in (Role.OMBUDSMAN, Role.CLERK)

    @property
    def may_open_identity(self) -> bool:
        return self.role is Role.OMBUDSMAN

    @property
    def may_keep_register(self) -> bool:
        return self.role is Role.CLERK

    @property
    def may_read_register(self) -> bool:
        return self.role in (Role.CLERK, Role.OMBUDSMAN)
