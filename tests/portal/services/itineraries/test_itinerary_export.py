import io
import json
import subprocess
import sys
import zipfile
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

import pytest

from portal.domain.errors import NothingHere
from portal.domain.itineraries import ParsedTimetable
from portal.domain.timetable import Call
from portal.importing.gtfs import read_gtfs
from portal.importing.sources import Report
from portal.regulations import catalogue
from portal.services.itineraries.itinerary_export import export_gtfs, state_of_feed, stored_timetable
from portal.storage.itineraries import current_imports
from tests.factories.feeds import FEED, PARTIDAS, TOWN, bring_in, bring_in_orla, zip_of
from tests.factories.permits import put_permit

ON = date(2026, 11, 30)
ADDRESS = "https://example.org/caraguatatuba-sp/itinerarios"


def export(session, path, **told):
    with path.open("wb") as to:
        return export_gtfs(session, TOWN, to, **{"address": ADDRESS, "on": ON} | told)


def tables(path) -> dict[str, list[str]]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name).decode().splitlines() for name in archive.namelist()}


def departures(timetable: ParsedTimetable, days: list[date], holidays) -> Counter[tuple]:
    """Every departure and arrival, with the days of it: itinerary, way, stop, seconds, and whether one may board."""
    found = Counter()
    for itinerary in timetable.itineraries:
        for trip in itinerary.trips:
            calendar = timetable.calendars[trip.calendar].within(itinerary.valid_from, itinerary.valid_until)
            runs = tuple(day for day in days if calendar.runs_on(day, holidays))
            for call in trip.calls if runs else ():
                if call.departs is None:
                    continue
                at = Call(
                    itinerary.code, trip.way.value, calendar, call.departs,
                    first_departs=trip.calls[0].departs or 0, frequencies=trip.frequencies,
                    approximate=call.approximate,
                )  # fmt: skip
                found.update(
                    (itinerary.code, trip.way, call.stop, second, call.arrives, call.boarding, about, runs)
                    for second, about in at.seconds()
                )
    return found


def month_of(timetable: ParsedTimetable) -> list[date]:
    """A month in which it runs."""
    starts = [c.starts or min(c.added, default=ON) for c in timetable.calendars.values()]
    return [max(starts) + timedelta(days=ahead) for ahead in range(31)]


def findings(feed, tmp_path) -> list[tuple[str, str]]:
    """The errors that the public validator (the reference's rules) finds."""
    out = tmp_path / "report"
    subprocess.run(
        [Path(sys.executable).with_name("gtfs-validator"), "-i", feed, "-o", out, "-c", "BR", "-d", "2026-11-30"],
        check=False, capture_output=True,
    )  # fmt: skip
    report = json.loads((out / "report.json").read_text())
    return [
        (notice["code"], str(notice.get("sampleNotices"))[:300])
        for notice in report["notices"]
        if notice["severity"] == "ERROR"
    ]


class TestAFeed:
    def test_holds_the_itineraries_and_says_whose_they_are(self, session, tmp_path):
        bring_in_orla(session, tmp_path / "orla")

        written = export(session, tmp_path / "feed.zip")

        assert (written.stops, written.itineraries, written.trips) == (3, 1, 8)
        assert tables(tmp_path / "feed.zip")["agency.txt"][1] == (
            f"caraguatatuba-sp,Caraguatatuba – SP,{ADDRESS},America/Sao_Paulo,pt"
        )

    def test_is_the_same_file_byte_by_byte_while_nothing_changed(self, session, tmp_path):
        bring_in_orla(session, tmp_path / "orla")
        first, second = tmp_path / "a.zip", tmp_path / "b.zip"

        export(session, first)
        before = state_of_feed(session, TOWN, on=ON)
        export(session, second)

        assert first.read_bytes() == second.read_bytes()
        assert state_of_feed(session, TOWN, on=ON) == before

    def test_has_another_version_once_the_list_is_another(self, session, tmp_path):
        bring_in_orla(session, tmp_path / "a")
        before = state_of_feed(session, TOWN, on=ON)

        bring_in_orla(session, tmp_path / "b", partidas=PARTIDAS.replace("15:00", "16:00"))

        assert state_of_feed(session, TOWN, on=ON).version != before.version

    def test_writes_holidays_out_day_by_day(self, session, tmp_path):
        bring_in_orla(session, tmp_path / "orla")

        export(session, tmp_path / "feed.zip")

        exceptions = tables(tmp_path / "feed.zip")["calendar_dates.txt"]
        assert any(line.endswith(",20261225,2") for line in exceptions)
        assert any(line.endswith(",20261225,1") for line in exceptions)

    def test_an_itinerary_without_departures_stays_out_and_is_told(self, session, tmp_path):
        bring_in_orla(session, tmp_path / "orla", partidas="itinerario;dias;horarios\n")
        bring_in(session, "gtfs", zip_of(tmp_path / "f.zip", FEED))

        written = export(session, tmp_path / "feed.zip")

        assert written.without_departures == ("orla",)
        assert written.itineraries == 1

    def test_a_town_without_a_timetable(self, session):
        with pytest.raises(NothingHere):
            export_gtfs(session, TOWN, io.BytesIO(), address=ADDRESS, on=ON)


class TestThereAndBackAgain:
    @pytest.fixture
    def holidays(self):
        place = catalogue.municipality(TOWN)
        return lambda year: place.holidays(year).keys()

    def back(self, session, tmp_path, holidays, service=None):
        """What is stored, exported, imported and stored again."""
        [first] = current_imports(session, TOWN)
        before = stored_timetable(session, first)
        export(session, tmp_path / "out.zip")
        again = bring_in(session, "gtfs", tmp_path / "out.zip", municipality="santa-rita-pb", service=service)
        assert again.outcome == "merged", again.problems
        [second] = current_imports(session, "santa-rita-pb")
        return before, stored_timetable(session, second)

    def test_a_clerks_tables_give_the_same_departures_all_the_year(self, session, tmp_path, holidays):
        bring_in_orla(session, tmp_path / "orla")

        before, after = self.back(session, tmp_path, holidays)

        year = [date(2026, 1, 1) + timedelta(days=ahead) for ahead in range(365)]
        assert departures(after, year, holidays) == departures(before, year, holidays)
        [one], [other] = before.itineraries, after.itineraries
        assert (one.names, one.fare_centavos, one.ways) == (other.names, other.fare_centavos, other.ways)

    @pytest.mark.parametrize(
        "feed", ["poa_eptc", "sp_sptrans_trilhos", "demo_dta", "demo_dta_2", "multigtfs_test3"]
    )
    def test_a_real_feed_gives_the_same_timetable(self, session, tmp_path, shared, holidays, feed):
        bring_in(session, "gtfs", shared / f"data/gtfs/feeds/{feed}.zip")

        before, after = self.back(session, tmp_path, holidays)

        month = month_of(before)
        expected = departures(before, month, holidays)
        assert expected
        assert departures(after, month, holidays) == expected
        assert {each.code: each.name for each in after.itineraries} == {
            each.code: each.name for each in before.itineraries if each.trips
        }
        assert {each.code: each.route_type for each in after.itineraries} == {
            each.code: each.route_type for each in before.itineraries
        }
        assert {each.code: each.shapes for each in after.itineraries} == {
            each.code: {way: line for way, line in each.shapes.items() if len(line) > 1}
            for each in before.itineraries
        }

    @pytest.mark.parametrize(
        "feed",
        [
            pytest.param("poa_eptc", marks=pytest.mark.slow),
            pytest.param("sp_sptrans_trilhos", marks=pytest.mark.slow),
            "demo_dta",
            "demo_dta_2",
            "multigtfs_test3",
        ],
    )
    def test_the_validator_finds_no_error_in_what_is_handed_out(self, session, tmp_path, shared, feed):
        bring_in(session, "gtfs", shared / f"data/gtfs/feeds/{feed}.zip")
        bring_in_orla(session, tmp_path / "orla")

        export(session, tmp_path / "out.zip", feed="gtfs")

        assert findings(tmp_path / "out.zip", tmp_path) == []

    def test_nor_in_that_of_a_clerks_tables(self, session, tmp_path):
        bring_in_orla(session, tmp_path / "orla")

        export(session, tmp_path / "out.zip")

        assert findings(tmp_path / "out.zip", tmp_path) == []
        report = Report()
        assert read_gtfs(tmp_path / "out.zip", report)[0]
        assert report.problems == []

    def test_a_timetable_without_durations_is_valid_too(self, session, tmp_path):
        bring_in_orla(
            session, tmp_path / "orla",
            itinerarios="codigo;nome;pontos\norla;Orla;matriz > praia > mirante\n",
            partidas="itinerario;dias;horarios\norla;todos;10:00 23:50\n",
        )  # fmt: skip

        export(session, tmp_path / "out.zip")

        assert findings(tmp_path / "out.zip", tmp_path) == []

    def test_a_permit_in_force_says_who_runs_it(self, session, tmp_path):
        bring_in_orla(session, tmp_path / "orla")
        put_permit(session, itinerary="orla", year=2026, trade_name="Trenzinho Alegre")

        export(session, tmp_path / "out.zip")

        assert tables(tmp_path / "out.zip")["agency.txt"][1].split(",")[1] == "Trenzinho Alegre"
