"""`portal rules show`, `infractions`, `fine` …: the catalogue's answers, in words or as JSON."""

import json
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

import click

from portal.cli.problems import problems_said
from portal.domain.days import iso_day
from portal.i18n import Translator, negotiate, translator
from portal.regulations import catalogue
from portal.regulations.schema import Instrument
from portal.services.verdicts import rules
from portal.services.verdicts.rule_answers import Answer, CategoryTold, FineTold, InfractionTold, Terms
from portal.wording.categories import category_label
from portal.wording.citations import article_words
from portal.wording.rule_json import instrument_schema, rule_json
from portal.wording.rules import (
    authority_sentence,
    deadline_sentence,
    penalty_sentence,
    repeat_sentence,
    said,
    standing_sentences,
    validity_sentence,
    vehicle_age_sentence,
)

Told = tuple[Answer, list[str]]

_on = click.option(
    "--on", "day", help="Day asked about, as 2026-11-30; today in the town where none is given."
)


def _command(*options: Callable[[Any], Any]) -> Callable[[Callable[..., Told]], click.Command]:
    """A command of the group: it answers with JSON or lines, and says in words what goes wrong."""

    def make(answer: Callable[..., Told]) -> click.Command:
        @wraps(answer)
        def run(*, as_json: bool, lang: str | None, **asked: Any) -> None:
            _ = translator(negotiate(lang))
            with problems_said(_, as_json=as_json):
                told, lines = answer(_, **asked)
            if as_json:
                click.echo(json.dumps(rule_json(told), ensure_ascii=False, indent=2))
                return
            law = catalogue.instrument(told.instrument)
            standing = standing_sentences(
                bill=told.bill,
                in_force=law.in_force(told.on),
                since=law.in_force_from if told.on < law.in_force_from else None,
                known_from=told.text_known.from_,
                known_until=told.text_known.until,
                on=told.on,
                _=_,
            )
            for reading in dict.fromkeys(_readings(law, told)):
                lines += _reading(law, reading, _)
            click.echo("\n".join([law.title, *standing, *lines]))

        command: Any = run
        for option in (
            *reversed(options),
            click.option("--json", "as_json", is_flag=True, help="The same JSON as under /api/v1/rules."),
            click.option("--lang", help="pt-BR, en or es."),
        ):
            command = option(command)
        name = answer.__name__.strip("_").replace("_", "-")
        return click.command(name)(command)

    return make


@click.command()
@click.argument("instrument", required=False)
@_on
@click.option("--json", "as_json", is_flag=True, help="The same JSON as under /api/v1/rules.")
@click.option("--lang", help="pt-BR, en or es.")
def terms(instrument: str | None, day: str | None, as_json: bool, lang: str | None) -> None:
    """The identifiers by which each instrument is asked; INSTRUMENT alone, or all of them."""
    _ = translator(negotiate(lang))
    with problems_said(_, as_json=as_json):
        named = [instrument] if instrument else [one.id for one in catalogue.instruments()]
        told = [rules.rule_terms(one, on=rules.day_asked(day, one)) for one in named]
    if as_json:
        bodies = [rule_json(one) for one in told]
        body = bodies[0] if instrument else {"instruments": bodies}
        click.echo(json.dumps(body, ensure_ascii=False, indent=2))
        return
    click.echo("\n\n".join("\n".join(_terms(one)) for one in told))


@click.command()
def schema() -> None:
    """Print the JSON Schema that the JSON of `portal rules show` follows."""
    click.echo(json.dumps(instrument_schema(), ensure_ascii=False, indent=2))


@_command(click.argument("instrument"), _on)
def show(_: Translator, instrument: str, day: str | None) -> Told:
    """All that INSTRUMENT says on a day; its JSON follows a published schema."""
    told = rules.show_instrument(instrument, on=rules.day_asked(day, instrument))
    lines = [said(told.about, _), ""]
    for permit in told.permits:
        lines.append(f"{permit.id}: {said(permit.name, _)}")
    lines += [
        f"[{row.what}] {said(row.words, _)} ({article_words(row.article, _)})" for row in told.requirements
    ]
    lines += [f"[{row.matter}] {row.name} ({article_words(row.article, _)})" for row in told.authorities]
    lines += [line for row in told.infractions for line in _infraction(row, told.instrument, _)]
    law = catalogue.instrument(told.instrument)
    lines += [line for reading in told.readings for line in _reading(law, reading.id, _)]
    return told, lines


@_command(click.argument("instrument"), _on)
def infractions(_: Translator, instrument: str, day: str | None) -> Told:
    """Every infraction of INSTRUMENT as it stands on a day."""
    told = rules.list_infractions(instrument, on=rules.day_asked(day, instrument))
    return told, [line for row in told.infractions for line in _infraction(row, instrument, _)]


@_command(
    click.argument("instrument"),
    click.argument("code"),
    _on,
    click.option("--repeat", is_flag=True, help="As a repetition within the window that the text states."),
)
def fine(_: Translator, instrument: str, code: str, day: str | None, repeat: bool) -> Told:
    """What infraction CODE of INSTRUMENT costs when the fact was on a day."""
    told = rules.fine(instrument, code, on=rules.day_asked(day, instrument), repeat=repeat)
    return told, _fine(told, _)


@_command(
    click.argument("instrument"),
    click.argument("permit_type"),
    click.option("--issued", required=True, help="Day of the act that issued the permit."),
    click.option("--paid", help="Day on which its fees were paid."),
    click.option("--year", help="Calendar year the permit is for."),
)
def validity(
    _: Translator, instrument: str, permit_type: str, issued: str, paid: str | None, year: str | None
) -> Told:
    """From when until when a permit of PERMIT_TYPE runs."""
    told = rules.validity(
        instrument,
        permit_type,
        issued=iso_day(issued),
        paid=iso_day(paid) if paid else None,
        year=rules.read_year(year) if year else None,
    )
    lines = [f"{validity_sentence(told, _)} ({article_words(told.article, _)})"]
    if told.renewal_until and told.ever_valid:
        due = _("Renovação: pedir até %(day)s.") % {"day": _.date(told.renewal_until)}
        lines.append(_cited(due, told.renewal_article, _))
    permits = catalogue.instrument(told.instrument).permits
    for need in (one for one in permits if one.id in told.needs):
        also = _("Também é preciso: %(name)s.") % {"name": said(need.name, _)}
        lines.append(_cited(also, told.needs_article, _))
    return told, lines


@_command(click.argument("instrument"), click.argument("matter"), _on)
def authority(_: Translator, instrument: str, matter: str, day: str | None) -> Told:
    """Who decides MATTER under INSTRUMENT on a day."""
    told = rules.authority(instrument, matter, on=rules.day_asked(day, instrument))
    return told, [_cited(authority_sentence(told, _), told.article, _)]


@_command(
    click.argument("instrument"),
    click.argument("vehicle_type"),
    click.option("--year", required=True, help="Model year, or year of manufacture."),
    _on,
)
def vehicle_age(_: Translator, instrument: str, vehicle_type: str, year: str, day: str | None) -> Told:
    """Whether a vehicle of VEHICLE_TYPE may still work on a day."""
    told = rules.vehicle_age(
        instrument, vehicle_type, year=rules.read_year(year), on=rules.day_asked(day, instrument)
    )
    return told, [_cited(vehicle_age_sentence(told, _), told.article, _)]


@_command(
    click.argument("instrument"),
    click.argument("what"),
    click.option("--from", "start", help="Day it runs from; today in the town where none is given."),
)
def deadline(_: Translator, instrument: str, what: str, start: str | None) -> Told:
    """The last day of a time that INSTRUMENT sets, such as "defence" or "appeal"."""
    told = rules.count_deadline(instrument, what, start=rules.day_asked(start, instrument))
    lines = [
        said(told.words, _),
        _cited(deadline_sentence(told, _), told.article, _),
        said(told.calendar_note, _),
    ]
    return told, [line for line in lines if line]


@_command(click.argument("instrument"), click.argument("what"), _on)
def requirement(_: Translator, instrument: str, what: str, day: str | None) -> Told:
    """What must be displayed, carried, sold, fitted or handed in."""
    told = rules.requirement(instrument, what, on=rules.day_asked(day, instrument))
    sentence = said(told.words, _) or _("O texto não traz essa exigência nesse dia.")
    return told, [_cited(sentence, told.article, _)]


@_command(click.argument("instrument"), click.argument("category"), _on)
def category(_: Translator, instrument: str, category: str, day: str | None) -> Told:
    """What INSTRUMENT says of a kind of complaint."""
    told = rules.category(instrument, category, on=rules.day_asked(day, instrument))
    return told, _category(told, _)


def _terms(told: Terms) -> list[str]:
    listed = {
        "permit types": told.permit_types,
        "vehicle types": told.vehicle_types,
        "matters": told.matters,
        "requirements": told.requirements,
        "deadlines": told.deadlines,
        "categories": told.categories,
        "codes": told.codes,
        "units": told.units,
    }
    return [told.instrument, *(f"  {name}: {', '.join(words)}" for name, words in listed.items() if words)]


def _infraction(row: InfractionTold, instrument: str, _: Translator) -> list[str]:
    units = catalogue.instrument(instrument).units
    lines = [
        f"{row.code}  {row.text}",
        *(
            f"    {penalty_sentence(one, units, _)} ({article_words(one.article, _)})"
            for one in row.penalties
        ),
    ]
    if row.repeat:
        lines.append(f"    {repeat_sentence(row.repeat, units, _)} ({article_words(row.repeat.article, _)})")
    if row.duty_revoked:
        lines.append("    " + _("O dever foi revogado: %(act)s.") % {"act": row.duty_revoked.by})
    return lines


def _fine(told: FineTold, _: Translator) -> list[str]:
    units = catalogue.instrument(told.instrument).units
    lines = [f"{told.code}  {told.text}"]
    if told.in_force_until and told.in_force_until < told.on:
        lines.append(_("Esta redação valeu até %(day)s.") % {"day": _.date(told.in_force_until)})
    if not told.penalties:
        lines.append(_("Nesse dia o texto não traz penalidade para isto."))
    lines += [
        f"  {penalty_sentence(one, units, _)} ({article_words(one.article, _)})" for one in told.penalties
    ]
    if told.repeat:
        lines.append(f"  {repeat_sentence(told.repeat, units, _)} ({article_words(told.repeat.article, _)})")
    elif told.repeated:
        lines.append("  " + _("O texto nada diz da repetição desta infração."))
    if told.duty_revoked:
        lines.append("  " + _("O dever foi revogado: %(act)s.") % {"act": told.duty_revoked.by})
    return lines


def _category(told: CategoryTold, _: Translator) -> list[str]:
    lines = [category_label(told.category, _)]
    if not told.stated:
        return [*lines, _("Esta norma nada diz disso; a ouvidoria recebe a manifestação do mesmo jeito.")]
    lines += [f"{row.code}  {row.text}" for row in told.infractions]
    if told.articles:
        lines.append("; ".join(article_words(one, _) for one in told.articles))
    if told.condition:
        lines.append(said(told.condition, _))
    if told.authority:
        lines.append(_cited(told.authority, told.authority_article, _))
    return lines + [f"{said(one.words, _)} ({article_words(one.article, _)})" for one in told.procedures]


def _readings(law: Instrument, told: Any) -> Iterator[str | None]:
    """What the answer rests on where a text can be read in two ways: of a fine also its group and amounts."""
    yield getattr(told, "reading", None)
    if isinstance(told, FineTold):
        yield next(group.reading for group in law.groups if group.id == told.group)
        yield from (one.reading for one in told.penalties)
        yield told.repeat.reading if told.repeat else None


def _reading(law: Instrument, identifier: str | None, _: Translator) -> list[str]:
    """Where the text allows two readings: the question, which one was taken, and why."""
    return [
        line
        for reading in law.readings
        if reading.id == identifier
        for line in (
            f"{said(reading.question, _)} ({article_words(reading.article, _)})",
            f"  {said(reading.taken, _)} {said(reading.because, _)}",
        )
    ]


def _cited(sentence: str, article: str | None, _: Translator) -> str:
    return f"{sentence} ({article_words(article, _)})" if article else sentence


COMMANDS = (
    terms,
    schema,
    show,
    infractions,
    fine,
    validity,
    authority,
    vehicle_age,
    deadline,
    requirement,
    category,
)
