"""The plans of what every page, message and worker asks again and again: tables that grow are entered by an index.

On SQLite as it plans by itself; on PostgreSQL a planner reads a table of three rows whole, and is told not to, so
that it shows whether there is an index to use.
"""

import re

import pytest
from sqlalchemy import event

from portal.services import casework
from portal.services.casework import raise_alarms
from portal.services.complaints import intake, lifecycle, tracking
from portal.services.messages import outbox, telegram
from portal.services.people import staff
from portal.services.verdicts.verification import verify_everywhere, verify_permit
from portal.storage.chores import claim_chores
from portal.storage.prepared import Prepared
from tests.factories.permits import put_list, put_permit
from tests.portal.services.casework.conftest import NOW, TODAY, TOWN, member_of

SMALL = {
    "permit_lists", "chores", "audit_heads", "staff_members", "timetable_feeds", "timetable_imports", "import_runs",
}  # fmt: skip
"""A handful of rows a town, however large it is."""

pytestmark = pytest.mark.usefixtures("ombudsman_keys")


def a_draft(session):
    return intake.start_draft(session, municipality=TOWN, channel="web", language="pt_BR", now=NOW).token


LOOK_UPS = {
    "verify a plate in one town": lambda session: verify_permit(session, TOWN, "BRA2E19", on=TODAY, now=NOW),
    "verify a plate everywhere": lambda session: verify_everywhere(session, "BRA2E19", now=NOW),
    "verify a number": lambda session: verify_permit(session, TOWN, "2026/0001", on=TODAY, now=NOW),
    "read a draft": lambda session: intake.read_draft(session, a_draft(session), now=NOW),
    "answer a draft": lambda session: intake.answer(
        session, a_draft(session), "what", "overcrowding", now=NOW
    ),
    "track with a wrong pair": lambda session: tracking.track(session, "7K3M-9QXT-4B2C", "a b c", now=NOW),
    "open a case by its ticket": lambda session: tracking.reopen(
        session, tracking.issue_ticket(complaint(session), now=NOW), now=NOW
    ),
    "the desk's list": lambda session: casework.list_cases(session, member_of(session, TOWN), today=TODAY),
    "one case at the desk": lambda session: casework.read_case(
        session, member_of(session, TOWN), complaint(session), today=TODAY
    ),
    "due dates that are near": lambda session: raise_alarms(session, now=NOW),
    "time that passes": lambda session: lifecycle.let_time_pass(session, now=NOW),
    "drafts whose time is over": lambda session: intake.sweep_drafts(session, now=NOW),
    "attempts that no longer count": lambda session: tracking.sweep_attempts(session, now=NOW),
    "the next delivery": lambda session: outbox.next_delivery(session, ["mail"]),
    "claim a delivery": lambda session: outbox.claim(session, ["mail", "telegram"], now=NOW, limit=1),
    "forget deliveries": lambda session: outbox.forget_old_deliveries(session, now=NOW),
    "a staff member's session": lambda session: staff.staff_of_session(session, "token", now=NOW),
    "old sessions": lambda session: staff.forget_old_sign_ins(session, now=NOW),
    "updates to work": lambda session: telegram.waiting_of(session, "1"),
    "updates handled": lambda session: telegram.forget_handled(session, now=NOW),
    "a chat": lambda session: telegram.read_chat(session, 1),
    "whose turn a chore is": lambda session: claim_chores(session, ["files"], now=NOW, until=NOW),
}


def complaint(session) -> str:
    from tests.factories.complaints import put_complaint

    return put_complaint(session, municipality=TOWN).protocol


@pytest.fixture
def register(session):
    put_list(session, TOWN)
    put_permit(session, TOWN, plate="BRA2E19")
    session.flush()


def statements_of(session, look_up, monkeypatch) -> list[tuple[str, object]]:
    """What a look-up asks, through SQLAlchemy or through its prepared selects."""
    heard: list[tuple[str, object]] = []
    rows = Prepared.rows

    def hear(connection, cursor, statement, parameters, context, many):
        if not many:
            heard.append((statement, parameters))

    def hear_prepared(prepared, source, parameters):
        plan = prepared._plan(source.dialect if hasattr(source, "dialect") else source.connection().dialect)
        heard.append((plan.sql, plan.bind(parameters)))
        return rows(prepared, source, parameters)

    bound = session.get_bind()
    monkeypatch.setattr(Prepared, "rows", hear_prepared)
    event.listen(bound, "before_cursor_execute", hear)
    try:
        look_up(session)
    finally:
        event.remove(bound, "before_cursor_execute", hear)
        monkeypatch.undo()
    words = ("SELECT", "UPDATE", "DELETE", "WITH")
    return [(said, values) for said, values in heard if said.lstrip().upper().startswith(words)]


def read_whole(session, asked) -> set[tuple[str, str]]:
    connection = session.connection()
    on_sqlite = connection.dialect.name == "sqlite"
    if not on_sqlite:
        connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
    scan = re.compile(r"^SCAN (?!CONSTANT)(\w+)(?! USING)" if on_sqlite else r"Seq Scan on (\w+)")
    explain = "EXPLAIN QUERY PLAN " if on_sqlite else "EXPLAIN "
    tables = set(connection.dialect.get_table_names(connection)) - SMALL
    return {
        (table, said)
        for said, values in asked
        for row in connection.exec_driver_sql(
            explain + said, tuple(values) if isinstance(values, list) else values
        )
        for table in scan.findall(str(row[-1]))
        if table in tables and "USING COVERING INDEX" not in str(row[-1])
    }


@pytest.mark.parametrize("look_up", LOOK_UPS.values(), ids=LOOK_UPS)
def test_no_table_that_grows_is_read_through(session, register, look_up, monkeypatch):
    asked = statements_of(session, look_up, monkeypatch)
    assert asked
    assert read_whole(session, asked) == set()
