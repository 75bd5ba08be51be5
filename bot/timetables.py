"""Itineraries, stops and departures as messages."""

from collections.abc import Sequence
from datetime import datetime

from portal.domain.itineraries import ItineraryStatus
from portal.i18n import Translator
from portal.regulations import catalogue
from portal.services.itineraries.answers import (
    BoardingOfService,
    ItineraryList,
    ItinerarySummary,
    ItineraryView,
    NearbyStop,
    PermitOnRoute,
    StopSummary,
    StopView,
)
from portal.services.itineraries.departures import NextDepartures
from portal.wording.citations import article_words
from portal.wording.itineraries import (
    accessible_sentence,
    departure_time,
    duration_words,
    expired_sentence,
    fare_words,
    holiday_sentence,
    itinerary_status_sentence,
    itinerary_status_word,
    last_departure_sentence,
    nearby_next_sentence,
    next_departure_sentence,
    no_itineraries_sentence,
    only_by_app_sentence,
    stop_kind_sentence,
    way_there,
)
from portal.wording.services import service_name

MOST_LISTED = 8


def list_text(listed: ItineraryList, at: datetime, _: Translator) -> str:
    """What a town has: its itineraries with what leaves next, then where one boards in each of its services."""
    town = listed.municipality
    lines = [_("Itinerários e pontos em %(town)s") % {"town": f"{town.name} – {town.state}"}]
    for each in listed.itineraries[:MOST_LISTED]:
        fare = [] if each.fare_centavos is None else [fare_words(each.fare_centavos, _)]
        lines.append("\n".join([named(each, _), _next_of(each, at, _), *fare]))
    if not listed.itineraries:
        lines.append(no_itineraries_sentence(_))
    for service in listed.services:
        said = boarding_lines(service, _)
        if service.service in listed.only_by_app:
            said.append(only_by_app_sentence(_))
        if said:
            lines.append("\n".join([service_name(service.service, _), *said]))
    if listed.as_of:
        lines.append(_("Lista de %(as_of)s.") % {"as_of": _.date(listed.as_of)})
    return "\n\n".join(lines)


def _next_of(itinerary: ItinerarySummary, at: datetime, _: Translator) -> str:
    today = catalogue.municipality(itinerary.municipality).civil_day(at)
    return expired_sentence(itinerary, _) or nearby_next_sentence(itinerary, _, today=today)


def itinerary_text(view: ItineraryView, _: Translator) -> str:
    """Name, status, ends with their next departures, permits, where boarding is allowed."""
    lines = [
        view.summary.name_in(_.language),
        f"{itinerary_status_word(view.summary.status, _)}. "
        + itinerary_status_sentence(view.summary.status, _, permits=view.permits),
        expired_sentence(view.summary, _),
        holiday_sentence(view.holiday, _) if view.holiday else None,
    ]
    for way in view.ways:
        names = " → ".join(dict.fromkeys(stop.name for stop in (*way.stops[:1], *way.stops[-1:])))
        said = next_departure_sentence(way.outlook, _, has_timetable=view.has_timetable)
        times = [departure_time(each, _) for each in way.outlook.next[1:]]
        then = _("Depois: %(times)s") % {"times": ", ".join(times)} if times else None
        last = last_departure_sentence(way.outlook, _)
        lines.append("\n".join(line for line in (names, said, then, last) if line))
    lines.append("\n".join(facts(view.summary, _)))
    lines += [permit_line(permit, _) for permit in view.permits]
    if view.boarding:
        lines += boarding_lines(view.boarding, _)
    lines.append(_("Lista de %(as_of)s.") % {"as_of": _.date(view.as_of)})
    return "\n\n".join(line for line in lines if line)


def facts(itinerary: ItinerarySummary, _: Translator) -> list[str]:
    """What is known of an itinerary beside its times, one line each."""
    known = []
    if itinerary.fare_centavos is not None:
        known.append((_("Preço"), fare_words(itinerary.fare_centavos, _)))
    if itinerary.duration_minutes:
        known.append((_("Duração"), duration_words(itinerary.duration_minutes, _)))
    if itinerary.operator:
        known.append((_("Empresa"), itinerary.operator))
    if said := accessible_sentence(itinerary.accessible, _):
        known.append((_("Acessibilidade"), said))
    return [f"{what}: {said}" for what, said in known]


def stop_text(view: StopView, _: Translator) -> str:
    """A stop, the itineraries that call there and the next departures."""
    town = view.municipality
    times = [departure_time(each, _) for each in view.outlook.next[1:]]
    lines = [
        f"📍 {view.stop.name}\n{town.name} – {town.state}",
        stop_kind_sentence(view.stop.kind, _),
        view.stop.reference,
        next_departure_sentence(view.outlook, _, has_timetable=view.has_timetable),
        _("Depois: %(times)s") % {"times": ", ".join(times)} if times else None,
        last_departure_sentence(view.outlook, _),
        holiday_sentence(view.holiday, _) if view.holiday else None,
        *("\n".join(filter(None, (named(each, _), expired_sentence(each, _)))) for each in view.itineraries),
        _("Lista de %(as_of)s.") % {"as_of": _.date(view.as_of)},
    ]
    return "\n\n".join(line for line in lines if line)


def rides_text(view: StopView, to: StopSummary, found: NextDepartures, _: Translator) -> str:
    """The next rides from a stop to another, each with its arrival and its itinerary."""
    lines = [_("De %(start)s a %(end)s") % {"start": view.stop.name, "end": to.name}]
    if not found.rides or found.rides[0].departure.at.date() != found.at.date():
        lines.append(next_departure_sentence(found.outlook, _, has_timetable=found.has_timetable))
    for each in found.rides:
        times = departure_time(each.departure, _)
        if each.arrives:
            about = "~" if each.arrives_about else ""
            times = f"{times} → {about}{_.time(each.arrives)}"
        day = each.departure.at.date()
        when = times if day == found.at.date() else f"{_.weekday(day)}, {_.date(day)}\n{times}"
        said = [when, view.route_name(each.departure.itinerary, _.language)]
        status = view.status_of(each.departure.itinerary)
        if status is ItineraryStatus.NOT_IN_FORCE:
            said.append(itinerary_status_word(status, _))
        lines.append("\n".join(said))
    return "\n\n".join(lines)


def nearby_text(found: Sequence[NearbyStop], at: datetime, _: Translator) -> str:
    """The nearest boarding points, each with the way there and its next departure."""
    blocks = [_("Pontos de embarque mais perto:")]
    for number, each in enumerate(found, start=1):
        today = catalogue.municipality(each.stop.municipality).civil_day(at)
        lines = [
            f"{number}. {each.stop.name}",
            way_there(each, _),
            nearby_next_sentence(each, _, today=today),
            *(named(route, _) for route in each.itineraries),
        ]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def named(itinerary: ItinerarySummary, _: Translator) -> str:
    """An itinerary in one line, with what it rests on today."""
    return f"{itinerary.name_in(_.language)} – {itinerary_status_word(itinerary.status, _)}"


def permit_line(permit: PermitOnRoute, _: Translator) -> str:
    if permit.capacity is None:
        return _("Autorização %(number)s") % {"number": permit.number}
    return _.ngettext(
        "Autorização %(number)s, lotação de %(capacity)s passageiro sentado",
        "Autorização %(number)s, lotação de %(capacity)s passageiros sentados",
        permit.capacity,
    ) % {"number": permit.number, "capacity": permit.capacity}


def boarding_lines(boarding: BoardingOfService, _: Translator) -> list[str]:
    """Where boarding is allowed in a service, in the words of the municipality's folder, with the article."""
    return [f"{rule.words.said(_.language)} ({article_words(rule.article, _)})" for rule in boarding.rules]
