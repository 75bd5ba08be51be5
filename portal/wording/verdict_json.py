"""A verdict as machines read it: the same for the address, the command line and whoever stores it."""

from typing import Any

from portal.domain.verdicts import PermitFinding, Verdict
from portal.i18n import Translator
from portal.regulations import catalogue
from portal.wording.limits import limit_sentence
from portal.wording.reasons import reason_sentence
from portal.wording.verdicts import verdict_sentence


def verdict_json(verdict: Verdict, _: Translator) -> dict[str, Any]:
    """Plain values; dates as 2026-12-31, the instant with the offset of the municipality's zone."""
    zone = catalogue.municipality(verdict.municipality).zone
    return {
        "query": verdict.asked,
        "municipality": verdict.municipality,
        "on": verdict.on.isoformat(),
        "computed_at": verdict.computed_at.astimezone(zone).isoformat(timespec="seconds"),
        "status": verdict.status,
        "sentence": verdict_sentence(verdict, _),
        "units": [{"plate": unit.plate, "role": unit.role, "status": unit.status} for unit in verdict.units],
        "permits": [_permit(permit, _) for permit in verdict.permits],
        "lists": _lists(verdict),
        "elsewhere": [{"municipality": slug, "status": status} for slug, status in verdict.elsewhere],
        "limits": [
            {
                "text": limit_sentence(limit, _),
                "article": limit.article,
                "instrument": limit.instrument,
            }
            for limit in verdict.limits
        ],
    }


def _lists(verdict: Verdict) -> list[dict[str, str]]:
    """Name and day of each list; two registers that differ in neither are one entry."""
    told = dict.fromkeys((one.source, one.as_of.isoformat()) for one in verdict.lists)
    return [{"source": source, "as_of": as_of} for source, as_of in told]


def _permit(permit: PermitFinding, _: Translator) -> dict[str, Any]:
    return {
        "number": permit.number,
        "service": permit.service,
        "status": permit.status,
        "valid_from": permit.valid_from.isoformat() if permit.valid_from else None,
        "valid_until": permit.valid_until.isoformat() if permit.valid_until else None,
        "capacity": permit.capacity,
        "max_speed_kmh": permit.max_speed_kmh,
        "itinerary": permit.itinerary,
        "reasons": [
            {
                "text": reason_sentence(reason, _),
                "article": reason.article,
                "instrument": reason.instrument,
            }
            for reason in permit.reasons
        ],
    }
