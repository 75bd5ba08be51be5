import zipfile
from datetime import date

import pytest

from portal.domain.geo import Box
from portal.domain.itineraries import Way
from portal.importing.gtfs import read_gtfs
from portal.importing.sources import Report
from tests.factories.feeds import FEED, folder_of, zip_of


@pytest.fixture
def read(tmp_path):
    """Reads the small feed with some tables changed; None leaves a table out."""

    def reading(**changes):
        tables = FEED | {f"{name}.txt": text for name, text in changes.items()}
        report = Report()
        kept = {name: text for name, text in tables.items() if text is not None}
        parsed, _ = read_gtfs(folder_of(tmp_path / "feed", kept), report)
        return parsed, report

    return reading


def told(report):
    return [
        (problem.code, problem.file, problem.line, problem.field)
        for problem in report.problems
        if problem.fatal
    ]


def warned(report):
    return [problem.code for problem in report.problems if not problem.fatal]


class TestAnOrdinaryFeed:
    def test_holds_itineraries_stops_and_calendars(self, read):
        parsed, report = read()

        assert report.problems == []
        [itinerary] = parsed.itineraries
        assert (itinerary.code, itinerary.name, itinerary.operator) == ("R1", "1 – Orla", "Viação Inventada")
        assert itinerary.ways == {Way.OUTBOUND: ("S1", "S2", "S3"), Way.INBOUND: ("S3", "S1")}
        assert itinerary.valid_until == date(2026, 12, 31)
        assert itinerary.duration_minutes == 20

    def test_a_blank_time_lies_between_the_timed_stops_and_is_about_right(self, read):
        parsed, _ = read()
        middle = parsed.itineraries[0].trips[0].calls[1]

        assert middle.approximate
        assert 36_000 < middle.departs < 37_200

    def test_nobody_boards_where_a_trip_ends(self, read):
        parsed, _ = read()

        assert [call.boarding for call in parsed.itineraries[0].trips[0].calls] == [True, True, False]

    def test_times_past_midnight_are_kept(self, read):
        parsed, _ = read()

        assert parsed.itineraries[0].trips[1].calls[0].departs == 24 * 3600 + 600


class TestHowItWasSaved:
    @pytest.mark.parametrize("folder", ["", "feed/", "a/b/"])
    def test_a_zip_with_or_without_folders(self, tmp_path, folder):
        report = Report()
        path = zip_of(
            tmp_path / "feed.zip", {**FEED, "__MACOSX/stops.txt": "x"} if folder else FEED, folder=folder
        )

        parsed, _ = read_gtfs(path, report)

        assert parsed, told(report)

    def test_byte_order_mark_and_mixed_line_ends(self, read):
        parsed, report = read(
            agency="\ufeff" + FEED["agency.txt"].replace("\n", "\r\n"),
            stops=FEED["stops.txt"].replace("\n", "\r"),
        )

        assert parsed, told(report)

    def test_the_digest_is_that_of_the_content(self, tmp_path):
        first, second = (folder_of(tmp_path / name, FEED) for name in ("a", "b"))

        assert read_gtfs(first, Report())[1] == read_gtfs(second, Report())[1]

    def test_what_is_no_zip(self, tmp_path):
        (tmp_path / "feed.zip").write_text("hello")
        report = Report()

        assert read_gtfs(tmp_path / "feed.zip", report)[0] is None
        assert told(report) == [("no_zip", "feed.zip", None, None)]

    def test_a_bomb_is_not_opened(self, tmp_path):
        report = Report()
        with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("stops.txt", "0" * 30_000_000)

        assert read_gtfs(tmp_path / "bomb.zip", report)[0] is None
        assert told(report) == [("too_large", "stops.txt", None, None)]


class TestWhatIsRefused:
    @pytest.mark.parametrize(
        ("table", "before", "after", "problem"),
        [
            ("agency", "America/Sao_Paulo", "PST", ("no_zone", "agency.txt", 2, "agency_timezone")),
            ("stops", "-23.6200", "123", ("no_position", "stops.txt", 2, "stop_lat")),
            ("stops", "-23.6200,-45.4100", "0,0", ("no_position", "stops.txt", 2, "stop_lat")),
            ("stops", "Mirante", "", ("missing_value", "stops.txt", 4, "stop_name")),
            ("stops", "S3,Mirante", "S1,Mirante", ("duplicate", "stops.txt", 4, "stop_id")),
            ("stops", "stop_lat", "lat", ("missing_value", "stops.txt", 2, "stop_lat")),
            ("routes", "Orla,3", "Orla,", ("no_number", "routes.txt", 2, "route_type")),
            ("routes", "Orla,3", "Orla,³", ("no_number", "routes.txt", 2, "route_type")),
            ("stop_times", "S3,3", "S3,³", ("no_number", "stop_times.txt", 4, "stop_sequence")),
            ("stop_times", "S3,3", f"S3,{'9' * 5000}", ("no_number", "stop_times.txt", 4, "stop_sequence")),
            ("routes", "R1,A,1", "R1,B,1", ("unknown_reference", "routes.txt", 2, "agency_id")),
            ("calendar", "WK,1", "WK,yes", ("no_flag", "calendar.txt", 2, "monday")),
            ("calendar", "20260101", "20261301", ("no_date", "calendar.txt", 2, "start_date")),
            ("calendar", "thursday", "thirsty", ("missing_column", "calendar.txt", 1, "thursday")),
            ("trips", "R1,WK,T1", "R9,WK,T1", ("unknown_reference", "trips.txt", 2, "route_id")),
            ("stop_times", "S3,3", "S9,3", ("unknown_reference", "stop_times.txt", 4, "stop_id")),
            ("stop_times", "S3,3", "S3,2", ("duplicate", "stop_times.txt", 4, "stop_sequence")),
            ("stop_times", "10:20:00,10:20:00", "10h20,10h20", ("no_time", "stop_times.txt", 4, "arrival_time")),
            ("stop_times", "10:20:00,10:20:00", "09:20:00,09:20:00",
             ("time_goes_back", "stop_times.txt", 4, "arrival_time")),
            ("stop_times", "T1,10:00:00,10:00:00", "T1,,", ("missing_value", "stop_times.txt", 2, "departure_time")),
        ],
    )  # fmt: skip
    def test_is_told_with_file_line_and_field(self, read, table, before, after, problem):
        parsed, report = read(**{table: FEED[f"{table}.txt"].replace(before, after, 1)})

        assert parsed is None
        assert problem in told(report)

    @pytest.mark.parametrize(
        ("row", "problem"),
        [
            ("10:00:00,9999:00:00,600", ("no_time", "end_time")),
            (",11:00:00,600", ("missing_value", "start_time")),
            ("10:00:00,10:00:00,600", ("ends_before_start", "end_time")),
            ("10:00:00,11:00:00,0", ("no_number", "headway_secs")),
            ("10:00:00,11:00:00,²", ("no_number", "headway_secs")),
            ("000:00:00,999:00:00,1", ("no_number", "headway_secs")),
        ],
    )
    def test_a_headway_is_told_by_the_one_field_that_is_wrong(self, read, row, problem):
        code, field = problem

        _, report = read(frequencies=f"trip_id,start_time,end_time,headway_secs\nT1,{row}\n")

        assert told(report) == [(code, "frequencies.txt", 2, field)]

    @pytest.mark.parametrize("table", ["agency", "stops", "routes", "trips", "stop_times"])
    def test_a_required_table_that_is_missing(self, read, table):
        _, report = read(**{table: None})

        assert ("missing_file", f"{table}.txt", None, None) in told(report)

    def test_neither_calendar(self, read):
        assert ("missing_calendar", "calendar.txt", None, None) in told(read(calendar=None)[1])

    def test_other_encodings_and_null_characters(self, read):
        _, report = read(
            stops=FEED["stops.txt"].encode("utf-16"), routes=FEED["routes.txt"].replace("Orla", "Or\0la")
        )

        assert ("not_utf8", "stops.txt", None, None) in told(report)
        assert ("null_character", "routes.txt", 2, None) in told(report)

    def test_a_feed_wrong_in_every_row_is_not_read_to_its_end(self, read):
        rows = "".join(f"S{n},x,999,999,0\n" for n in range(10, 2000))

        assert len(told(read(stops=FEED["stops.txt"] + rows)[1])) == 200


class TestWhatIsPutRight:
    def test_a_clock_that_starts_again_at_midnight(self, read):
        parsed, report = read(
            stop_times=FEED["stop_times.txt"]
            .replace("T2,24:10:00,24:10:00", "T2,23:50:00,23:50:00")
            .replace("24:30", "00:10")
        )

        assert warned(report) == ["past_midnight"]
        assert parsed.itineraries[0].trips[1].calls[-1].arrives == 24 * 3600 + 600

    def test_a_row_repeated_word_for_word(self, read):
        parsed, report = read(agency=FEED["agency.txt"] + FEED["agency.txt"].split("\n")[1])

        assert parsed
        assert warned(report) == ["duplicate"]

    def test_a_decimal_comma_in_quotes(self, read):
        parsed, report = read(stops=FEED["stops.txt"].replace("-23.6200", '"-23,6200"'))

        assert parsed.stops[0].latitude == -23.62
        assert warned(report) == ["decimal_comma"]

    def test_a_trip_of_one_stop_and_a_stop_of_no_trip_are_left_out(self, read):
        parsed, report = read(
            trips=FEED["trips.txt"] + "R1,WK,T9,0,\n",
            stop_times=FEED["stop_times.txt"] + "T9,08:00:00,08:00:00,S1,1\n",
            stops=FEED["stops.txt"] + "S4,Longe,-23.7,-45.5,0\n",
        )

        assert warned(report) == ["unused_trip", "unused_stops"]
        assert len(parsed.stops) == 3

    def test_a_feed_without_any_time_says_so(self, read):
        times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\nT1,,,S1,1\nT1,,,S3,2\n"
        parsed, report = read(stop_times=times)

        assert "untimed_trip" in warned(report)
        assert parsed.itineraries[0].duration_minutes is None

    def test_only_dates_and_no_calendar(self, read):
        parsed, _ = read(
            calendar=None, calendar_dates="service_id,date,exception_type\nWK,20261201,1\nSA,20261205,1\n"
        )

        assert parsed.calendars["WK"].added == {date(2026, 12, 1)}
        assert parsed.itineraries[0].valid_until == date(2026, 12, 5)


class TestOptionalTables:
    def test_frequencies_shapes_fares_and_names_in_other_languages(self, read):
        parsed, _ = read(
            frequencies="trip_id,start_time,end_time,headway_secs,exact_times\nT1,10:00:00,12:00:00,1800,1\n",
            trips=FEED["trips.txt"]
            .replace("direction_id", "direction_id,shape_id")
            .replace("T1,0,", "T1,0,L,"),
            shapes="shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence\nL,-23.63,-45.40,2\nL,-23.62,-45.41,1\n",
            fare_attributes="fare_id,price,currency_type,payment_method,transfers\nF,5.50,BRL,0,\n",
            fare_rules="fare_id,route_id\nF,R1\n",
            translations="table_name,field_name,language,translation,record_id\nroutes,route_long_name,en,Seafront,R1\n",
        )

        [itinerary] = parsed.itineraries
        assert [each.headway for each in itinerary.trips[0].frequencies] == [1800]
        assert itinerary.shapes[Way.OUTBOUND] == ((-23.62, -45.41), (-23.63, -45.40))
        assert itinerary.fare_centavos == 550
        assert itinerary.names == {"en": "Seafront"}


class TestRealFeeds:
    @pytest.mark.parametrize(
        ("file", "stops", "itineraries"), [("poa_eptc.zip", 212, 4), ("sp_sptrans_trilhos.zip", 654, 19)]
    )
    def test_the_brazilian_ones_are_read_whole(self, shared, file, stops, itineraries):
        report = Report()
        parsed, _ = read_gtfs(shared / "data/gtfs/feeds" / file, report)

        assert parsed, told(report)
        assert (len(parsed.stops), len(parsed.itineraries)) == (stops, itineraries)


class TestWhereTheStopsLie:
    HERE = Box(south=-25.5, west=-53.6, north=-19.4, east=-43.8)

    def reading(self, tmp_path, position):
        report = Report()
        stops = FEED["stops.txt"].replace("-23.6200,-45.4100", position)
        parsed, _ = read_gtfs(
            folder_of(tmp_path / "feed", FEED | {"stops.txt": stops}), report, within=self.HERE
        )
        return parsed, report

    @pytest.mark.parametrize("position", ["-45.4100,-23.6200", "23.6200,-45.4100", "23.6200,45.4100"])
    def test_changed_places_or_a_lost_minus_are_refused(self, tmp_path, position):
        parsed, report = self.reading(tmp_path, position)

        assert parsed is None
        assert told(report) == [("position_slip", "stops.txt", 2, "stop_lat")]

    def test_another_part_of_the_country_is_flagged(self, tmp_path):
        parsed, report = self.reading(tmp_path, "-8.0500,-34.9000")

        assert parsed
        assert warned(report) == ["outside_state"]

    def test_decimal_commas_are_read(self, tmp_path):
        parsed, _ = self.reading(tmp_path, '"-23,6200","-45,4100"')

        assert parsed.stops[0].latitude == -23.62
