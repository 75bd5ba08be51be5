"""`portal permit`: one permit of a register at the command line, as the clerk's screen shows and changes it."""

from datetime import datetime

import click

from portal import clock
from portal.cli.permit_card import card
from portal.cli.problems import problems_said
from portal.domain.acts import NewVehicle
from portal.domain.days import asked_day
from portal.domain.errors import ActRefused, PermitRefused
from portal.domain.permits import EventKind, PermitEvent, Service
from portal.domain.plates import read_plate
from portal.i18n import SOURCE, Translator, translator
from portal.importing.register_columns import EVENTS
from portal.regulations import catalogue
from portal.services.register import new_permits
from portal.services.register import permits as register
from portal.services.register.permits import PermitFile
from portal.services.unit_of_work import unit_of_work
from portal.wording.reasons import citation, reason_sentence
from portal.wording.register import act_days, act_name, act_paper, change_name, holder_word
from portal.wording.register_import import row_problem_sentence
from portal.wording.services import service_name
from portal.wording.verdict_card import role_name
from portal.wording.verdicts import state_word

KINDS = {kind.value: kind for kind in EventKind} | EVENTS


@click.group()
def permit() -> None:
    """One permit of a municipality's register: show it, record what happened to it."""


permit.add_command(card)


@permit.command()
@click.argument("municipality", metavar="SLUG")
@click.argument("number")
@click.option("--on", "day", help="As it stood on this day, such as 2026-11-30; today by default.")
@click.option("--known-at", "known", help="As it was known at the end of this day.")
@click.option("--year", type=int, help="The year it is for, where several bear the number.")
@click.option("--type", "permit_type", help="Its type, where several bear the number.")
def show(
    municipality: str,
    number: str,
    day: str | None,
    known: str | None,
    year: int | None,
    permit_type: str | None,
) -> None:
    """Show permit NUMBER (or the permit of a plate): vehicles, acts, what it is worth on a day."""
    _ = translator(SOURCE)
    with problems_said(_):
        keeper = register.keeper_at(municipality)
        on = asked_day(day) if day else catalogue.today_in(municipality)
        known_at = _instant(known, municipality) if known else None
        with unit_of_work() as session:
            found = register.permit_by_number(
                session, keeper, number, year=year, permit_type=permit_type, known_at=known_at
            )
            file = register.read_permit(session, keeper, found, on=on, known_at=known_at)
    click.echo("\n".join(_lines(file, _)))


@permit.command()
@click.argument("municipality", metavar="SLUG")
@click.argument("number")
@click.argument("event", metavar="EVENT", type=click.Choice(sorted(KINDS)))
@click.option("--on", "day", required=True, help="The day it happened, or from which the order holds.")
@click.option("--until", help="Last day of a suspension.")
@click.option(
    "--unit", type=int, help="Position of the vehicle it concerns; in a change, the one that leaves."
)
@click.option("--act", help="Number of the act, such as 'Portaria 12/2026'.")
@click.option("--act-date", help="Day of the act.")
@click.option("--plate", help="In a change of vehicle: the one that comes.")
@click.option("--role", type=click.Choice(["vehicle", "tractor", "trailer"]), help="Of the one that comes.")
@click.option("--capacity", type=click.IntRange(0, 500), help="Seated passengers of the one that comes.")
@click.option("--model-year", type=click.IntRange(1900, 2100), help="Of the one that comes.")
@click.option("--year", type=int, help="The year the permit is for, where several bear the number.")
@click.option("--type", "permit_type", help="Its type, where several bear the number.")
def record(
    municipality: str,
    number: str,
    event: str,
    day: str,
    until: str | None,
    unit: int | None,
    act: str | None,
    act_date: str | None,
    plate: str | None,
    role: str | None,
    capacity: int | None,
    model_year: int | None,
    year: int | None,
    permit_type: str | None,
) -> None:
    """Record what happened to permit NUMBER; EVENT in English or Portuguese, such as suspension or suspensao."""
    _ = translator(SOURCE)
    kind, now = KINDS[event], clock.now()
    with problems_said(_):
        keeper = register.keeper_at(municipality)
        on = asked_day(day)
        act_day = asked_day(act_date) if act_date else None
        with unit_of_work(writes=True) as session:
            found = register.permit_by_number(session, keeper, number, year=year, permit_type=permit_type)
            if kind is EventKind.VEHICLE_CHANGE:
                joins = NewVehicle(_plate(plate), role, None, model_year, capacity) if plate else None
                register.change_vehicle(
                    session,
                    keeper,
                    found,
                    on=on,
                    leaves=unit,
                    joins=joins,
                    now=now,
                    act_number=act,
                    act_date=act_day,
                )
            else:
                told = PermitEvent(kind, on, asked_day(until) if until else None, unit, act, act_day)
                register.record_act(session, keeper, found, told, now=now)
            file = register.read_permit(session, keeper, found, on=catalogue.today_in(municipality))
    click.echo("\n".join(_lines(file, _)))


@permit.command()
@click.argument("municipality", metavar="SLUG")
@click.argument("number")
@click.option("--service", type=click.Choice([one.value for one in Service]), required=True)
@click.option("--type", "permit_type", default="", help="Type of permit; the service's first one by default.")
@click.option("--year", default="", help="The year it is for, where its term needs one.")
@click.option("--holder", type=click.Choice(["empresa", "pessoa"]), help="The type's own holder by default.")
@click.option("--trade-name", default="", help="Of a company; never a person's name.")
@click.option("--itinerary", default="", help="Code of the itinerary.")
@click.option("--max-speed", default="", help="In km/h.")
@click.option("--requested", default="", help="Day of the request.")
@click.option("--paid", default="", help="Day on which the fees were paid.")
@click.option("--issued", default="", help="Day of issue; left out while it was not issued.")
@click.option("--act", default="", help="Number of the act of issue, such as 'Portaria 12/2026'.")
@click.option("--act-date", default="", help="Day of the act.")
@click.option("--paper-from", default="", help="First day that the paper prints.")
@click.option("--paper-until", default="", help="Last day that the paper prints.")
@click.option(
    "--vehicle",
    "vehicles",
    multiple=True,
    required=True,
    metavar="PLATE[,ROLE[,SEATS[,YEAR[,KIND]]]]",
    help="Once for each vehicle, such as BRA1A11,trator,0,2019.",
)
def create(municipality: str, number: str, vehicles: tuple[str, ...], **told: str | None) -> None:
    """Put permit NUMBER into the register, with the checks that a row of a file meets."""
    _ = translator(SOURCE)
    whole = {column: told[option] or "" for option, column in _COLUMN_OF.items()} | {"numero": number}
    units = [
        dict(zip(("placa", "papel", "lotacao", "ano_modelo", "tipo_veiculo"), one.split(","), strict=False))
        for one in vehicles
    ]
    with problems_said(_):
        keeper = register.keeper_at(municipality)
        try:
            with unit_of_work(writes=True) as session:
                made = new_permits.create_permit(session, keeper, whole, units, now=clock.now())
                file = register.read_permit(session, keeper, made, on=catalogue.today_in(municipality))
        except PermitRefused as refused:
            for problem in refused.problems:
                click.echo(row_problem_sentence(problem, _), err=True)
            raise SystemExit(1) from None
    click.echo("\n".join(_lines(file, _)))


_COLUMN_OF = {
    "service": "servico",
    "permit_type": "tipo",
    "year": "ano",
    "holder": "titular_tipo",
    "trade_name": "nome_fantasia",
    "itinerary": "itinerario",
    "max_speed": "velocidade_max",
    "requested": "pedido",
    "paid": "pagamento",
    "issued": "emissao",
    "act": "ato",
    "act_date": "ato_data",
    "paper_from": "validade_de",
    "paper_until": "validade_ate",
}
"""Options to the columns of a register's file."""


def _lines(file: PermitFile, _: Translator) -> list[str]:
    permit, standing = file.permit, file.standing
    year = f"/{permit.year}" if permit.year else ""
    lines = [
        f"{permit.number} · {service_name(permit.service, _)} · {permit.permit_type}{year} · "
        f"{holder_word(permit.holder_kind, _)}",
        f"{_.date(file.on)}: {state_word(standing.status, _)}",
    ]
    for reason in standing.reasons:
        cited = citation(reason, _)
        lines.append(f"  {reason_sentence(reason, _)}" + (f" ({cited})" if cited else ""))
    for unit, status in standing.units:
        lines.append(f"  {unit.position}. {role_name(unit.role, _)} {unit.plate}: {state_word(status, _)}")
    for act in file.acts:
        paper = act_paper(act.event, _)
        about = f" [{act.event.unit}]" if act.event.unit is not None else ""
        told = f"  {act_days(act.event, _)}  {act_name(act.event.kind, _)}{about}"
        lines.append(told + (f" · {paper}" if paper else ""))
    if file.listed_until:
        lines.append(_("Saiu da lista em %(date)s.") % {"date": _.date(file.listed_until)})
    zone = catalogue.municipality(permit.municipality).zone
    for change in file.changes:
        who = change.by or change.entry.actor
        moment = _.datetime(change.entry.at.astimezone(zone))
        lines.append(f"  {moment} · {who} · {change_name(change.entry, _)} · {change.entry.reason}")
    return lines


def _instant(text: str, municipality: str) -> datetime:
    """An instant such as 2026-11-30T12:00-03:00; a bare day is its last instant in the town."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return register.end_of_day(municipality, asked_day(text))
    if "T" not in text and ":" not in text:
        return register.end_of_day(municipality, moment.date())
    return moment if moment.tzinfo else moment.replace(tzinfo=catalogue.municipality(municipality).zone)


def _plate(text: str) -> str:
    plate = read_plate(text)
    if plate is None:
        raise ActRefused("not_a_plate", "plate", text=text[:40])
    return plate
