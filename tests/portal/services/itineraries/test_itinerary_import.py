from contextlib import contextmanager
from datetime import date, timedelta

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from portal.domain.errors import ImportOvertaken, UnknownMunicipality
from portal.services.itineraries.showing import list_itineraries, list_stops, show_itinerary
from portal.services.unit_of_work import unit_of_work
from portal.storage.itineraries import StopRow, TimetableFeedRow, TimetableImportRow
from tests.factories.feeds import FEED, ITINERARIOS, NOW, TOWN, bring_in, bring_in_orla, zip_of

ON = date(2026, 11, 30)


def outcomes(session: Session) -> list[str]:
    return list(session.scalars(select(TimetableImportRow.outcome).order_by(TimetableImportRow.id)))


class TestImporting:
    def test_reports_what_it_added(self, session, tmp_path):
        report = bring_in_orla(session, tmp_path)

        assert report.outcome == "merged"
        assert (report.counts["stops_added"], report.counts["itineraries_added"]) == (3, 1)

    def test_the_same_file_twice_changes_nothing_and_is_recorded(self, session, tmp_path):
        bring_in_orla(session, tmp_path)
        before = session.scalars(select(StopRow.id)).all()

        report = bring_in_orla(session, tmp_path)

        assert report.outcome == "unchanged"
        assert session.scalars(select(StopRow.id)).all() == before
        assert outcomes(session) == ["merged", "unchanged"]

    def test_a_dry_run_reports_the_same_and_leaves_nothing(self, session, tmp_path):
        report = bring_in(session, "gtfs", zip_of(tmp_path / "f.zip", FEED), dry_run=True)

        assert report.outcome == "dry_run"
        assert report.counts["stops_added"] == 3
        assert session.scalar(select(func.count()).select_from(TimetableFeedRow)) == 0

    def test_a_refused_file_is_recorded_with_its_problems_and_what_was_shown_stays(self, session, tmp_path):
        bring_in_orla(session, tmp_path / "a")

        report = bring_in_orla(session, tmp_path / "b", pontos="codigo;nome\n")

        assert report.outcome == "refused"
        assert outcomes(session) == ["merged", "refused"]
        assert session.scalars(select(TimetableImportRow)).all()[-1].problems
        assert list_stops(session, TOWN).total == 3

    def test_a_new_list_takes_the_place_of_the_old(self, session, tmp_path):
        bring_in_orla(session, tmp_path / "a")

        report = bring_in_orla(
            session, tmp_path / "b", itinerarios=ITINERARIOS.replace("orla;", "serra;"), partidas=""
        )

        assert report.outcome == "refused"
        report = bring_in_orla(
            session, tmp_path / "c",
            itinerarios=ITINERARIOS.replace("orla;", "serra;"),
            partidas="itinerario;dias;horarios\nserra;sab;10:00\n",
        )  # fmt: skip
        assert (report.counts["itineraries_added"], report.counts["itineraries_removed"]) == (1, 1)
        assert [each.code for each in list_itineraries(session, TOWN, on=ON).itineraries] == ["serra"]

    def test_another_source_of_the_town_stands_beside_it(self, session, tmp_path):
        bring_in_orla(session, tmp_path / "a")
        bring_in(session, "gtfs", zip_of(tmp_path / "f.zip", FEED))

        assert {each.code for each in list_itineraries(session, TOWN, on=ON).itineraries} == {"orla", "R1"}

    def test_a_code_that_another_source_uses_gets_the_feeds_name_in_front(self, session, tmp_path):
        bring_in_orla(session, tmp_path / "a")
        feed = {name: text.replace("R1", "orla").replace("S1", "matriz") for name, text in FEED.items()}

        bring_in(session, "gtfs", zip_of(tmp_path / "f.zip", feed))

        assert show_itinerary(session, TOWN, "orla", at=NOW).summary.service
        assert show_itinerary(session, TOWN, "gtfs-orla", at=NOW).ways[0].stops[0].code == "gtfs-matriz"

    def test_old_rows_are_cleared_but_for_those_a_reader_may_be_in_the_middle_of(self, session, tmp_path):
        for number in range(3):
            bring_in_orla(
                session,
                tmp_path / str(number),
                itinerarios=ITINERARIOS.replace("Trenzinho", f"Trem {number}"),
            )

        assert outcomes(session) == ["cleared", "merged", "merged"]
        assert session.scalar(select(func.count()).select_from(StopRow)) == 6

    def test_a_town_that_is_not_served(self, session, tmp_path):
        with pytest.raises(UnknownMunicipality):
            bring_in(session, "gtfs", zip_of(tmp_path / "f.zip", FEED), municipality="nenhures-sp")


class TestShortTransactions:
    """Over a real database, where each step commits."""

    def test_readers_see_the_old_list_whole_until_the_new_one_is_ready(self, database, tmp_path):
        seen = []

        @contextmanager
        def watching(*, writes=False):
            with unit_of_work() as reader:
                seen.append(list_stops(reader, TOWN).total)
            with unit_of_work(writes=writes) as session:
                yield session

        bring_in(None, "gtfs", zip_of(tmp_path / "a.zip", FEED), unit=watching)
        longer = FEED | {"stops.txt": FEED["stops.txt"].replace("Mirante", "Mirante Alto")}
        bring_in(None, "gtfs", zip_of(tmp_path / "b.zip", longer), unit=watching)

        assert set(seen) == {0, 3}
        assert len(seen) > 10

    def test_an_import_that_began_later_wins(self, database, tmp_path):
        steps = iter(range(100))

        @contextmanager
        def interrupted(*, writes=False):
            if next(steps) == 4:
                bring_in(
                    None, "gtfs", zip_of(tmp_path / "b.zip", FEED), unit=unit_of_work, now=NOW + timedelta(1)
                )
            with unit_of_work(writes=writes) as session:
                yield session

        other = FEED | {"agency.txt": FEED["agency.txt"].replace("Viação", "Empresa")}
        with pytest.raises(ImportOvertaken):
            bring_in(None, "gtfs", zip_of(tmp_path / "a.zip", other), unit=interrupted)

        with unit_of_work() as session:
            [line] = list_itineraries(session, TOWN, on=ON).itineraries
            assert line.operator == "Viação Inventada"
            assert sorted(outcomes(session)) == ["cleared", "merged"]

    def test_a_failure_half_way_leaves_what_was_shown(self, database, tmp_path):
        bring_in(None, "gtfs", zip_of(tmp_path / "a.zip", FEED), unit=unit_of_work)
        steps = iter(range(100))

        @contextmanager
        def failing(*, writes=False):
            if next(steps) == 6:
                raise OSError("disk full")
            with unit_of_work(writes=writes) as session:
                yield session

        other = FEED | {"agency.txt": FEED["agency.txt"].replace("Viação", "Empresa")}
        with pytest.raises(OSError, match="disk full"):
            bring_in(None, "gtfs", zip_of(tmp_path / "b.zip", other), unit=failing)

        with unit_of_work() as session:
            assert list_stops(session, TOWN).total == 3
            assert session.scalar(select(func.count()).select_from(StopRow)) == 3


class TestRealFeeds:
    def test_porto_alegre_leaves_by_its_own_timetable(self, session, shared):
        bring_in(session, "gtfs", shared / "data/gtfs/feeds/poa_eptc.zip")

        view = show_itinerary(
            session, TOWN, "T2", at=NOW.replace(year=2019, month=3, day=6, hour=13, minute=5)
        )

        assert [f"{each.at:%H:%M}" for each in view.outlook.next] == ["10:07", "10:22", "10:37"]
        assert f"{view.outlook.last_today.at:%H:%M}" == "23:57"

    def test_sao_paulo_comes_every_so_many_minutes(self, session, shared):
        bring_in(session, "gtfs", shared / "data/gtfs/feeds/sp_sptrans_trilhos.zip")

        view = show_itinerary(session, TOWN, "CPTM L07", at=NOW.replace(year=2019, month=3, day=6))

        assert {span.every_minutes for group in view.week for span in group.spans} >= {6, 12}
