"""`portal verify`: the look-up at the command line, with the words of the page."""

import json

import click

from portal import clock
from portal.cli.problems import problems_said
from portal.domain.days import iso_day
from portal.domain.verdicts import PermitFinding, Verdict
from portal.i18n import Translator, negotiate, translator
from portal.regulations import catalogue
from portal.services.unit_of_work import unit_of_work
from portal.services.verdicts.circumstances import judge_everywhere, judge_here, read_circumstances
from portal.services.verdicts.verification import verify_everywhere, verify_permit
from portal.wording.reasons import check_sentence, citation, reason_sentence
from portal.wording.services import service_name
from portal.wording.verdict_card import elsewhere_sentence, kerb_advice, list_sentences, role_name
from portal.wording.verdict_json import verdict_json
from portal.wording.verdicts import state_word, verdict_sentence, verdict_word

EVERYWHERE = "todos"


@click.command()
@click.argument("municipality")
@click.argument("query")
@click.option("--on", "day", help="Day asked about, as 2026-11-30; today in the town where none is given.")
@click.option("--stop", help="Code of the stop where one would board.")
@click.option("--at", help="Hour in the town on that day, as 22:00, or now.")
@click.option("--service", help="What one would board for, such as recreativo.")
@click.option("--json", "as_json", is_flag=True, help="The same JSON as the address /api/v1/…/verify.")
@click.option("--lang", help="pt-BR, en or es.")
def verify(
    municipality: str,
    query: str,
    day: str | None,
    stop: str | None,
    at: str | None,
    service: str | None,
    as_json: bool,
    lang: str | None,
) -> None:
    """Say what the register of MUNICIPALITY holds on a plate or permit number; "todos" asks every town.

    Unlike the public page, it reaches back to any day of one town; every town at once answers for today.
    """
    if municipality == EVERYWHERE and day:
        raise click.UsageError("--on needs one town: every town has a day of its own.")
    _ = translator(negotiate(lang))
    now = clock.now()
    with problems_said(_, as_json=as_json), unit_of_work() as session:
        if municipality == EVERYWHERE:
            verdicts = judge_everywhere(
                session,
                verify_everywhere(session, query, now=now),
                stop=stop,
                at=at,
                service=service,
                now=now,
            )
        else:
            on = iso_day(day) if day else catalogue.today_in(municipality)
            verdict = verify_permit(session, municipality, query, on=on, now=now)
            here = read_circumstances(municipality, stop=stop, at=at, service=service, now=now)
            verdicts = (judge_here(session, verdict, here) if here else verdict,)
    if as_json:
        bodies = [verdict_json(verdict, _) for verdict in verdicts]
        told = bodies if municipality == EVERYWHERE else bodies[0]
        click.echo(json.dumps(told, ensure_ascii=False, indent=2))
        return
    click.echo("\n\n".join(card(verdict, _) for verdict in verdicts))


def card(verdict: Verdict, _: Translator) -> str:
    """A verdict as lines of text: sentence first, then everything that stands behind it."""
    town = catalogue.municipality(verdict.municipality)
    lines = [f"{verdict_word(verdict, _)} · {town.name}", verdict_sentence(verdict, _)]
    lines += [f"  {cited}" for limit in verdict.limits if (cited := citation(limit, _))]
    if advice := kerb_advice(verdict, _):
        lines.append(advice)
    lines += [reason_sentence(note, _) for note in verdict.notes]
    lines += [elsewhere_sentence(slug, status, verdict, _) for slug, status in verdict.elsewhere]
    if len(verdict.units) > 1:
        lines += [
            f"  {role_name(unit.role, _)} {unit.plate}: {state_word(unit.status, _)}"
            for unit in verdict.units
        ]
    for permit in verdict.permits:
        lines += _permit(permit, _)
    lines += [f"  [ ] {check_sentence(check, _)}" for check in verdict.checks]
    lines += list_sentences(verdict.lists, _)
    lines.append(
        _("Consulta de %(moment)s.") % {"moment": _.datetime(verdict.computed_at.astimezone(town.zone))}
    )
    return "\n".join(lines)


def _permit(permit: PermitFinding, _: Translator) -> list[str]:
    title = " · ".join(
        part
        for part in (permit.number, service_name(permit.service, _), state_word(permit.status, _))
        if part
    )
    lines = [title]
    for reason in permit.reasons:
        cited = citation(reason, _)
        lines.append(f"  {reason_sentence(reason, _)}" + (f" ({cited})" if cited else ""))
    return lines
