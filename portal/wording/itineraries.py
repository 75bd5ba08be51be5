"""What pages, JSON and bot say of itineraries, stops and departures, in the same words."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from babel.lists import format_list

from portal.domain.geo import Direction
from portal.domain.itineraries import ItineraryStatus, StopKind
from portal.domain.texts import capitalize_first
from portal.domain.timetable import Departure, Outlook, Span
from portal.i18n import Translator
from portal.services.itineraries.answers import ItinerarySummary, NearbyStop, PermitOnRoute
from portal.services.itineraries.departures import HUNG, NextDepartures, SignView
from portal.services.itineraries.places import PlaceMatch
from portal.services.itineraries.routes import RouteDistance


def itinerary_status_word(status: ItineraryStatus, _: Translator) -> str:
    match status:
        case ItineraryStatus.AUTHORIZED:
            return _("Itinerário autorizado")
        case ItineraryStatus.NOT_IN_FORCE:
            return _("Sem autorização em vigor hoje")
        case ItineraryStatus.OF_BILL:
            return _("Roteiro de um projeto de lei")
        case ItineraryStatus.NOT_OURS:
            return _("Linha de ônibus")


def itinerary_status_sentence(
    status: ItineraryStatus, _: Translator, *, permits: Sequence[PermitOnRoute] = ()
) -> str:
    """What the status rests on today, and what it does not mean."""
    match status:
        case ItineraryStatus.AUTHORIZED:
            ends = max((permit.valid_until for permit in permits if permit.valid_until), default=None)
            if ends:
                return _("Há autorização em vigor hoje para este itinerário, até %(day)s.") % {
                    "day": _.date(ends)
                }
            return _("Há autorização em vigor hoje para este itinerário.")
        case ItineraryStatus.NOT_IN_FORCE:
            return _(
                "Nenhuma autorização em vigor hoje cita este itinerário. Antes de embarcar, confira a placa."
            )
        case ItineraryStatus.OF_BILL:
            return _("Este roteiro segue um projeto de lei, que ainda não vale e não autoriza ninguém.")
        case ItineraryStatus.NOT_OURS:
            return _("Esta linha não depende das autorizações que você confere aqui.")


def next_departure_sentence(outlook: Outlook, _: Translator, *, has_timetable: bool = True) -> str:
    """The next departure, or when the next one is, or that none is known."""
    if not has_timetable and not outlook.next:
        return _("Não há horário publicado.")
    today = outlook.at.date()
    if outlook.next:
        coming = outlook.next[0]
        said = {"time": _.time(coming.at), "day": _.date(coming.at.date())}
        if coming.at.date() != today:
            return _("Próxima saída às %(time)s de %(day)s.") % said
        if coming.approximate:
            return _("Próxima saída por volta de %(time)s.") % said
        return _("Próxima saída às %(time)s.") % said
    if outlook.next_day is None:
        return _("Não há próxima saída conhecida.")
    said = {
        "time": _.time(outlook.next_day.at),
        "day": _.date(outlook.next_day.at.date()),
        "weekday": _.weekday(outlook.next_day.at.date()),
    }
    tomorrow = outlook.next_day.at.date() == today + timedelta(days=1)
    if outlook.ran_today and tomorrow:
        return _("As saídas de hoje já terminaram. A próxima é amanhã, às %(time)s.") % said
    if outlook.ran_today:
        return _("As saídas de hoje já terminaram. A próxima é %(weekday)s, %(day)s, às %(time)s.") % said
    if tomorrow:
        return _("Hoje não há saídas. A próxima é amanhã, às %(time)s.") % said
    return _("Hoje não há saídas. A próxima é %(weekday)s, %(day)s, às %(time)s.") % said


def rides_sentence(found: NextDepartures, _: Translator) -> str:
    """The next departure, or that between two stops none can be told, and why."""
    if found.barred:
        return _("Entre estes dois pontos não há viagem: num deles o veículo só passa.")
    return next_departure_sentence(found.outlook, _, has_timetable=found.has_timetable)


def empty_sign_sentence(sign: SignView, _: Translator) -> str | None:
    """Why there is nothing to hang at a stop today; None where there is."""
    view = sign.of
    if sign.weeks:
        return None
    if view.stop.kind is not StopKind.BOARDING_POINT:
        return stop_kind_sentence(view.stop.kind, _)
    leaving = [each for each in view.itineraries if each.status in HUNG]
    if not leaving:
        return _(
            "Hoje nenhum itinerário que sai daqui tem autorização em vigor. A placa só mostra os que têm."
        )
    if all(each.expired for each in leaving):
        return expired_sentence(leaving[0], _)
    if not view.has_timetable:
        return _("Não há horário publicado.")
    return _("Nada sai daqui nos próximos sete dias.")


def last_departure_sentence(outlook: Outlook, _: Translator) -> str | None:
    """The last departure of the running day of service; None on a day without one."""
    last = outlook.last_today
    if last is None:
        return None
    said = {"time": _.time(last.at), "day": _.date(last.at.date())}
    if last.at < outlook.at:
        return _("A última saída de hoje foi às %(time)s.") % said
    if last.at.date() != outlook.at.date():
        return _("Última saída de hoje: %(time)s, já em %(day)s.") % said
    return _("Última saída de hoje: %(time)s.") % said


def departure_time(departure: Departure, _: Translator) -> str:
    """The clock time of a departure; ``~`` before a minute that is only about right."""
    time = _.time(departure.at)
    return f"~{time}" if departure.approximate else time


def span_sentence(span: Span, _: Translator) -> str:
    return _.ngettext(
        "A cada %(n)s minuto, das %(start)s às %(end)s",
        "A cada %(n)s minutos, das %(start)s às %(end)s",
        span.every_minutes,
    ) % {"n": span.every_minutes, "start": _.time(span.starts), "end": _.time(span.ends)}


def expired_sentence(itinerary: ItinerarySummary, _: Translator) -> str | None:
    """The banner of a timetable whose validity is over; None while it holds."""
    if not itinerary.expired or itinerary.valid_until is None:
        return None
    return _("Estes horários valiam até %(day)s e podem ter mudado. Confirme no ponto de partida.") % {
        "day": _.date(itinerary.valid_until)
    }


def away_sentence(town: str, moment: datetime, _: Translator) -> str:
    """For a device on another clock: whose hours these are, and their distance from universal time.

    Args:
        moment: any instant in the town's zone, such as the one the page is about.
    """
    offset = moment.utcoffset() or timedelta()
    hours, minutes = divmod(abs(offset) // timedelta(minutes=1), 60)
    zone = f"UTC{'−' if offset < timedelta() else '+'}{hours}{f':{minutes:02}' if minutes else ''}"
    return _("O seu aparelho está em outro fuso: as horas desta página são as de %(town)s (%(zone)s).") % {
        "town": town,
        "zone": zone,
    }


def holiday_sentence(holiday: str, _: Translator) -> str:
    return _("Hoje é feriado (%(name)s): o horário pode ser outro.") % {"name": holiday}


def distance_words(metres: int, _: Translator) -> str:
    """Metres by tens below a kilometre, then kilometres with one decimal."""
    if metres < 995:
        return _("%(n)s m") % {"n": max(10, round(metres / 10) * 10)}
    return _("%(n)s km") % {"n": _.number(round(metres / 1000, 1))}


def distance_from_route_sentence(route: RouteDistance, error_m: int, _: Translator) -> str:
    """How far a position is from a published route, with the error of the measurement; a fact and no more.

    Within the error nothing can be said of the vehicle, and that is said; beyond it, that a detour may have its reason.
    """
    said = {
        "distance": distance_words(round(route.metres), _),
        "error": distance_words(error_m, _),
        "name": route.name_in(_.language),
    }
    if not route.drawn:
        return (
            _(
                "A cerca de %(distance)s (± %(error)s) do ponto mais perto de “%(name)s”. "
                "O traçado desse itinerário não foi publicado."
            )
            % said
        )
    if route.metres <= error_m:
        return _("A menos de %(error)s, a margem de erro, do roteiro publicado de “%(name)s”.") % said
    return (
        _(
            "A cerca de %(distance)s (± %(error)s) do roteiro publicado de “%(name)s”. "
            "Obras e desvios podem explicar a diferença."
        )
        % said
    )


def direction_words(direction: Direction, _: Translator) -> str:
    match direction:
        case Direction.NORTH:
            return _("ao norte")
        case Direction.NORTH_EAST:
            return _("a nordeste")
        case Direction.EAST:
            return _("a leste")
        case Direction.SOUTH_EAST:
            return _("a sudeste")
        case Direction.SOUTH:
            return _("ao sul")
        case Direction.SOUTH_WEST:
            return _("a sudoeste")
        case Direction.WEST:
            return _("a oeste")
        case Direction.NORTH_WEST:
            return _("a noroeste")


def way_there(nearby: NearbyStop, _: Translator) -> str:
    """How far a stop is, which way, and how long on foot when that is a walk."""
    said = {
        "distance": distance_words(nearby.metres, _),
        "direction": direction_words(nearby.direction, _),
        "minutes": nearby.minutes,
    }
    if nearby.minutes > 90:
        return _("%(distance)s %(direction)s") % said
    return (
        _.ngettext(
            "%(distance)s %(direction)s, %(minutes)s minuto a pé",
            "%(distance)s %(direction)s, %(minutes)s minutos a pé",
            nearby.minutes,
        )
        % said
    )


def nearby_next_sentence(nearby: NearbyStop | ItinerarySummary, _: Translator, *, today: date) -> str:
    """The next departure of a nearby stop or of an itinerary, of whatever day."""
    if nearby.next is None:
        return _("Não há próxima saída conhecida.")
    said = {
        "time": _.time(nearby.next.at),
        "day": _.date(nearby.next.at.date()),
        "weekday": _.weekday(nearby.next.at.date()),
    }
    if nearby.next.at.date() != today:
        return _("Próxima saída %(weekday)s, %(day)s, às %(time)s.") % said
    if nearby.next.approximate:
        return _("Próxima saída por volta de %(time)s.") % said
    return _("Próxima saída às %(time)s.") % said


def stop_kind_sentence(kind: StopKind, _: Translator) -> str:
    match kind:
        case StopKind.BOARDING_POINT:
            return _("Ponto de embarque")
        case StopKind.STOP:
            return _("Só passagem: aqui não se embarca")


def accessible_sentence(accessible: bool | None, _: Translator) -> str | None:
    if accessible is None:
        return None
    return _("Acessível a cadeira de rodas") if accessible else _("Sem acesso para cadeira de rodas")


def duration_words(minutes: int, _: Translator) -> str:
    if minutes < 60:
        return _.ngettext("%(n)s minuto", "%(n)s minutos", minutes) % {"n": minutes}
    hours, rest = divmod(minutes, 60)
    return _("%(hours)s h %(minutes)s min") % {"hours": hours, "minutes": rest}


def fare_words(centavos: int, _: Translator) -> str:
    return _("Grátis") if centavos == 0 else _.money(centavos / 100)


def days_words(days: Sequence[date], _: Translator) -> str:
    """The weekdays of a group of days, three or more in a row as a range."""
    if len(days) == 7:
        return _("Todos os dias")
    runs: list[list[date]] = []
    for day in days:
        if runs and day - runs[-1][-1] == timedelta(days=1):
            runs[-1].append(day)
        else:
            runs.append([day])
    # A week that starts on a Thursday cuts Monday to Friday in two: its last days come before its first.
    if len(runs) == 2 and (runs[0][0] - timedelta(days=1)).weekday() == runs[1][-1].weekday():
        runs = [runs[1] + runs[0]]
    words = []
    for run in runs:
        if len(run) >= 3:
            words.append(_("%(first)s a %(last)s") % {"first": _.weekday(run[0]), "last": _.weekday(run[-1])})
        else:
            words += [_.weekday(day) for day in run]
    listed = format_list(words, locale=_.locale)
    return capitalize_first(listed)


def way_words(way: str, headsign: str | None, _: Translator) -> str:
    if headsign:
        return _("Para %(place)s") % {"place": headsign}
    return _("Volta") if way == "inbound" else _("Ida")


def match_words(found: PlaceMatch, _: Translator) -> str:
    """What a found name is: a boarding point, an itinerary, a neighbourhood."""
    match found.target:
        case "itinerary":
            return _("Itinerário")
        case "stop":
            return stop_kind_sentence(StopKind(found.kind or StopKind.BOARDING_POINT), _)
        case _:
            return _("Ver os pontos perto deste lugar")


def not_found_place_sentence(text: str, _: Translator) -> str:
    return _("Não encontramos “%(text)s” entre pontos, itinerários, bairros e atrações.") % {"text": text}


def only_by_app_sentence(_: Translator) -> str:
    return _("Neste serviço o embarque é só pelo aplicativo: não há itinerário nem ponto na rua.")


def no_itineraries_sentence(_: Translator) -> str:
    return _("Não há itinerários cadastrados neste município.")
