"""Every feed of the real data, the deliberately broken ones too, beside what a reference validator says of it."""

import csv
from pathlib import Path

import pytest

from portal.importing.gtfs import read_gtfs
from portal.importing.sources import Report

OURS = {
    "missing_required_file": {"missing_file"},
    "missing_calendar_and_calendar_date_files": {"missing_calendar"},
    "missing_required_column": {"missing_column", "not_utf8", "missing_value"},
    "missing_required_field": {"missing_value", "no_number", "no_time"},
    "missing_required_agency_id": {"missing_value", "unknown_reference", "duplicate"},
    "missing_stop_name": {"missing_value"},
    "missing_trip_edge": {"missing_value"},
    "route_both_short_and_long_name_missing": {"missing_value"},
    "foreign_key_violation": {"unknown_reference"},
    "duplicate_key": {"duplicate"},
    "location_with_unexpected_stop_time": {"not_a_stop"},
    "invalid_timezone": {"no_zone"},
    "inconsistent_agency_timezone": {"two_zones"},
    "invalid_character": {"not_utf8"},
    "invalid_float": {"no_position"},
    "number_out_of_range": {"no_position"},
    "point_near_origin": {"no_position"},
    "stop_time_with_arrival_before_previous_departure_time": {"time_goes_back", "past_midnight"},
    "stop_time_with_only_arrival_or_departure_time": {"one_time_only"},
    "invalid_row_length": {"row_too_short", "row_too_long", "null_character"},
}
"""The validator's word for a fault, and ours; each of these faults has to be told."""

NOT_OURS = {
    "bidirectional_exit_gate", "pathway_to_wrong_location_type",  # the ways inside a station
    "wrong_parent_location_type", "location_without_parent_station", "station_with_parent_station",
    "invalid_color", "invalid_phone_number", "invalid_url", "invalid_currency",
    "equal_shape_distance_diff_coordinates",  # distances along a line, which are not read
    "invalid_input_files_in_subfolder",  # a folder inside the zip is what agencies hand out, and it is read
}  # fmt: skip
"""Faults of what the portal does not read: they mislead nobody who looks for a departure."""

STOPS_READING = {"missing_file", "missing_calendar", "missing_column", "not_utf8", "no_zip"}
"""After these the other tables are not looked at, or their references would all be told as broken."""

FORGIVEN = {
    "feeds/poa_eptc.zip": "a night trip's clock starts again at midnight: read as the next morning",
    "feeds/sp_sptrans_trilhos.zip": "rows repeated word for word",
    "defeituosos/transitfeed/missing_departure_time": "the arrival counts for both",
    "defeituosos/transitfeed/missing_row_cells": "the cells at the end of a row are left empty",
    "defeituosos/transitfeed/duplicate_stop": "the same, in every row",
    "defeituosos/transitfeed/extra_row_cells": "the cell too many is empty",
}
"""Accepted although the validator finds a fault in what is read, and why that misleads nobody."""

NO_ROW_THERE = {"defeituosos/transitfeed/unknown_format.zip"}
"""Refused though the validator's report says nothing: it is no zip at all."""

TOLD_OTHERWISE = {
    ("feeds/multigtfs_test1.zip", "missing_required_file"): "they stand in a folder of the zip, and are read",
    ("feeds/multigtfs_test1.zip", "missing_calendar_and_calendar_date_files"): "the same",
    ("feeds/imaginario_sample_gtfs_feed.zip", "missing_trip_edge"): "its ends are no stops, which is told",
    ("defeituosos/etalab/arrange_by_phone_stops", "missing_required_field"): "the price of a fare in euros",
    ("defeituosos/etalab/coordinate_with_driver_stops", "missing_required_field"): "the same",
    ("defeituosos/etalab/stops", "invalid_row_length"): "the cells too many are empty",
    ("defeituosos/transitfeed/extra_row_cells", "invalid_row_length"): "the same",
}  # fmt: skip


@pytest.fixture
def verdicts(shared: Path) -> dict[str, set[str]]:
    """The errors of each feed, none for those that only get warnings."""
    found: dict[str, set[str]] = {}
    with (shared / "data/gtfs/referencia_validador.csv").open() as lines:
        for row in csv.DictReader(lines):
            errors = found.setdefault(row["feed"], set())
            if row["severidade"] == "ERROR":
                errors.add(row["codigo"])
    return found


def test_each_feed_is_judged_as_by_the_validator_or_otherwise_for_a_reason(shared, verdicts):
    folders = shared / "data/gtfs"
    every = {
        path.relative_to(folders).as_posix()
        for pattern in ("feeds/*", "defeituosos/*/*")
        for path in folders.glob(pattern)
    }
    differing = []
    for feed in sorted(every):
        errors = verdicts.get(feed, set())
        report = Report()

        parsed, _ = read_gtfs(folders / feed, report)

        assert (parsed is None) == report.refused, feed
        told = {problem.code for problem in report.problems}
        concerned = errors - NOT_OURS
        assert concerned <= OURS.keys(), (feed, concerned - OURS.keys())
        if not told & STOPS_READING:
            differing += [
                (feed, error, told)
                for error in sorted(concerned)
                if not told & OURS[error] and (feed, error) not in TOLD_OTHERWISE
            ]
        if parsed and concerned and feed not in FORGIVEN:
            differing.append((feed, "accepted", concerned))
        if parsed is None and not concerned and feed not in NO_ROW_THERE:
            differing.append((feed, "refused", told))
    assert differing == []
    assert len(every) > 50


def test_every_refusal_names_its_file_and_what_is_wrong_with_a_row_its_line_and_field(shared, verdicts):
    of_a_file = STOPS_READING | {"not_csv"}
    of_a_row = {"null_character", "row_too_long"}
    for feed in verdicts:
        report = Report()

        read_gtfs(shared / "data/gtfs" / feed, report)

        for problem in (each for each in report.problems if each.fatal):
            assert problem.file, feed
            assert problem.line or problem.code in of_a_file, (feed, problem)
            assert problem.field or problem.code in of_a_file | of_a_row, (feed, problem)
