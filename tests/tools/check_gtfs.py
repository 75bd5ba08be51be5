"""``make check-gtfs``: the engine and an independent GTFS library, departure by departure over a whole month.

``python -m tests.tools.check_gtfs PYTHON [FEEDS…]``, where PYTHON is that of the environment that holds the library
(gtfs-kit). Each feed is imported into a database of its own, asked for every stop through the same functions that
pages use, and compared with ``gtfs_departures.py``. Writes the table in ``docs/gtfs-agreement.md``.
"""

import csv
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from sqlalchemy.orm import Session

from portal.domain.timetable import departures_on, instant, no_holidays
from portal.importing.gtfs import read_gtfs
from portal.importing.sources import Report
from portal.services.itineraries.itinerary_export import stored_timetable
from portal.services.itineraries.itinerary_import import FileRead, import_file
from portal.services.itineraries.timetables import calls_of_stops
from portal.storage import itineraries as store
from portal.storage.database import make_engine
from portal.storage.tables import metadata

DAYS = 31
TOWN = "caraguatatuba-sp"
TABLE = Path("docs/gtfs-agreement.md")
HERE = Path(__file__).parent
Key = tuple[str, str, str, int]
Departures = Counter[Key]
"""Itinerary, way, stop and seconds: how often on each day of service, a byte a day, the first day lowest."""


def main() -> None:
    python = sys.argv[1]
    feeds = [Path(name) for name in sys.argv[2:]] or _shared_feeds()
    if not feeds:
        sys.exit("no feed: name some, or set EMBARQUE_SHARED to the folder that holds data/gtfs/feeds")
    rows, disagree = _rows_of_before(), False
    for path in sorted(feeds):
        report = Report()
        parsed, digest = read_gtfs(path, report)
        if parsed is None:
            rows[path.name] = f"| {path.name} | refused | | | | |"
            print(rows[path.name], flush=True)
            continue
        with tempfile.TemporaryDirectory() as folder, _database(Path(folder)) as session:
            import_file(
                FileRead("gtfs", path.name, digest, parsed, ()),
                municipality=TOWN, as_of=date(2026, 1, 1), now=datetime(2026, 1, 1, tzinfo=UTC),
                unit=_unit(session),
            )  # fmt: skip
            first = _busiest_start(session)
            ours = _ours(session, first)
            told = Path(folder) / "theirs.csv"
            with told.open("w") as out:
                script = HERE / "gtfs_departures.py"
                subprocess.run([python, script, path, first.isoformat(), str(DAYS)], stdout=out, check=True)
            with told.open() as lines:
                theirs: Departures = Counter()
                for route, way, stop, seconds, days in csv.reader(lines):
                    key = (
                        route.replace("/", "-"),
                        "inbound" if way == "1" else "outbound",
                        stop,
                        int(seconds),
                    )
                    theirs[key] += sum(1 << 8 * int(day) for day in days.split())
        night_fixed = any(problem.code == "past_midnight" for problem in report.problems)
        missing = {key: days for key, days in theirs.items() if ours.get(key) != days}
        extra = {key: days for key, days in ours.items() if theirs.get(key) != days}
        explained = _of_put_right_nights(missing, extra) if night_fixed else 0
        left = sum(map(_times, missing.values())) + sum(map(_times, extra.values())) - 2 * explained
        alike = sum(_times(days) for key, days in theirs.items() if ours.get(key) == days)
        disagree |= bool(left)
        total = sum(map(_times, theirs.values()))
        rows[path.name] = f"| {path.name} | {first} | {total:,} | {alike:,} | {explained:,} | {left:,} |"
        print(rows[path.name], flush=True)
        for found in [*sorted(missing)[:5], "--", *sorted(extra)[:5]] if left else ():
            print("   ", found)
    _write(rows)
    sys.exit(1 if disagree else 0)


def _shared_feeds() -> list[Path]:
    folder = os.environ.get("EMBARQUE_SHARED")
    return sorted((Path(folder) / "data/gtfs/feeds").glob("*.zip")) if folder else []


@contextmanager
def _database(folder: Path) -> Iterator[Session]:
    engine = make_engine(f"sqlite:///{folder / 'check.db'}")
    metadata().create_all(engine)
    with Session(engine) as session, session.begin():
        yield session
    engine.dispose()


def _unit(session: Session):  # type: ignore[no-untyped-def]
    @contextmanager
    def unit(*, writes: bool = False) -> Iterator[Session]:
        yield session

    return unit


def _busiest_start(session: Session) -> date:
    """The first day of the month of service in which most calendars run."""
    [number] = store.current_imports(session, TOWN)
    calendars = stored_timetable(session, number).calendars.values()
    starts = [
        calendar.starts or min(calendar.added) for calendar in calendars if calendar.starts or calendar.added
    ]
    return max(Counter(starts), key=lambda day: (Counter(starts)[day], day))


def _ours(session: Session, first: date) -> Departures:
    """Every timed departure at every stop, as the pages ask for it; without times that lie between two known ones."""
    [number] = store.current_imports(session, TOWN)
    zone = ZoneInfo("America/Sao_Paulo")
    stops = {row.id: row.code for row in store.stops_of_import(session, number)}
    found: Departures = Counter()
    for stop, code in stops.items():
        calls = calls_of_stops(session, [stop], around=first - timedelta(days=3)).get(stop, [])
        for call in calls:
            for ahead in range(DAYS):
                day = first + timedelta(days=ahead)
                for each in departures_on([call], day, zone=zone, holidays=no_holidays):
                    if call.approximate:
                        continue
                    start = instant(day, 0, call.zone or zone)
                    seconds = round((each.at - start).total_seconds())
                    found[each.itinerary, each.way, code, seconds] += 1 << 8 * ahead
    return found


def _times(days: int) -> int:
    """How many departures the bytes of the days count."""
    return sum(days.to_bytes(DAYS + 1, "little"))


def _of_put_right_nights(missing: dict[Key, int], extra: dict[Key, int]) -> int:
    """Departures whose clock the feed starts again at midnight: hours too early theirs, and ours put right."""
    return sum(
        _times(days)
        for (route, way, stop, seconds), days in missing.items()
        if extra.get((route, way, stop, seconds + 86_400)) == days
    )


def _rows_of_before() -> dict[str, str]:
    """What the table says of each feed: those that are not compared now keep their row."""
    lines = TABLE.read_text(encoding="utf-8").splitlines() if TABLE.exists() else []
    return {line.split("|")[1].strip(): line for line in lines if ".zip |" in line}


def _write(rows: dict[str, str]) -> None:
    TABLE.write_text(
        f"""# Agreement with an independent GTFS library

`make check-gtfs` imports each feed, asks the engine for every departure at every stop over {DAYS} days of service, and
compares with gtfs-kit 13.0.1 in an environment of its own (`tests/tools/check_gtfs.py`).
Compared are day of service, route, direction, stop and second, with how often each occurs. `make check-gtfs FEEDS=…`
compares those alone, and leaves the other rows as they are. *Refused*: a feed that the portal does not import, as
`tests/portal/importing/test_reference_verdicts.py` holds against a public validator.

| Feed | From | Departures | Alike | Night trips put right | Not alike |
|---|---|---|---|---|---|
{chr(10).join(rows[name] for name in sorted(rows))}

*Night trips put right*: the feed's clock starts again at 00:00 in the middle of a trip. The library takes the time as
written, hours before the trip began; the portal says so when it imports, and reads the next morning.
Blank times, which the portal shares out by distance and marks as approximate, are not compared.
""",
        encoding="utf-8",
    )


if __name__ == "__main__":
    main()
