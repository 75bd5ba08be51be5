"""Every departure of a feed over a month, by an independent library: ``python gtfs_departures.py FEED FIRST_DAY``.

Runs in an environment of its own (``make check-gtfs`` makes it), where nothing of this project is installed, and
writes one CSV line a departure: route, direction, stop, seconds after the start of the day of service, days ahead.
Which trips run on a day and at what seconds they call is gtfs-kit's word; only blank times, which it does not
fill, and headways are spelled out here, from the specification.
"""

import csv
import sys
from datetime import date, timedelta

import gtfs_kit
import pandas


def main() -> None:
    path, first = sys.argv[1], date.fromisoformat(sys.argv[2])
    feed = gtfs_kit.read_feed(path, dist_units="km")
    days = [(first + timedelta(days=ahead)).strftime("%Y%m%d") for ahead in range(int(sys.argv[3]))]
    active = gtfs_kit.trips.compute_trip_activity(feed, days)
    trips = feed.trips.drop_duplicates("trip_id").set_index("trip_id")
    calls = feed.stop_times.sort_values(["trip_id", "stop_sequence"])
    calls["seconds"] = calls["departure_time"].fillna(calls["arrival_time"]).map(_seconds, na_action="ignore")
    headways = feed.frequencies
    out = csv.writer(sys.stdout)
    runs = {
        trip: [
            str(ahead)
            for ahead, day in enumerate(days)
            if day in active.columns and bool(active.loc[at, day])
        ]
        for at, trip in active["trip_id"].items()
    }
    for trip, of_trip in calls.groupby("trip_id", sort=True):
        on = runs.get(trip, [])
        if not on or len(of_trip) < 2:
            continue
        row = trips.loc[trip]
        way = 0 if pandas.isna(row.get("direction_id", 0)) else int(row.get("direction_id", 0))
        timed = of_trip[of_trip["seconds"].notna()]
        begins = timed["seconds"].iloc[0] if len(timed) else 0
        starts = _starts(headways, trip, begins)
        last = of_trip["stop_sequence"].max()
        for call in timed[timed["stop_sequence"] != last].itertuples():
            if str(getattr(call, "pickup_type", "0")).split(".")[0] == "1":
                continue
            for start in starts:
                seconds = int(start + call.seconds - begins)
                out.writerow([row["route_id"], way, call.stop_id, seconds, " ".join(on)])


def _starts(headways: pandas.DataFrame | None, trip: str, begins: float) -> list[float]:
    mine = headways[headways["trip_id"] == trip] if headways is not None else ()
    if not len(mine):
        return [begins]
    found = []
    for each in mine.itertuples():
        found += range(_seconds(each.start_time), _seconds(each.end_time), int(each.headway_secs))
    return found


def _seconds(clock: str) -> int:
    hours, minutes, seconds = (int(part) for part in clock.strip().split(":"))
    return hours * 3600 + minutes * 60 + seconds


if __name__ == "__main__":
    main()
