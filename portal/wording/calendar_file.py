"""A departure as an iCalendar file (RFC 5545), for the calendar of a telephone."""

from datetime import UTC, datetime

from portal.i18n import Translator
from portal.services.itineraries.departures import DepartureView


def calendar_file(told: DepartureView, _: Translator, *, address: str, now: datetime) -> bytes:
    """One event that begins as the vehicle leaves; it ends where the duration of the tour is known.

    Args:
        address: of the itinerary's page, which tells later changes; the event itself does not.
        now: the instant at which the file is made.
    """
    from icalendar import Calendar, Event, vGeo  # seven megabytes that most processes never need

    stop, departure = told.stop, told.departure
    event = Event()
    # The same departure taken along twice is one event.
    event.add("uid", f"{departure.at:%Y%m%dT%H%M}-{told.itinerary.code}-{stop.code}-{stop.municipality}")
    event.add("dtstamp", now)
    # As an instant: whatever zone the telephone is in, and without a table of zones in the file.
    event.add("dtstart", _instant(departure.at))
    if told.ends:
        event.add("dtend", _instant(told.ends))
    event.add("summary", told.itinerary.name_in(_.language))
    event.add("location", f"{stop.name}, {told.municipality.name}")
    event.add("geo", vGeo((stop.latitude, stop.longitude)))
    event.add("url", address)
    event.add(
        "description",
        _("Confira a placa antes de embarcar. Horários podem mudar: %(address)s") % {"address": address},
    )
    file = Calendar()
    file.add("prodid", "-//Embarque Legal//PT")
    file.add("version", "2.0")
    file.add("method", "PUBLISH")
    file.add_component(event)
    return bytes(file.to_ical())


def _instant(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(microsecond=0)
