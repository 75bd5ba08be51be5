"""Rows of the catalogue told as answers: what a type of permit, an infraction, a measure says on a day."""

from datetime import date
from typing import Any, TypeVar

from portal.regulations import catalogue, provisions
from portal.regulations.penalties import Group, Infraction, Repeat
from portal.regulations.permit_types import PermitType
from portal.regulations.provisions import PenaltyDue, wordings_on
from portal.regulations.schema import Instrument
from portal.regulations.tables import Dated
from portal.services.verdicts.rule_answers import (
    GroupTold,
    InfractionTold,
    Known,
    MeasureTold,
    PenaltyTold,
    PermitTypeTold,
    ProcedureTold,
    RepeatTold,
)

D = TypeVar("D", bound=Dated)


def head(law: Instrument, on: date) -> dict[str, Any]:
    return {
        "instrument": law.id,
        "on": on,
        "in_force": law.in_force(on),
        "bill": law.is_bill,
        "text_known": Known(from_=law.text_known_from, until=law.text_known_until),
        "within_known_text": law.text_known(on),
    }


def dates(row: Dated | None) -> dict[str, Any]:
    names = ("article", "in_force_from", "in_force_until", "reading")
    return {name: getattr(row, name) if row else None for name in names}


def permit_type(law: Instrument, permit: PermitType, on: date) -> PermitTypeTold:
    def at(rows: tuple[D, ...]) -> D | None:
        return next(iter(wordings_on(law, rows, on)), None)

    return PermitTypeTold(
        id=permit.id,
        name=permit.name,
        service=permit.service,
        holder=permit.holder,
        about=permit.about,
        needs=permit.needs,
        needs_article=permit.needs_article,
        term=at(permit.term),
        suspension=at(permit.suspension),
        revocation=at(permit.revocation),
        inspection=at(permit.inspection),
        renewal=at(permit.renewal),
        platform_list=at(permit.platform_list),
        max_speed=at(permit.max_speed),
        caps=wordings_on(law, permit.caps, on),
    )


def infractions(law: Instrument, on: date) -> tuple[InfractionTold, ...]:
    return tuple(infraction(law, row, on) for row in provisions.infractions_on(law, on))


def infraction(law: Instrument, row: Infraction, on: date) -> InfractionTold:
    again = provisions.repeat_of(law, row)
    return InfractionTold(
        code=row.code,
        printed_code=row.printed_code,
        text=row.text,
        group=row.group,
        severity=provisions.severity_of(law, row),
        penalties=penalties(provisions.penalties_of(law, row, on)),
        repeat=_repeat(again, provisions.penalties_of(law, row, on, repeat=True)),
        in_force=law.in_force(on) and row.in_force(on),
        duty_revoked=row.duty_revoked,
        **dates(row),
    )


def group(law: Instrument, group: Group, on: date) -> GroupTold:
    return GroupTold(
        id=group.id,
        name=group.name,
        severity=group.severity,
        penalties=penalties(provisions.group_penalties(law, group, on)),
        repeat=_repeat(group.repeat, provisions.group_penalties(law, group, on, repeat=True)),
        article=group.article,
        reading=group.reading,
    )


def _repeat(again: Repeat | None, due: tuple[PenaltyDue, ...]) -> RepeatTold | None:
    if again is None:
        return None
    return RepeatTold(
        penalties=penalties(due),
        counts=again.counts,
        window_months=again.window_months,
        article=again.article,
        reading=again.reading,
    )


def penalties(due: tuple[PenaltyDue, ...]) -> tuple[PenaltyTold, ...]:
    return tuple(
        PenaltyTold(
            kind=one.kind,
            amount=one.amount,
            at_most=one.at_most,
            min=one.min,
            unit=one.unit,
            article=one.article,
            reading=one.reading,
        )
        for one in due
    )


def procedures(law: Instrument, on: date) -> tuple[ProcedureTold, ...]:
    targets = {
        one.procedure: one
        for one in catalogue.municipality(law.municipality).targets
        if one.instrument == law.id
    }
    return tuple(
        ProcedureTold(
            id=row.id,
            words=row.words,
            text=row.text,
            article=row.article,
            categories=row.categories,
            target_hours=targets[row.id].hours if row.id in targets else None,
            target_said_in=targets[row.id].said_in if row.id in targets else None,
            in_force_from=row.in_force_from,
            in_force_until=row.in_force_until,
        )
        for row in wordings_on(law, law.procedures, on)
    )


def measures(law: Instrument, on: date) -> tuple[MeasureTold, ...]:
    return tuple(
        MeasureTold(
            id=row.id,
            on_whom=row.on_whom,
            penalties=penalties(provisions.measure_penalties(law, row, on)),
            words=row.words,
            text=row.text,
            ends=row.ends,
            **dates(row),
        )
        for row in wordings_on(law, law.measures, on)
    )
