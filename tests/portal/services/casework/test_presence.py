"""Two people at one complaint are told of each other when they open it."""

from datetime import timedelta

import pytest

from portal.domain.errors import NothingHere
from portal.domain.staff import Role
from portal.services import casework
from portal.services.casework.presence import RECENTLY
from tests.portal.services.casework.conftest import NOW, TOWN, member_of


@pytest.fixture
def rui(session):
    return member_of(session, TOWN, name="Rui")


def at(session, staff, case, now=NOW):
    found = casework.colleague_at(session, staff, case.protocol, now=now)
    return found and (found.name, found.changed)


def test_nobody_is_told_of_themselves(session, ana, case):
    casework.note_visit(session, ana, case.protocol, now=NOW)
    casework.start_review(session, ana, case.protocol, now=NOW)

    assert at(session, ana, case) is None


def test_who_opened_it_is_told_to_the_second(session, ana, rui, case):
    casework.note_visit(session, ana, case.protocol, now=NOW)

    assert at(session, rui, case) == ("Ana", False)


def test_a_change_says_more_than_a_visit(session, ana, rui, case):
    casework.start_review(session, ana, case.protocol, now=NOW)
    casework.note_visit(session, ana, case.protocol, now=NOW + timedelta(minutes=2))

    assert at(session, rui, case, NOW + timedelta(minutes=3)) == ("Ana", True)


@pytest.mark.parametrize(("since", "told"), [(RECENTLY, True), (RECENTLY + timedelta(seconds=1), False)])
def test_it_is_told_for_a_quarter_of_an_hour(session, ana, rui, case, since, told):
    casework.start_review(session, ana, case.protocol, now=NOW)
    casework.note_visit(session, ana, case.protocol, now=NOW)

    assert (at(session, rui, case, NOW + since) is not None) is told


def test_opening_it_again_is_one_visit(session, ana, rui, case):
    for minutes in (0, 5):
        casework.note_visit(session, ana, case.protocol, now=NOW + timedelta(minutes=minutes))

    found = casework.colleague_at(session, rui, case.protocol, now=NOW + timedelta(minutes=6))
    assert found
    assert found.at == NOW + timedelta(minutes=5)


def test_an_inspector_who_changes_nothing_is_in_nobodys_way(session, ana, case):
    davi = member_of(session, TOWN, Role.INSPECTOR, "Davi")
    casework.note_visit(session, davi, case.protocol, now=NOW)

    assert at(session, ana, case) is None


def test_another_towns_complaint_does_not_exist(session, stranger, case):
    for look in (casework.note_visit, casework.colleague_at):
        with pytest.raises(NothingHere):
            look(session, stranger, case.protocol, now=NOW)
