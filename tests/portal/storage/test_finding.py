"""The plans of the hot look-ups: every table is entered by an index, on either database."""

import re

import pytest
from sqlalchemy import event

from portal.services.itineraries.departures import next_leaving
from portal.services.itineraries.places import find_places
from portal.services.itineraries.showing import nearest_boarding_points
from tests.factories.feeds import FEED, NOW, TOWN, bring_in, bring_in_orla, zip_of

SMALL = {"timetable_feeds"}
"""A few rows a town: the first query of every look-up."""

LOOKUPS = {
    "a name": lambda session: find_places(session, TOWN, "praça da matriz"),
    "a common word": lambda session: find_places(session, TOWN, "praca"),
    "a slip of a letter": lambda session: find_places(session, TOWN, "matris"),
    "the nearest": lambda session: nearest_boarding_points(session, -23.6, -45.4, at=NOW, municipality=TOWN),
    "a ride": lambda session: next_leaving(session, TOWN, stop="S1", to="S3", at=NOW),
}


@pytest.fixture
def town(session, tmp_path):
    bring_in_orla(session, tmp_path / "orla")
    bring_in(session, "gtfs", zip_of(tmp_path / "f.zip", FEED))


def statements_of(session, look_up) -> list[tuple[str, object]]:
    heard: list[tuple[str, object]] = []

    def hear(connection, cursor, statement, parameters, context, many):
        heard.append((statement, parameters))

    engine = session.get_bind()
    event.listen(engine, "before_cursor_execute", hear)
    try:
        look_up(session)
    finally:
        event.remove(engine, "before_cursor_execute", hear)
    return [(said, values) for said, values in heard if said.lstrip().upper().startswith("SELECT")]


@pytest.mark.parametrize("look_up", LOOKUPS.values(), ids=LOOKUPS)
def test_no_table_is_read_through(session, town, look_up):
    connection = session.connection()
    on_sqlite = connection.dialect.name == "sqlite"
    if not on_sqlite:
        # A planner reads a table of three rows whole; told not to, it shows whether there is an index to use.
        connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
    whole = re.compile(r"SCAN (?!CONSTANT)(\w+)" if on_sqlite else r"Seq Scan on (\w+)")
    explain = "EXPLAIN QUERY PLAN " if on_sqlite else "EXPLAIN "

    asked = statements_of(session, look_up)

    read_whole = {
        (table, said)
        for said, values in asked
        for row in connection.exec_driver_sql(explain + said, values)
        for table in whole.findall(str(row[-1]))
        if table in session.connection().dialect.get_table_names(connection) and table not in SMALL
    }
    assert asked
    assert read_whole == set()


def test_the_names_of_a_word_come_out_of_the_index_alone_and_in_its_order(session, town):
    connection = session.connection()
    if connection.dialect.name != "sqlite":
        connection.exec_driver_sql("SET LOCAL enable_seqscan = off")
        connection.exec_driver_sql("SET LOCAL enable_bitmapscan = off")
    explain = "EXPLAIN QUERY PLAN " if connection.dialect.name == "sqlite" else "EXPLAIN "
    [(said, values), *_] = [
        each for each in statements_of(session, LOOKUPS["a common word"]) if "name_words" in each[0]
    ]

    plan = " ".join(str(row[-1]) for row in connection.exec_driver_sql(explain + said, values))

    assert "ix_name_words_by_word" in plan
    assert "TEMP B-TREE" not in plan
