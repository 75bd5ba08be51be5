"""Itineraries, stops and departures as messages."""

from collections.abc import Sequence
from datetime import datetime

from portal.domain.geo import Direction
from portal.domain.itineraries import ItineraryStatus
from portal.domain.timetable import Departure, Outlook
from portal.i18n import Translator
from portal.regulations import catalogue
from portal.services.itineraries import BoardingOfService, ItineraryView, NearbyStop, StopView


def itinerary_text(view: ItineraryView, at: datetime, _: Translator) -> str:
    """Name, status, ends, next departures, the permits that name it, where boarding is allowed."""
    summary = view.summary
    lines = [summary.name_in(_.language), status_sentence(summary.status, _)]
    if summary.expired and summary.valid_until:
        lines.append(
            _("Esta tabela de horários valia até %(until)s.") % {"until": _.date(summary.valid_until)}
        )
    for way in view.ways:
        if len(way.stops) > 1:
            lines.append(f"{way.stops[0].name} → {way.stops[-1].name}\n" + departures(way.outlook, at, _))
        elif way.stops:
            lines.append(f"{way.stops[0].name}\n" + departures(way.outlook, at, _))
    if not view.has_timetable:
        lines.append(_("Não há tabela de horários publicada."))
    if view.holiday:
        lines.append(_("Hoje é feriado: %(holiday)s.") % {"holiday": view.holiday})
    for permit in view.permits:
        if permit.capacity:
            lines.append(
                _("Autorização %(number)s, lotação de %(capacity)s passageiros sentados.")
                % {"number": permit.number, "capacity": permit.capacity}
            )
        else:
            lines.append(_("Autorização %(number)s.") % {"number": permit.number})
    if view.boarding:
        lines += boarding_lines(view.boarding, _)
    lines.append(_("Lista de %(as_of)s.") % {"as_of": _.date(view.as_of)})
    return "\n\n".join(lines)


def stop_text(view: StopView, at: datetime, _: Translator) -> str:
    """A stop, the itineraries that call there and the next departures."""
    town = view.municipality
    lines = [f"📍 {view.stop.name}\n{town.name} – {town.state}"]
    if view.stop.reference:
        lines.append(view.stop.reference)
    for each in view.itineraries:
        lines.append(f"{each.name_in(_.language)}\n{status_sentence(each.status, _)}")
    lines.append(
        departures(view.outlook, at, _) if view.has_timetable else _("Não há tabela de horários publicada.")
    )
    if view.holiday:
        lines.append(_("Hoje é feriado: %(holiday)s.") % {"holiday": view.holiday})
    lines.append(_("Lista de %(as_of)s.") % {"as_of": _.date(view.as_of)})
    return "\n\n".join(lines)


def nearby_text(found: Sequence[NearbyStop], at: datetime, _: Translator) -> str:
    """The nearest boarding points, each with distance, direction and next departure."""
    blocks = [_("Pontos de embarque mais perto:")]
    for number, each in enumerate(found, start=1):
        where = _("%(metres)s m a %(direction)s, %(minutes)s min a pé") % {
            "metres": _.number(each.metres),
            "direction": direction_word(each.direction, _),
            "minutes": each.minutes,
        }
        lines = [f"{number}. {each.stop.name}", where]
        if each.next:
            zone = catalogue.municipality(each.stop.municipality).zone
            when = moment(each.next, at.astimezone(zone), _)
            lines.append(_("Próxima saída: %(when)s") % {"when": when})
        lines += [
            f"{route.name_in(_.language)}: {status_sentence(route.status, _)}" for route in each.itineraries
        ]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def departures(outlook: Outlook, at: datetime, _: Translator) -> str:
    """The next departures of a stop or itinerary, or when there is one again."""
    if outlook.next:
        times = ", ".join(moment(each, outlook.at, _) for each in outlook.next)
        return _("Próximas saídas: %(times)s") % {"times": times}
    if outlook.next_day:
        when = moment(outlook.next_day, outlook.at, _)
        if outlook.ran_today:
            return _("As saídas de hoje terminaram. Próxima: %(when)s") % {"when": when}
        return _("Hoje não há saídas. Próxima: %(when)s") % {"when": when}
    return _("Nenhuma saída prevista.")


def moment(departure: Departure, local: datetime, _: Translator) -> str:
    """When a vehicle leaves: the hour today, with day and date otherwise."""
    if departure.at.date() == local.date():
        if departure.approximate:
            return _("por volta das %(time)s") % {"time": _.time(departure.at)}
        return _.time(departure.at)
    day = {
        "weekday": _.weekday(departure.at.date()),
        "date": _.date(departure.at.date()),
        "time": _.time(departure.at),
    }
    return _("%(weekday)s, %(date)s, às %(time)s") % day


def boarding_lines(boarding: BoardingOfService, _: Translator) -> list[str]:
    """Where boarding is allowed in a service, in the words of the municipality's folder, with the article."""
    lines = []
    for rule in boarding.rules:
        words = {"pt_BR": rule.words.pt, "en": rule.words.en, "es": rule.words.es}[_.language]
        lines.append(f"{words} ({rule.article})")
    return lines


def status_sentence(status: ItineraryStatus, _: Translator) -> str:
    match status:
        case ItineraryStatus.AUTHORIZED:
            return _("Roteiro autorizado")
        case ItineraryStatus.NOT_IN_FORCE:
            return _("Nenhuma autorização em vigor cita este roteiro")
        case ItineraryStatus.OF_BILL:
            return _("Descrito num projeto de lei, que não autoriza ninguém")
        case ItineraryStatus.NOT_OURS:
            return _("Linha de ônibus")


def direction_word(direction: Direction, _: Translator) -> str:
    match direction:
        case Direction.NORTH:
            return _("norte")
        case Direction.NORTH_EAST:
            return _("nordeste")
        case Direction.EAST:
            return _("leste")
        case Direction.SOUTH_EAST:
            return _("sudeste")
        case Direction.SOUTH:
            return _("sul")
        case Direction.SOUTH_WEST:
            return _("sudoeste")
        case Direction.WEST:
            return _("oeste")
        case Direction.NORTH_WEST:
            return _("noroeste")
