"""``python -m tests.bench.complaints``: complaints filed a second, beside bare durable writes of the same rows.

What the service writes is noted as it goes to the database, statement by statement, and then written once more to a
twin of the database by the driver alone: the same rows of the same tables in as many commits, each on disk before the
next begins (SQLite with ``synchronous=FULL``, PostgreSQL with ``fsync``). The bare side is given finished statements;
it reads nothing, checks nothing, seals nothing. Rounds interleave, so that a busy machine slows both alike.

Words choose: ``sqlite`` or ``postgresql`` (both without), ``--profile`` for the functions that filing calls most. Two
numbers are rounds and complaints a round.
"""

import cProfile
import json
import os
import pstats
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Engine, event, text

import portal.config
import portal.services.unit_of_work
from portal.domain.complaints import Identity, IdentityMode
from portal.domain.questionnaire import Kind, Raw
from portal.sealing.keys import new_key_pair
from portal.services.complaints import filing, intake
from portal.services.messages import telegram
from portal.services.unit_of_work import unit_of_work
from portal.storage.database import make_engine
from portal.storage.tables import metadata
from tests import postgresql
from tests.factories.permits import put_list, put_permit

TOWN = "caraguatatuba-sp"
NOW = datetime(2026, 11, 30, 17, 2, tzinfo=UTC)
ROUNDS, COMPLAINTS = 15, 20
AIM = 0.3
ANSWERS: dict[str, Raw] = {
    "what": "overcrowding", "vehicle": "BRA2E19", "where": {"text": "Praça da Matriz"}, "when": "now",
    "story": "O veículo saiu com gente em pé nos degraus e o condutor não quis esperar.",
}  # fmt: skip
IDENTITY = Identity(IdentityMode.SEALED, name="Pessoa de Exemplo", email="pessoa@example.org")

Statements = list[tuple[str, Any, bool]]
"""Of one transaction, with their parameters, and whether those are of many rows."""


class Twins:
    """A database that the service writes to, and another that gets the same rows by the driver alone."""

    def __init__(self, served: Engine, bare: Engine) -> None:
        self.served, self.bare = served, bare
        for engine in (served, bare):
            metadata().create_all(engine)
        self.noted: list[Statements] = []
        """Transactions of the service that the twin has yet to get."""
        self.driver = bare.raw_connection()
        event.listen(served, "begin", lambda _connection: self.noted.append([]))
        event.listen(served, "before_cursor_execute", self._note)

    def _note(
        self, _connection: Any, _cursor: Any, statement: str, told: Any, _context: Any, many: bool
    ) -> None:
        if statement.startswith(("INSERT", "UPDATE", "DELETE")):
            self.noted[-1].append((statement, told, many))

    def write(self) -> int:
        """What the service wrote since the last time, as bare as can be; returns how many commits it took."""
        transactions = [one for one in self.noted if one]
        cursor = self.driver.cursor()
        for statements in transactions:
            if self.bare.dialect.name == "sqlite":
                cursor.execute("BEGIN IMMEDIATE")
            for statement, told, many in statements:
                (cursor.executemany if many else cursor.execute)(statement, told)
            self.driver.commit()
        cursor.close()
        self.noted.clear()
        return len(transactions)

    def check(self) -> None:
        """Both hold the same number of rows in every table."""
        for table in metadata().sorted_tables:
            counted = text(f"SELECT count(*) FROM {table.name}")
            with self.served.connect() as one, self.bare.connect() as other:
                assert one.scalar(counted) == other.scalar(counted), table.name


@dataclass(frozen=True, slots=True)
class Way:
    """One way to a complaint: what is there before (not timed), and what is timed."""

    name: str
    prepare: Callable[[], Any]
    file: Callable[[Any], object]


def ways() -> tuple[Way, ...]:
    chats = count(1)

    def answered() -> str:
        with unit_of_work(writes=True) as session:
            draft = intake.start_draft(
                session, municipality=TOWN, channel="web", language="pt_BR", now=NOW, prefill=ANSWERS
            )
            while draft.question.kind is not Kind.IDENTITY:
                draft = intake.skip(session, draft.token, draft.question.id, now=NOW)
            return draft.token

    def answered_in_a_chat() -> int:
        chat = next(chats)
        with unit_of_work(writes=True) as session:
            draft = telegram.start_draft(
                session, chat, municipality=TOWN, language="pt_BR", prefill=ANSWERS, now=NOW
            )
            while draft.question.kind is not Kind.IDENTITY:
                draft = intake.skip(session, draft.token, draft.question.id, now=NOW)
        return chat

    def file(token: str) -> object:
        with unit_of_work(writes=True) as session:
            return filing.file_complaint(session, token, IDENTITY, now=NOW)

    def file_from_chat(chat: int) -> object:
        with unit_of_work(writes=True) as session:
            return telegram.file_from_chat(session, chat, IDENTITY, now=NOW)

    def whole(_nothing: None) -> object:
        with unit_of_work(writes=True) as session:
            draft = intake.start_draft(session, municipality=TOWN, channel="web", language="pt_BR", now=NOW)
        while draft.question.kind is not Kind.IDENTITY:
            asked = draft.question.id
            with unit_of_work(writes=True) as session:
                if asked in ANSWERS:
                    draft = intake.answer(session, draft.token, asked, ANSWERS[asked], now=NOW)
                else:
                    draft = intake.skip(session, draft.token, asked, now=NOW)
        return file(draft.token)

    return (
        Way("filed from its draft, web", answered, file),
        Way("filed from its draft, chat", answered_in_a_chat, file_from_chat),
        Way("first question to receipt", lambda: None, whole),
    )


@dataclass(slots=True)
class Found:
    served: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)
    """Seconds a complaint, by the clock, of each round."""
    work: list[float] = field(default_factory=list)
    """Seconds of this process's processor time that the service takes for one."""
    commits: float = 0
    statements: float = 0


def race(twins: Twins, rounds: int, complaints: int) -> dict[str, Found]:
    found: dict[str, Found] = {}
    every = ways()
    for turn in range(rounds + 1):
        for way in every:
            ready = [way.prepare() for _ in range(complaints)]
            twins.write()
            begun, used = time.perf_counter(), time.process_time()
            for one in ready:
                way.file(one)
            served, work = time.perf_counter() - begun, time.process_time() - used
            statements = sum(map(len, twins.noted))
            begun = time.perf_counter()
            commits = twins.write()
            bare = time.perf_counter() - begun
            if turn:  # the first round warms up
                kept = found.setdefault(way.name, Found())
                kept.served.append(served / complaints)
                kept.bare.append(bare / complaints)
                kept.work.append(work / complaints)
                kept.commits, kept.statements = commits / complaints, statements / complaints
    return found


def _print(name: str, found: dict[str, Found], rounds: int, complaints: int) -> None:
    print(f"\n{name}: complaints a second, median of {rounds} rounds of {complaints} (least to most)")
    for way, told in found.items():
        ratio = statistics.median(bare / served for served, bare in zip(told.served, told.bare, strict=True))
        work = statistics.median(told.work) * 1000
        print(
            f"{way:30}{_speed(told.served)}   bare {_speed(told.bare)}   beside it {ratio:.2f} (aim {AIM})"
            f"   {work:.1f} ms of the processor, {told.commits:.0f} commits, {told.statements:.0f} statements"
        )


def _speed(seconds: list[float]) -> str:
    spread = f"({1 / max(seconds):,.0f} to {1 / min(seconds):,.0f})"
    return f"{1 / statistics.median(seconds):6,.0f} {spread:16}"


def _print_calls(complaints: int, listed: bool) -> None:
    """Functions of Python and C that one complaint calls: a figure that no busy neighbour disturbs."""
    print("\ncalls a complaint:")
    for way in ways():
        profile = cProfile.Profile()
        ready = [way.prepare() for _ in range(complaints)]
        profile.enable()
        for one in ready:
            way.file(one)
        profile.disable()
        stats = pstats.Stats(profile)
        print(f"{way.name:30}{stats.total_calls / complaints:10,.0f}")  # type: ignore[attr-defined]
        if listed:
            stats.sort_stats("cumulative").print_stats("/portal/", 30)
            stats.sort_stats("tottime").print_stats(25)


def _print_sync(folder: Path) -> None:
    """How long the disk takes to keep what it was given, which bounds both sides."""
    taken = []
    with (folder / "probe").open("wb") as file:
        for _ in range(50):
            file.write(b"." * 4096)
            file.flush()
            begun = time.perf_counter()
            os.fdatasync(file.fileno())
            taken.append(time.perf_counter() - begun)
    print(
        f"a block of 4 kB is on disk after {statistics.median(taken) * 1000:.1f} ms "
        f"({min(taken) * 1000:.1f} to {max(taken) * 1000:.1f}); load {os.getloadavg()[0]:.0f}"
    )


@contextmanager
def _twins(backend: str, folder: Path) -> Iterator[Twins]:
    with _addresses(backend, folder) as (one, other):
        twins = Twins(make_engine(one), make_engine(other))
        portal.services.unit_of_work.engine = lambda: twins.served  # type: ignore[assignment, attr-defined]
        with unit_of_work(writes=True) as session:
            put_list(session)
            put_permit(session, plate=str(ANSWERS["vehicle"]))
        twins.write()
        yield twins
        twins.check()
        twins.driver.close()
        for engine in (twins.served, twins.bare):
            engine.dispose()


@contextmanager
def _addresses(backend: str, folder: Path) -> Iterator[tuple[str, str]]:
    if backend == "sqlite":
        yield f"sqlite:///{folder / 'served.db'}", f"sqlite:///{folder / 'bare.db'}"
        return
    # The tests' server does not wait for the disk; this one does.
    with postgresql.running("-c", "fsync=on") as server:
        assert server is not None, "no PostgreSQL here"
        with postgresql.database(server, "served") as one, postgresql.database(server, "bare") as other:
            _say_durable(server)
            yield one.render_as_string(hide_password=False), other.render_as_string(hide_password=False)


def _say_durable(server: URL) -> None:
    engine = make_engine(server.render_as_string(hide_password=False))
    with engine.connect() as connection:
        told = {
            name: connection.scalar(text(f"SHOW {name}"))
            for name in ("server_version", "fsync", "synchronous_commit")
        }
    engine.dispose()
    print("\nPostgreSQL: " + ", ".join(f"{name} {value}" for name, value in told.items()))
    assert told["fsync"] == told["synchronous_commit"] == "on", told


def main() -> None:
    words = sys.argv[1:]
    numbers = [int(word) for word in words if word.isdigit()]
    rounds, complaints = (*numbers, *(ROUNDS, COMPLAINTS)[len(numbers) :])
    backends = [word for word in words if word in ("sqlite", "postgresql")] or ["sqlite", "postgresql"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _settle(folder)
        _print_sync(folder)
        for backend in backends:
            with _twins(backend, folder) as twins:
                _print(backend, race(twins, rounds, complaints), rounds, complaints)
                twins.check()
                _print_calls(complaints, "--profile" in words)
                twins.write()
        print(f"\nload {os.getloadavg()[0]:.0f} at the end")


def _settle(folder: Path) -> None:
    """The settings of a portal whose towns have keys to seal to; nobody here can open what is sealed."""
    pair, notice = new_key_pair(), new_key_pair()
    keys = {
        "identity": {TOWN: {"id": pair.id, "key": pair.public}},
        "notice": {"id": notice.id, "key": notice.public},
    }
    (folder / "public_keys.json").write_text(json.dumps(keys))
    os.environ |= {
        "PORTAL_STATE": str(folder),
        "DATABASE_URL": f"sqlite:///{folder / 'served.db'}",
        "FILES_URL": f"file://{folder / 'files'}",
        "SECRET_KEY": "s" * 40,
        "ACCESS_KEY_PEPPER": "p" * 40,
        "PUBLIC_KEYS": str(folder / "public_keys.json"),
    }
    portal.config.settings.cache_clear()


if __name__ == "__main__":
    main()
