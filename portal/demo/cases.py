"""The vehicles and itineraries of the demonstration, each with what it shows."""

from portal.domain.permits import Status
from portal.services.demonstration import Case, Subject

COAST, HILLS, PLATEAU, VALLEY = (
    "caraguatatuba-sp",
    "sao-joao-da-boa-vista-sp",
    "chapada-dos-guimaraes-mt",
    "santa-rita-pb",
)


def _vehicle(code: str, municipality: str, query: str, status: Status) -> Case:
    return Case(Subject.VEHICLE, code, municipality, query=query, status=status)


def _itinerary(code: str, municipality: str, itinerary: str) -> Case:
    return Case(Subject.ITINERARY, code, municipality, itinerary=itinerary)


VEHICLES = (
    _vehicle("whole_combination", COAST, "ZZA1A11", Status.AUTHORIZED),
    _vehicle("trailer_barred", COAST, "ZZB2A21", Status.BARRED),
    _vehicle("outside_permit", COAST, "ZZC3B32", Status.NOT_FOUND),
    _vehicle("next_year", COAST, "ZZD4A41", Status.NOT_YET_VALID),
    _vehicle("renewal_pending", COAST, "ZZE5A51", Status.RENEWAL_PENDING),
    _vehicle("expired", COAST, "ZZF6A61", Status.EXPIRED),
    _vehicle("suspended_past_its_date", COAST, "ZZG7A71", Status.SUSPENDED),
    _vehicle("released", COAST, "ZZH8A81", Status.AUTHORIZED),
    _vehicle("revoked", COAST, "ZZJ9A91", Status.REVOKED),
    _vehicle("cancelled", COAST, "ZZK0A10", Status.CANCELLED),
    _vehicle("two_permits", HILLS, "ZZL1A11", Status.AUTHORIZED),
    _vehicle("last_day_today", HILLS, "ZZM2A22", Status.AUTHORIZED),
    _vehicle("last_day_yesterday", HILLS, "ZZN3A33", Status.NOT_IN_FORCE),
    _vehicle("twin_plate", HILLS, "ZZP4E44", Status.AUTHORIZED),
    _vehicle("person_not_in_force", HILLS, "ZZQ5A55", Status.NOT_IN_FORCE),
    _vehicle("person", COAST, "ZZT1A21", Status.AUTHORIZED),
    _vehicle("another_town", COAST, "ZZL1A11", Status.NOT_FOUND),
    _vehicle("not_found", COAST, "ZZX0A00", Status.NOT_FOUND),
    _vehicle("late_list", PLATEAU, "ZZS7A77", Status.UNKNOWN),
    _vehicle("not_regulated", VALLEY, "ZZV8A88", Status.NOT_REGULATED),
)

ITINERARIES = (
    _itinerary("running_now", COAST, "ORLA"),
    _itinerary("past_midnight", COAST, "NOITE"),
    _itinerary("on_holidays", COAST, "FERIADO"),
    _itinerary("none_today", COAST, "BRAVA"),
    _itinerary("without_permit", COAST, "MORRO"),
    _itinerary("of_a_bill", VALLEY, "USINA"),
)
