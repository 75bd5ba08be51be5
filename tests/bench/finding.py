"""``make bench-finding``: a name and the nearest stop, among ten thousand stops and among a million.

Both towns are as large on the map, so that the bigger one is a hundred times as crowded. Questions are asked
through the services, one at a time, sizes in turn. With ``postgresql`` as an argument the same on PostgreSQL;
two numbers are other sizes.
"""

import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from itertools import product
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine
from sqlalchemy.orm import Session

from portal.domain.batches import batches
from portal.domain.geo import Grid, cell_of
from portal.domain.names import slips_of, words
from portal.services.itineraries.places import find_places
from portal.services.itineraries.showing import nearest_boarding_points
from portal.storage.database import make_engine
from portal.storage.itineraries import (
    ItineraryRow,
    ItineraryStopRow,
    NameWordRow,
    StopRow,
    TimetableFeedRow,
    TimetableImportRow,
    WordSlipRow,
)
from portal.storage.tables import metadata
from tests import postgresql

TOWN = "caraguatatuba-sp"
NOW = datetime(2026, 11, 30, 15, tzinfo=UTC)
SIZES = (10_000, 1_000_000)
ROUNDS, QUESTIONS = 15, 20
SOUTH, WEST, SIDE = -23.75, -45.55, 0.30
"""A square of about thirty kilometres."""
KINDS = ("Rua", "Avenida", "Praça", "Travessa", "Estrada", "Largo", "Terminal", "Praia", "Alameda", "Rodovia")
SYLLABLES = ("ba", "ca", "do", "fi", "gua", "ja", "la", "ma", "nu", "pe", "ra", "sa", "ti", "vo", "xi", "çu")
VOCABULARY = tuple(sorted({"".join(parts) for parts in product(SYLLABLES, repeat=4)}))[::3]
"""21,845 made-up words, of eight letters and more."""


def names(size: int) -> Iterator[str]:
    chooser = random.Random(7)
    for _ in range(size):
        # Some words stand in very many names and most in few, as in any town.
        often, seldom = int(len(VOCABULARY) * chooser.random() ** 4), chooser.randrange(len(VOCABULARY))
        yield f"{chooser.choice(KINDS)} {VOCABULARY[often].title()} {VOCABULARY[seldom].title()}"


def load(engine: Engine, size: int) -> None:
    """A town with ``size`` boarding points, twenty to an itinerary, without a timetable."""
    secondary = [index for row in WRITTEN for index in row.__table__.indexes]
    with Session(engine) as session, session.begin():
        feed = TimetableFeedRow(municipality=TOWN, name="bench")
        session.add(feed)
        session.flush()
        run = TimetableImportRow(
            feed_id=feed.id, kind="tables", file_name="bench", digest="0" * 64, outcome="merged",
            started_at=NOW, as_of=date(2026, 11, 30), counts={"stops": size}, problems=[],
        )  # fmt: skip
        session.add(run)
        session.flush()
        feed.current_import_id = run.id
        number = run.id
    with engine.begin() as connection:
        for index in secondary:  # written once at the end, a million rows cost a tenth of it
            index.drop(connection)
        for row, lines in rows(size, number):
            _write(connection, row, lines)
        for index in secondary:
            index.create(connection)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.exec_driver_sql("ANALYZE")


WRITTEN = (ItineraryRow, StopRow, NameWordRow, ItineraryStopRow, WordSlipRow)


def rows(size: int, number: int) -> Iterator[tuple[type[Any], list[list[Any]]]]:
    """What stands in each table of the town, in portions; ``number`` is its import."""
    chooser = random.Random(11)
    vocabulary: set[str] = set()
    for some in batches(range(1, size // 20 + 1), 5_000):
        yield ItineraryRow, [[n, number, f"L{n}", f"Linha {n}", "{}"] for n in some]
    for some in batches(enumerate(names(size), 1), 5_000):
        stops, named = [], []
        for n, name in some:
            north, east = SOUTH + chooser.random() * SIDE, WEST + chooser.random() * SIDE
            cells = [cell_of(north, east, grid) for grid in (Grid.FINEST, Grid.FINE, Grid.COARSE)]
            folded = words(name)
            stops.append([n, number, f"P{n}", name, " ".join(folded), north, east, *cells, "boarding_point"])
            named += [["stop", n, word, number, len(folded)] for word in folded]
            vocabulary.update(folded)
        yield StopRow, stops
        yield NameWordRow, named
        yield ItineraryStopRow, [[(n - 1) // 20 + 1, "outbound", (n - 1) % 20, n] for n, _ in some]
    every = ([number, slip, word] for word in sorted(vocabulary) for slip in sorted(slips_of(word)))
    for slips in batches(every, 5_000):
        yield WordSlipRow, slips


def _write(connection: Connection, row: type[Any], lines: list[list[Any]]) -> None:
    table = row.__table__
    columns = COLUMNS.get(row) or [column.name for column in table.columns]
    columns = columns[: len(lines[0])]
    cursor = connection.connection.cursor()
    if connection.dialect.name == "postgresql":
        with cursor.copy(f"COPY {table.name} ({', '.join(columns)}) FROM STDIN") as copy:
            for line in lines:
                copy.write_row(line)
    else:
        places = ", ".join("?" * len(columns))
        cursor.executemany(f"INSERT INTO {table.name} ({', '.join(columns)}) VALUES ({places})", lines)
    cursor.close()


COLUMNS = {ItineraryRow: ["id", "import_id", "code", "name", "names"]}


def questions() -> dict[str, Callable[[Session, random.Random, list[str]], object]]:
    def typed(session: Session, text: str) -> object:
        found = find_places(session, TOWN, text)
        assert found, text
        return found

    def whole(session: Session, chooser: random.Random, known: list[str]) -> object:
        return typed(session, chooser.choice(known).upper())

    def common(session: Session, chooser: random.Random, known: list[str]) -> object:
        return typed(session, chooser.choice(KINDS))

    def slip(session: Session, chooser: random.Random, known: list[str]) -> object:
        word = chooser.choice(known).split()[2]
        at = chooser.randrange(1, len(word) - 1)
        return typed(session, f"{word[:at]}{word[at + 1 :]}")

    def nowhere(session: Session, chooser: random.Random, known: list[str]) -> object:
        return find_places(session, TOWN, "qwertyuiop zzkk")

    def nearest(session: Session, chooser: random.Random, known: list[str]) -> object:
        north, east = SOUTH + chooser.random() * SIDE, WEST + chooser.random() * SIDE
        found = nearest_boarding_points(session, north, east, at=NOW, municipality=TOWN)
        assert len(found) == 5
        return found

    return {
        "a whole name": whole, "one common word": common, "a slip of a letter": slip,
        "what is not there": nowhere, "the nearest five": nearest,
    }  # fmt: skip


def race(engines: dict[int, Engine]) -> dict[tuple[str, int], float]:
    """Milliseconds a question, the median of the rounds."""
    known = [name for _, name in zip(range(2_000), names(2_000), strict=True)]
    times: dict[tuple[str, int], list[float]] = {}
    for turn in range(ROUNDS + 1):
        for asked, ask in questions().items():
            for size, engine in engines.items():
                chooser = random.Random(turn)
                with Session(engine) as session, session.begin():
                    started = time.perf_counter()
                    for _ in range(QUESTIONS):
                        ask(session, chooser, known)
                        session.expunge_all()
                    if turn:  # the first round warms up
                        spent = (time.perf_counter() - started) * 1000 / QUESTIONS
                        times.setdefault((asked, size), []).append(spent)
    return {key: statistics.median(found) for key, found in times.items()}


@contextmanager
def _databases(on_postgresql: bool, sizes: tuple[int, ...]) -> Iterator[Callable[[int], str]]:
    with tempfile.TemporaryDirectory() as folder:
        if not on_postgresql:
            yield lambda size: f"sqlite:///{Path(folder) / f'{size}.db'}"
            return
        with postgresql.running() as server:
            assert server is not None, "no PostgreSQL here"
            with _each(server, min(sizes)) as address:
                yield address


@contextmanager
def _each(server: URL, smaller: int) -> Iterator[Callable[[int], str]]:
    with postgresql.database(server, "few") as few, postgresql.database(server, "many") as many:
        yield lambda size: (few if size == smaller else many).render_as_string(hide_password=False)


def main() -> None:
    sizes = tuple(int(word) for word in sys.argv[1:] if word.isdigit()) or SIZES
    with _databases("postgresql" in sys.argv, sizes) as address:
        engines = {}
        for size in sizes:
            started = time.perf_counter()
            engines[size] = make_engine(address(size))
            metadata().create_all(engines[size])
            load(engines[size], size)
            print(f"{size:,} stops written in {time.perf_counter() - started:.0f} s", file=sys.stderr)
        found = race(engines)
        few, many = sizes
        print(f"{'':22}{few:>12,} stops{many:>14,} stops   as long")
        for asked in questions():
            one, other = found[asked, few], found[asked, many]
            print(f"{asked:22}{one:15.2f} ms{other:17.2f} ms{other / one:10.2f}")
        for engine in engines.values():
            engine.dispose()


if __name__ == "__main__":
    main()
