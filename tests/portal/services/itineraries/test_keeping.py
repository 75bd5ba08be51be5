from datetime import timedelta

import pytest

from portal.domain.errors import EntryRefused, ImportOvertaken, ListKeptElsewhere, NotAllowed, NothingHere
from portal.domain.itineraries import Sheet
from portal.domain.permits import Service
from portal.services.itineraries.keeping import Keeper, end_entry, save_entry, show_entry, show_lists
from portal.services.itineraries.showing import (
    list_itineraries,
    list_stops,
    nearest_boarding_points,
    show_itinerary,
)
from portal.services.people.audit import history_of
from tests.factories.feeds import FEED, NOW, PARTIDAS, TOWN, bring_in, bring_in_orla, in_session, zip_of

ON = NOW.date()
KEEPER = Keeper(TOWN, "staff:7")
MATRIZ = {"codigo": "matriz", "nome": "Praça da Matriz", "latitude": "-23,62", "longitude": "-45,41"}
MIRANTE = {"codigo": "mirante", "nome": "Mirante", "latitude": "-23,63", "longitude": "-45,40"}
ORLA = {"codigo": "orla", "nome": "Trenzinho da Orla", "pontos": "matriz > mirante", "volta": "sim"}
DAILY = {"itinerario": "orla", "dias": "todos", "horarios": "10:00 23:00"}


@pytest.fixture
def save(session):
    def saving(sheet, cells, entry=None, now=NOW, keeper=KEEPER):
        return save_entry(
            keeper, sheet, cells, entry=entry, made_by="Caio", now=now, unit=in_session(session)
        )[0]

    return saving


@pytest.fixture
def town(save):
    save(Sheet.STOPS, MATRIZ)
    save(Sheet.STOPS, MIRANTE)
    save(Sheet.ITINERARIES, ORLA)
    return save(Sheet.DEPARTURES, DAILY)


def entry_of(session, sheet, code) -> int:
    return next(row.id for row in show_lists(session, KEEPER, on=ON).of(sheet) if row.code == code)


class TestFromNothing:
    def test_stops_then_an_itinerary_then_its_departures(self, session, town):
        [itinerary] = list_itineraries(session, TOWN, on=ON).itineraries
        view = show_itinerary(session, TOWN, "orla", at=NOW)

        assert (itinerary.code, itinerary.service) == ("orla", Service.RECREATIONAL)
        assert [f"{each.at:%H:%M}" for each in view.outlook.next] == ["10:00", "23:00"]
        assert list_stops(session, TOWN).total == 2

    def test_each_step_stands_in_the_audit_chain_with_a_number_and_no_name(self, session, town):
        [entry] = history_of(session, TOWN, f"itinerary_entry:{town}")

        assert (entry.action, entry.actor, entry.reason) == ("itinerary.departures", "staff:7", None)


class TestTheSameChecksAsAFile:
    @pytest.mark.parametrize(
        ("sheet", "cells", "field", "code"),
        [
            (Sheet.STOPS, MATRIZ | {"codigo": "x", "latitude": "-45,41", "longitude": "-23,62"},
             "latitude", "position_slip"),
            (Sheet.STOPS, MATRIZ | {"codigo": "x", "latitude": "0", "longitude": "0"}, "latitude", "no_position"),
            (Sheet.STOPS, MATRIZ | {"codigo": "x", "nome": " "}, "nome", "missing_value"),
            (Sheet.STOPS, MATRIZ, "codigo", "duplicate"),
            (Sheet.ITINERARIES, ORLA | {"codigo": "x", "pontos": "matriz > praia"}, "pontos", "unknown_reference"),
            (Sheet.DEPARTURES, DAILY | {"horarios": "25h"}, "horarios", "no_time"),
            (Sheet.DEPARTURES, DAILY | {"dias": "às vezes"}, "dias", "no_days"),
        ],
    )  # fmt: skip
    def test_refuse_with_the_field_and_change_nothing(self, session, save, town, sheet, cells, field, code):
        before = show_lists(session, KEEPER, on=ON)

        with pytest.raises(EntryRefused) as refused:
            save(sheet, cells)

        assert (field, code) in {(each.field, each.code) for each in refused.value.problems}
        assert all(each.line == refused.value.entry for each in refused.value.problems)
        assert show_lists(session, KEEPER, on=ON) == before

    def test_another_part_of_the_country_is_taken_and_flagged(self, session):
        far = MATRIZ | {"latitude": "-8,05", "longitude": "-34,90"}

        _, flagged = save_entry(KEEPER, Sheet.STOPS, far, made_by="Caio", now=NOW, unit=in_session(session))

        assert [each.code for each in flagged] == ["outside_state"]

    def test_a_code_that_others_refer_to_is_not_renamed_under_them(self, session, save, town):
        with pytest.raises(EntryRefused) as refused:
            save(Sheet.STOPS, MATRIZ | {"codigo": "praca"}, entry_of(session, Sheet.STOPS, "matriz"))

        assert {each.file for each in refused.value.problems} == {"itinerarios.csv"}


class TestChanging:
    def test_the_traveller_sees_it_and_the_history_tells_it(self, session, save, town):
        save(Sheet.DEPARTURES, DAILY | {"horarios": "11:00"}, town, now=NOW + timedelta(hours=1))

        view = show_itinerary(session, TOWN, "orla", at=NOW)
        assert [f"{each.at:%H:%M}" for each in view.outlook.next] == ["11:00"]
        changed, created = show_entry(session, KEEPER, Sheet.DEPARTURES, town, on=ON).versions
        assert (created.number, created.action, created.made_by) == (1, "created", "Caio")
        assert (changed.number, changed.action) == (2, "changed")
        assert changed.changes == (("horarios", "10:00 23:00", "11:00"),)

    def test_the_same_again_makes_no_version(self, session, save, town):
        save(Sheet.DEPARTURES, DAILY, town)

        assert len(show_entry(session, KEEPER, Sheet.DEPARTURES, town, on=ON).versions) == 1

    def test_what_came_from_a_file_is_changed_here_and_the_file_comes_back_over_it(
        self, session, save, tmp_path
    ):
        bring_in_orla(session, tmp_path / "a")
        orla = entry_of(session, Sheet.ITINERARIES, "orla")
        cells = dict(show_entry(session, KEEPER, Sheet.ITINERARIES, orla, on=ON).entry.cells)

        save(Sheet.ITINERARIES, cells | {"tarifa": "30,00"}, orla)
        assert list_itineraries(session, TOWN, on=ON).itineraries[0].fare_centavos == 3000

        bring_in_orla(session, tmp_path / "b", partidas=PARTIDAS + "orla;ida;dom;20:00\n")
        assert list_itineraries(session, TOWN, on=ON).itineraries[0].fare_centavos == 2500
        actions = [v.action for v in show_entry(session, KEEPER, Sheet.ITINERARIES, orla, on=ON).versions]
        assert actions == ["imported", "changed", "imported"]

    def test_two_at_once_do_not_lose_each_others_change(self, session, save, town, monkeypatch):
        import portal.services.itineraries.keeping as desk

        read = desk.read_rows

        def overtaken(*given, **told):
            monkeypatch.setattr(desk, "read_rows", read)
            save(Sheet.DEPARTURES, DAILY | {"dias": "dom", "horarios": "08:00"})
            return read(*given, **told)

        monkeypatch.setattr(desk, "read_rows", overtaken)
        with pytest.raises(ImportOvertaken):
            save(Sheet.DEPARTURES, DAILY | {"horarios": "12:00"}, town)

        assert len(show_lists(session, KEEPER, on=ON).of(Sheet.DEPARTURES)) == 2


class TestEnding:
    def end(self, session, sheet, entry, day):
        end_entry(KEEPER, sheet, entry, day, made_by="Caio", now=NOW, unit=in_session(session))

    def test_departures_run_until_their_last_day(self, session, town):
        self.end(session, Sheet.DEPARTURES, town, "30/11/2026")

        last = NOW.replace(day=30)
        assert show_itinerary(session, TOWN, "orla", at=last).outlook.next
        view = show_itinerary(session, TOWN, "orla", at=last + timedelta(days=1))
        assert (view.outlook.next, view.outlook.next_day) == ((), None)
        assert show_entry(session, KEEPER, Sheet.DEPARTURES, town, on=ON).versions[0].action == "ended"

    def test_a_stop_does_not_end_under_an_itinerary(self, session, town):
        matriz = entry_of(session, Sheet.STOPS, "matriz")

        with pytest.raises(EntryRefused) as refused:
            self.end(session, Sheet.STOPS, matriz, "2026-12-31")

        assert [each.code for each in refused.value.problems] == ["stop_in_use"]
        self.end(session, Sheet.ITINERARIES, entry_of(session, Sheet.ITINERARIES, "orla"), "2026-12-31")
        self.end(session, Sheet.STOPS, matriz, "2026-12-31")
        after = NOW + timedelta(days=60)
        near = nearest_boarding_points(session, -23.62, -45.41, at=after, municipality=TOWN)
        assert [each.stop.code for each in near] == ["mirante"]


class TestWhoMay:
    def test_a_reader_changes_nothing(self, save):
        with pytest.raises(NotAllowed):
            save(Sheet.STOPS, MATRIZ, keeper=Keeper(TOWN, "staff:8", writes=False))

    def test_the_rows_of_another_town_do_not_exist(self, session, town):
        with pytest.raises(NothingHere):
            show_entry(session, Keeper("santa-rita-pb", "staff:9"), Sheet.DEPARTURES, town, on=ON)

    def test_a_list_out_of_a_feed_is_not_changed_by_a_form(self, session, save, tmp_path):
        bring_in(session, "gtfs", zip_of(tmp_path / "f.zip", FEED), service=Service.RECREATIONAL)

        assert show_lists(session, KEEPER, on=ON).kept_in == "gtfs"
        with pytest.raises(ListKeptElsewhere):
            save(Sheet.STOPS, MATRIZ)
