"""Authorised, but not here, not now, not for this: in the words that every surface shares."""

from collections.abc import Mapping, Sequence
from datetime import date, time
from typing import Any

from babel.lists import format_list

from portal.domain.permits import Service, Status
from portal.domain.verdicts import Reason, Verdict
from portal.i18n import Translator
from portal.regulations import catalogue
from portal.wording.services import service_in_sentence

HERE = frozenset({"other_stop", "boarding_rule"})
NOW = frozenset({"after_last", "before_first", "no_trip"})


def limit_word(limits: Sequence[Reason], _: Translator) -> str:
    """The words that stand largest on the card of a limited verdict."""
    codes = {limit.code for limit in limits}
    if codes & HERE and codes & NOW:
        return _("Autorizado, mas não aqui nem nesta hora")
    if codes & HERE:
        return _("Autorizado, mas não aqui")
    if codes & NOW:
        return _("Autorizado, mas não nesta hora")
    return _("Autorizado, mas não para este serviço")


def limited_sentence(verdict: Verdict, _: Translator) -> str:
    """What is authorised and what is not, then each limit in a sentence of its own."""
    gaps: dict[str, Any] = {
        "asked": verdict.asked,
        "town": catalogue.municipality(verdict.municipality).name,
        "service": _services([p.service for p in verdict.permits if p.status is Status.AUTHORIZED], _),
    }
    codes = {limit.code for limit in verdict.limits}
    if "other_service" in codes:
        gaps |= _gaps(next(limit.data for limit in verdict.limits if limit.code == "other_service"), _)
        return (
            _("%(asked)s: há autorização em vigor em %(town)s para %(service)s, mas não para %(wanted)s.")
            % gaps
        )
    if codes & HERE and codes & NOW:
        lead = _(
            "%(asked)s: há autorização em vigor em %(town)s para %(service)s, mas não aqui nem nesta hora."
        )
    elif codes & HERE:
        lead = _("%(asked)s: há autorização em vigor em %(town)s para %(service)s, mas não aqui.")
    else:
        lead = _("%(asked)s: há autorização em vigor em %(town)s para %(service)s, mas não nesta hora.")
    return " ".join([lead % gaps, *(limit_sentence(limit, _) for limit in verdict.limits)])


def limit_sentence(limit: Reason, _: Translator) -> str:
    """One limit in a whole sentence."""
    return _statement(limit.code, limit.data, _) % _gaps(limit.data, _)


def _statement(code: str, data: Mapping[str, Any], _: Translator) -> str:
    match code:
        case "other_service":
            return _("A autorização é para %(service)s, e não para %(wanted)s.")
        case "other_stop":
            return _.ngettext(
                "O ponto de embarque desta autorização é %(points)s, e não %(stop)s.",
                "Os pontos de embarque desta autorização são %(points)s, e não %(stop)s.",
                len(data["points"]),
            )
        case "boarding_rule":
            return _.choose(data).replace("%", "%%")
        case "before_first":
            return _("A primeira saída do dia é às %(first)s.")
        case "after_last" if "day" in data:
            return _("A última saída do dia é às %(last)s; a próxima é %(weekday)s, %(day)s, às %(next)s.")
        case "after_last":
            return _("A última saída do dia é às %(last)s.")
        case "no_trip" if "day" in data:
            return _("Nesse dia não há saídas; a próxima é %(weekday)s, %(day)s, às %(next)s.")
        case "no_trip":
            return _("Nesse dia não há saídas.")
    raise KeyError(code)


def _gaps(data: Mapping[str, Any], _: Translator) -> dict[str, str]:
    gaps: dict[str, str] = {}
    for name, value in data.items():
        match value:
            case Service():
                gaps[name] = service_in_sentence(value, _)
            case date():
                gaps[name], gaps["weekday"] = _.date(value), _.weekday(value)
            case time():
                gaps[name] = _.time(value)
            case str():
                gaps[name] = value
    if "points" in data:
        gaps["points"] = format_list(list(data["points"]), locale=_.locale)
    if "services" in data:
        gaps["service"] = _services(data["services"], _)
    return gaps


def _services(services: Sequence[Service], _: Translator) -> str:
    held = [service_in_sentence(service, _) for service in Service if service in services]
    return format_list(held, locale=_.locale)
