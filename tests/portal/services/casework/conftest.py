"""Staff of two towns and a complaint.

It was filed on 1 March 2030: due on 31 March (day 30), extended to 30 April (day 60).
"""

from datetime import UTC, date, datetime

import pytest

from portal.domain.staff import Role, StaffMember
from portal.storage.staff import StaffMemberRow
from tests.factories.complaints import put_complaint

TOWN, ELSEWHERE = "caraguatatuba-sp", "chapada-dos-guimaraes-mt"
FILED = datetime(2030, 3, 1, 15, 0, tzinfo=UTC)
TODAY = date(2030, 3, 10)
NOW = datetime(2030, 3, 10, 15, 0, tzinfo=UTC)


def member_of(session, town, role=Role.OMBUDSMAN, name="Ana"):
    row = StaffMemberRow(
        municipality=town,
        login=f"{name}-{role}@{town}".lower(),
        name=name,
        role=role,
        password_hash="-",
        created_at=FILED,
    )
    session.add(row)
    session.flush()
    return StaffMember(row.id, town, row.login, row.name, role)


@pytest.fixture
def ana(session):
    return member_of(session, TOWN)


@pytest.fixture
def clerk(session):
    return member_of(session, TOWN, Role.CLERK)


@pytest.fixture
def stranger(session):
    return member_of(session, ELSEWHERE)


@pytest.fixture
def case(session):
    return put_complaint(session, filed_at=FILED, due_on=date(2030, 3, 31))
