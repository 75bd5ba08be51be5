"""The regulation catalogue: which rules of which instrument are in force in a municipality on a day.

Read once from ``data/<municipality>/*.toml``. Code here and everywhere else knows kinds of rule; every
name, number and article comes from the files.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from functools import cache, cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from portal import clock
from portal.domain.deadlines import AnswerTime
from portal.domain.errors import UnknownMunicipality
from portal.domain.permits import Service
from portal.domain.rules import (
    ListDuty,
    PermitRules,
    Renewal,
    RevocationBar,
    Source,
    Suspension,
    Term,
)
from portal.domain.verdicts import Reason
from portal.regulations.files import BrokenFile, describe, fault, read_as
from portal.regulations.municipalities import Municipality
from portal.regulations.permit_types import MonthDay, PermitType
from portal.regulations.references import broken_references
from portal.regulations.schema import BoardingRule, CardLayout, Instrument, Provision
from portal.regulations.shared_files import (
    CategoriesFile,
    Category,
    DismissalGround,
    FederalFile,
    MunicipalityFile,
    Processing,
    RetentionRule,
    SilenceRule,
)
from portal.regulations.tables import Dated

DATA = Path(__file__).parent / "data"

D = TypeVar("D", bound=Dated)


@dataclass(frozen=True, slots=True)
class ServiceRules:
    """A service of a municipality on a day, and the instrument that rules it: None where none is known."""

    service: Service
    instrument: Instrument | None
    in_force: bool
    """False also where the only instrument is a bill."""


@dataclass(frozen=True, slots=True)
class CategoryHere:
    """A kind of complaint as the instruments of one municipality see it."""

    category: Category
    provisions: tuple[tuple[Instrument, Provision], ...]
    """Empty where no instrument says anything of it: the complaint still reaches the ombudsman."""

    @property
    def id(self) -> str:
        return self.category.id


def in_force(rows: tuple[D, ...], on: date) -> tuple[D, ...]:
    """The wordings in force on a day, in the order of the file."""
    return tuple(row for row in rows if row.in_force(on))


def one_in_force(rows: tuple[D, ...], on: date) -> D | None:
    return next((row for row in rows if row.in_force(on)), None)


class Catalogue:
    """Every municipality and instrument under some folders; broken files are told all at once.

    Raises:
        BrokenFile: on first use, with file, line and key of every fault.
    """

    def __init__(self, *folders: Path) -> None:
        self.folders = folders

    @cached_property
    def _shared(self) -> tuple[FederalFile, CategoriesFile]:
        return (
            read_as(FederalFile, DATA / "federal.toml"),
            read_as(CategoriesFile, DATA / "categories.toml"),
        )

    @cached_property
    def _all(self) -> tuple[dict[str, Municipality], dict[str, Instrument]]:
        municipalities: dict[str, Municipality] = {}
        instruments: dict[str, Instrument] = {}
        faults: list[str] = []
        known = frozenset(category.id for category in self.categories)
        for folder in sorted(path for root in self.folders for path in root.iterdir() if path.is_dir()):
            try:
                municipalities[folder.name] = self._read_municipality(folder)
            except BrokenFile as error:
                faults += error.faults
            for path in sorted(folder.glob("*.toml")):
                if path.name == "municipality.toml":
                    continue
                try:
                    read = read_as(Instrument, path, id=path.stem, municipality=folder.name)
                    instruments[read.id] = read
                    faults += broken_references(path, read, known)
                except BrokenFile as error:
                    faults += error.faults
        for town in municipalities.values():
            faults += self._broken_targets(town, instruments)
        if faults:
            raise BrokenFile(faults)
        return municipalities, instruments

    def _broken_targets(self, town: Municipality, instruments: dict[str, Instrument]) -> Iterator[str]:
        for position, target in enumerate(town.targets):
            law = instruments.get(target.instrument)
            if law is None or target.procedure not in {row.id for row in law.procedures}:
                path = next(root / town.slug for root in self.folders if (root / town.slug).is_dir())
                where = ("targets", position, "procedure")
                yield describe(
                    path / "municipality.toml", where, f"{target.procedure!r} is no procedure there"
                )

    def _read_municipality(self, folder: Path) -> Municipality:
        path = folder / "municipality.toml"
        if not path.exists():
            raise BrokenFile([f"{folder.name}/municipality.toml: missing"])
        read = read_as(MunicipalityFile, path)
        try:
            zone = ZoneInfo(read.zone)
        except (ZoneInfoNotFoundError, ValueError) as error:
            raise fault(path, ("zone",), f"{read.zone!r} is no IANA time zone") from error
        return Municipality(
            slug=folder.name,
            zone=zone,
            holiday_rules=(self._shared[0].holidays, read.holidays),
            **{
                name: getattr(read, name)
                for name in MunicipalityFile.model_fields
                if name not in {"zone", "holidays"}
            },
        )

    @property
    def categories(self) -> tuple[Category, ...]:
        return self._shared[1].categories

    @property
    def federal(self) -> FederalFile:
        return self._shared[0]

    @cached_property
    def municipalities(self) -> dict[str, Municipality]:
        return self._all[0]

    @property
    def instruments(self) -> dict[str, Instrument]:
        return self._all[1]

    def check(self) -> None:
        """Read everything.

        Raises:
            BrokenFile: with every fault found.
        """
        _ = self._shared, self._all


_catalogue = Catalogue(DATA)


def current() -> Catalogue:
    return _catalogue


@contextmanager
def reading_from(*folders: Path) -> Iterator[Catalogue]:
    """Let the whole program read other folders for a while: how a town made up as data only is tried out."""
    global _catalogue  # noqa: PLW0603
    before = _catalogue
    _catalogue = Catalogue(*folders)
    _forget()
    try:
        yield _catalogue
    finally:
        _catalogue = before
        _forget()


def _forget() -> None:
    for cached in (
        municipalities, permit_rules, rules_of_town, instruments_of, services_of, checks, checks_of_town, categories,
    ):  # fmt: skip
        cached.cache_clear()


@cache
def municipalities() -> tuple[Municipality, ...]:
    """The towns served, by name."""
    return tuple(sorted(_catalogue.municipalities.values(), key=lambda town: town.name))


def municipality(slug: str) -> Municipality:
    try:
        return _catalogue.municipalities[slug]
    except KeyError:
        raise UnknownMunicipality(slug) from None


def today_in(place: str | Municipality) -> date:
    """The civil day it is in a municipality, in its own zone."""
    town = municipality(place) if isinstance(place, str) else place
    return town.civil_day(clock.now())


def instrument(identifier: str) -> Instrument:
    """An instrument by the catalogue's identifier.

    Raises:
        KeyError: no such instrument; identifiers come from the data, or were checked by the edge.
    """
    return _catalogue.instruments[identifier]


def instruments() -> tuple[Instrument, ...]:
    return tuple(_catalogue.instruments.values())


@cache
def instruments_of(slug: str) -> tuple[Instrument, ...]:
    """Newest first, so that the first that fits a day is the one that rules it."""
    municipality(slug)
    found = (one for one in _catalogue.instruments.values() if one.municipality == slug)
    return tuple(sorted(found, key=lambda one: (not one.is_bill, one.in_force_from), reverse=True))


@lru_cache(maxsize=4096)
def services_of(slug: str, on: date) -> tuple[ServiceRules, ...]:
    """Each service of a municipality with the instrument that rules it on a day.

    Where none is in force, the one that is told all the same: a bill, or one that came later.
    """
    found = []
    for service in municipality(slug).services:
        candidates = [one for one in instruments_of(slug) if one.service == service]
        ruling = next((one for one in candidates if one.in_force(on)), None)
        found.append(
            ServiceRules(service, ruling or next(iter(candidates), None), in_force=ruling is not None)
        )
    return tuple(found)


def service_rules(slug: str, service: Service, on: date) -> ServiceRules:
    """The rules of one service; without an instrument where the municipality does not know the service."""
    return next(
        (rules for rules in services_of(slug, on) if rules.service == service),
        ServiceRules(service, None, in_force=False),
    )


@lru_cache(maxsize=65536)
def permit_rules(slug: str, permit_type: str, on: date) -> PermitRules:
    """What the law says of a type of permit on a day; ``in_force`` is False before the law, and for a bill.

    Raises:
        UnknownMunicipality: no such municipality.
        KeyError: no instrument of this municipality knows the type.
    """
    candidates = [
        (one, permit) for one in instruments_of(slug) for permit in one.permits if permit.id == permit_type
    ]
    if not candidates:
        raise KeyError(permit_type)
    ruling, permit = next((pair for pair in candidates if pair[0].in_force(on)), candidates[0])
    return _rules(ruling, permit, on)


@lru_cache(maxsize=4096)
def rules_of_town(slug: str, on: date) -> Mapping[str, PermitRules]:
    """What the law says on a day of every type of permit that a town knows."""
    return MappingProxyType(
        {permit.id: permit_rules(slug, permit.id, on) for _, permit in permit_types(slug, on)}
    )


def permit_types(slug: str, on: date) -> tuple[tuple[Instrument, PermitType], ...]:
    """Every type of permit of a municipality, those of a bill included."""
    return tuple(
        (rules.instrument, permit)
        for rules in services_of(slug, on)
        if rules.instrument
        for permit in rules.instrument.permits
    )


def _rules(ruling: Instrument, permit: PermitType, on: date) -> PermitRules:
    # Before the first wording, or after the last, the nearest is told; in_force says that it does not bind.
    def at(rows: tuple[D, ...]) -> D | None:
        if not rows:
            return None
        return one_in_force(rows, on) or (rows[0] if on < rows[0].in_force_from else None)

    def source(row: Dated) -> Source:
        return Source(ruling.id, row.article)

    term = at(permit.term) or permit.term[-1]
    suspension = at(permit.suspension)
    inspection = at(permit.inspection)
    revocation = at(permit.revocation)
    renewal = at(permit.renewal)
    speed = at(permit.max_speed)
    listing = at(permit.platform_list)
    return PermitRules(
        municipality=ruling.municipality,
        instrument=ruling.id,
        service=permit.service,
        permit_type=permit.id,
        holder_kind=permit.holder,
        in_force=ruling.in_force(on),
        term=Term(term.kind, source(term), months=term.months, grace_days=term.grace_days),
        suspension=Suspension(suspension.ends_by, source(suspension)) if suspension else None,
        inspection_source=source(inspection) if inspection and inspection.failed_bars else None,
        revocation_source=source(revocation) if revocation else None,
        revocation_bar=RevocationBar(
            revocation.bar,
            Source(ruling.id, revocation.bar_article or revocation.article),
            months=revocation.months,
        )
        if revocation
        else None,
        renewal=Renewal(
            source(renewal),
            days=renewal.days_before,
            counted_in=renewal.counted_in,
            window_from=_month_day(renewal.window_from),
            window_until=_month_day(renewal.window_until),
        )
        if renewal
        else None,
        needs=permit.needs,
        needs_article=permit.needs_article,
        max_speed_kmh=speed.kmh if speed else None,
        max_speed_source=source(speed) if speed else None,
        platform_list=ListDuty(
            source(listing),
            every_days=listing.every_days,
            business_day_of_next_month=listing.business_day_of_next_month,
        )
        if listing
        else None,
        text_known_from=ruling.text_known_from,
        text_known_until=ruling.text_known_until,
    )


def _month_day(value: MonthDay | None) -> tuple[int, int] | None:
    return (value.month, value.day) if value else None


def boarding_rules(slug: str, service: Service, on: date) -> tuple[BoardingRule, ...]:
    """Where passengers may board, by kind, in plain words and with the article; empty without a law in force."""
    rules = service_rules(slug, service, on)
    return in_force(rules.instrument.boarding, on) if rules.instrument and rules.in_force else ()


def card_layouts(slug: str, permit_type: str, on: date) -> tuple[tuple[Instrument, CardLayout], ...]:
    """What cards of a type of permit look like on a day; none where no text in force says that one is displayed."""
    return tuple(
        (one, layout)
        for one, permit in permit_types(slug, on)
        if permit.id == permit_type and one.in_force(on)
        for layout in in_force(one.cards, on)
        if layout.permit in (None, permit_type)
    )


@lru_cache(maxsize=4096)
def checks(slug: str, service: Service, on: date) -> tuple[Reason, ...]:
    """What a passenger can check on the spot, each with its article.

    Their ``code`` is ``check``; ``data`` holds ``what``, ``kind`` and the sentence under each language of
    ``portal.i18n`` (``pt_BR``, ``en``, ``es``), as the municipality's folder says it.
    """
    rules = service_rules(slug, service, on)
    if rules.instrument is None or not rules.in_force:
        return ()
    return tuple(
        Reason(
            "check",
            article=row.article,
            instrument=rules.instrument.id,
            data={
                "what": row.what,
                "kind": str(row.kind),
                "pt_BR": row.words.pt,
                "en": row.words.en,
                "es": row.words.es,
            },
        )
        for row in in_force(rules.instrument.requirements, on)
        if row.check
    )


@lru_cache(maxsize=4096)
def checks_of_town(slug: str, on: date) -> Mapping[Service, tuple[Reason, ...]]:
    """What a passenger can check on the spot, for every service that the town knows."""
    services = {rule.service for rule in rules_of_town(slug, on).values()}
    return MappingProxyType({service: checks(slug, service, on) for service in services})


@cache
def categories(slug: str) -> tuple[CategoryHere, ...]:
    """The kinds of complaint that make sense in a municipality, with what its instruments say of each."""
    served = set(municipality(slug).services)
    return tuple(
        CategoryHere(
            category,
            tuple(
                (one, provision)
                for one in instruments_of(slug)
                for provision in one.provisions
                if provision.category == category.id
            ),
        )
        for category in _catalogue.categories
        if served.intersection(category.services)
    )


def category(identifier: str) -> Category:
    """A shared kind of complaint.

    Raises:
        KeyError: no such kind.
    """
    for one in _catalogue.categories:
        if one.id == identifier:
            return one
    raise KeyError(identifier)


def retention(slug: str, on: date) -> RetentionRule | None:
    """How long a municipality keeps a complaint that has ended; None where its file cites no table of its own."""
    return one_in_force(municipality(slug).privacy.retention, on)


def processing(slug: str | None = None) -> tuple[Processing, ...]:
    """For what personal data are handled: the purposes everywhere, then a municipality's own."""
    own = municipality(slug).privacy.processing if slug else ()
    return (*_catalogue.federal.processing, *own)


def silence(slug: str, on: date) -> SilenceRule | None:
    """The municipality's own act on a complaint whose author does not reply; None where its file cites none."""
    return one_in_force(municipality(slug).silence, on)


def dismissal_grounds(slug: str, on: date) -> tuple[DismissalGround, ...]:
    """On what a complaint may be dismissed on a day: by federal law, then by the municipality's own."""
    every = _catalogue.federal.dismissals + municipality(slug).dismissals
    return in_force(every, on)


def answer_time(what: str, on: date) -> AnswerTime:
    """How long the ``ombudsman``, or a ``unit`` it asks, may take by federal law on a day.

    Raises:
        KeyError: there was no such law on that day.
    """
    rule = next((row for row in _catalogue.federal.answer if row.what == what and row.in_force(on)), None)
    if rule is None:
        raise KeyError(what)
    return AnswerTime(
        days=rule.days,
        extension_days=rule.extension_days,
        counted_in=rule.counted_in,
        article=rule.article,
        rolls_to_business_day=rule.rolls_to_business_day,
    )
