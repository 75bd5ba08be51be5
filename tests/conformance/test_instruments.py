"""What the five texts say, case by case: each row cites its article and stands on one side of a boundary."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

import pytest

from portal.domain.deadlines import add_days
from portal.domain.permits import EventKind, Permit, PermitEvent, Service, Status, VehicleUnit
from portal.domain.rules import BarKind, DayKind, SuspensionEnd
from portal.domain.standing import standing
from portal.domain.terms import barred_until, renewal_due, span_from
from portal.regulations import catalogue
from portal.regulations.provisions import (
    authority,
    deadline,
    infraction,
    last_day_of_age,
    penalties_of,
    requirement,
    severity_of,
    vehicle_limit,
)

RECREATIONAL = "caraguatatuba-sp_transporte-recreativo_decreto-2025"
APPS = "caraguatatuba-sp_aplicativos_decreto-2020"
CHAPADA = "chapada-dos-guimaraes-mt_aplicativos_decreto-06-2026"
SANTA_RITA = "santa-rita-pb_transporte-turistico_projeto-de-lei-99-2023"
SAO_JOAO = "sao-joao-da-boa-vista-sp_aplicativos_lei-4508-2019"
TODAY = date(2026, 11, 30)


@dataclass(frozen=True)
class Fine:
    article: str
    instrument: str
    code: str
    on: date
    repeat: bool
    expected: str


FINES = [
    Fine("art. 15, I", RECREATIONAL, "I-01", TODAY, False, "fine 60 VRM"),
    Fine("art. 15, I", RECREATIONAL, "I-01", TODAY, True, "fine 60 VRM"),
    Fine("art. 15, II", RECREATIONAL, "II-27", TODAY, False, "fine 100 VRM"),
    Fine(
        "art. 15, III e art. 18",
        RECREATIONAL,
        "III-03",
        TODAY,
        False,
        "fine 300 VRM, suspension <=10 business_days",
    ),
    Fine(
        "art. 19",
        RECREATIONAL,
        "III-03",
        TODAY,
        True,
        "fine 300 VRM, suspension <=10 business_days, revocation",
    ),
    Fine(
        "art. 15, III, art. 18 e art. 20",
        RECREATIONAL,
        "III-01",
        TODAY,
        False,
        "fine 500 tariff, suspension <=10 business_days, seizure",
    ),
    Fine(
        "art. 15, III", RECREATIONAL, "III-02", TODAY, False, "fine 500 tariff, suspension <=10 business_days"
    ),
    Fine("art. 30", RECREATIONAL, "I-01", date(2025, 9, 21), False, "none"),
    Fine("art. 30", RECREATIONAL, "I-01", date(2025, 9, 22), False, "fine 60 VRM"),
    Fine("art. 18", APPS, "I-01", TODAY, False, "warning"),
    Fine("art. 19", APPS, "I-01", TODAY, True, "fine undetermined"),
    Fine("art. 21, I", APPS, "II-01", TODAY, False, "fine 40 VRM"),
    Fine("art. 22", APPS, "II-01", TODAY, True, "fine 80 VRM"),
    Fine("art. 21, II", APPS, "III-05", TODAY, False, "fine 60 VRM"),
    Fine("art. 21, III", APPS, "IV-04", TODAY, False, "fine 90 VRM"),
    Fine("art. 21, IV", APPS, "V-08", TODAY, False, "fine 135 VRM"),
    Fine("art. 22", APPS, "V-08", TODAY, True, "fine 270 VRM"),
    Fine("art. 28, I, e art. 29, I", CHAPADA, "29-I", TODAY, False, "fine 10 UPFM"),
    Fine("art. 29, II", CHAPADA, "29-II", TODAY, False, "fine 10 UPFM, barred_from_service"),
    Fine("art. 29, III", CHAPADA, "29-III", TODAY, False, "fine 20 UPFM"),
    Fine("art. 29, IV", CHAPADA, "29-IV", TODAY, False, "fine 30 UPFM"),
    Fine("art. 29, § 1º", CHAPADA, "29-IV", TODAY, True, "fine 30 UPFM, suspension 30 days"),
    Fine("art. 29, V", CHAPADA, "29-V", TODAY, False, "fine 40 UPFM, suspension 12 months"),
    Fine("art. 29, § 2º", CHAPADA, "29-V", TODAY, True, "fine 40 UPFM, suspension 12 months, revocation"),
    Fine("art. 29, VII", CHAPADA, "29-VII", TODAY, False, "fine 30 UPFM, suspension 12 months"),
    Fine("art. 30", CHAPADA, "30", TODAY, False, "fine 40 UPFM"),
    Fine("art. 30, parágrafo único", CHAPADA, "30", TODAY, True, "fine 40 UPFM, seizure"),
    Fine("art. 33", CHAPADA, "29-I", date(2026, 1, 6), False, "none"),
    Fine("art. 33", CHAPADA, "29-I", date(2026, 1, 7), False, "fine 10 UPFM"),
    Fine("art. 35, I", SANTA_RITA, "35-I-b", TODAY, False, "fine <=1 UFM"),
    Fine("art. 40, § 1º", SANTA_RITA, "35-I-b", TODAY, True, "fine <=2 UFM"),
    Fine("art. 35, IV", SANTA_RITA, "35-IV-g", TODAY, False, "fine <=4 UFM"),
    Fine("art. 11, II", SAO_JOAO, "II-02", date(2024, 5, 1), False, "fine 100 BRL"),
    Fine("art. 11, II", SAO_JOAO, "II-02", date(2024, 5, 2), False, "fine 25 UFS"),
    Fine("Anexo Único, II", SAO_JOAO, "II-02", date(2024, 5, 1), True, "fine 150 BRL"),
    Fine("Anexo Único, II", SAO_JOAO, "II-02", date(2024, 5, 2), True, "fine 38 UFS"),
    Fine("Anexo Único, I", SAO_JOAO, "I-05", TODAY, False, "warning"),
    Fine("Anexo Único, I", SAO_JOAO, "I-05", TODAY, True, "fine 25 UFS"),
    Fine("Anexo Único, III", SAO_JOAO, "III-06", TODAY, False, "fine 38 UFS"),
    Fine("Anexo Único, III", SAO_JOAO, "III-06", TODAY, True, "fine 50 UFS"),
    Fine("Anexo Único, IV.01", SAO_JOAO, "IV-01", TODAY, False, "fine 50 UFS, revocation"),
    Fine("Anexo Único, IV", SAO_JOAO, "IV-02", TODAY, True, "fine 100 UFS"),
    Fine("Anexo Único, V", SAO_JOAO, "V-09", TODAY, False, "fine 75 UFS"),
    Fine("Anexo Único, V", SAO_JOAO, "V-09", date(2024, 5, 1), True, "fine 600 BRL"),
    Fine("art. 10", SAO_JOAO, "VI-02", TODAY, False, "off_the_road"),
    Fine("Anexo Único, II.08", SAO_JOAO, "II-08", date(2024, 12, 10), False, "fine 25 UFS"),
    Fine("Anexo Único, II.08", SAO_JOAO, "II-08", date(2024, 12, 11), False, "none"),
    Fine("Anexo Único, II.09", SAO_JOAO, "II-09", date(2024, 12, 11), False, "fine 25 UFS"),
    Fine("art. 27", SAO_JOAO, "V-09", date(2019, 7, 2), False, "none"),
]


def told(case: Fine) -> str:
    instrument = catalogue.instrument(case.instrument)
    row = infraction(instrument, case.code, case.on)
    if row is None:
        return "none"
    parts = []
    for due in penalties_of(instrument, row, case.on, repeat=case.repeat):
        measure = due.amount if due.at_most is None else due.at_most
        if measure is None:
            parts.append(f"{due.kind} undetermined" if due.kind == "fine" else str(due.kind))
        else:
            ceiling = "<=" if due.amount is None else ""
            parts.append(f"{due.kind} {ceiling}{measure.normalize():f} {due.unit}")
    return ", ".join(parts)


@pytest.mark.parametrize(
    "case", FINES, ids=lambda case: f"{case.instrument[:8]} {case.code} {case.article} {case.on}"
)
def test_what_an_infraction_costs(case):
    assert told(case) == case.expected


@pytest.mark.parametrize(
    ("article", "slug", "permit_type", "dates", "first", "last"),
    [
        (
            "art. 8º",
            "caraguatatuba-sp",
            "recreational",
            {"issued": date(2026, 12, 10), "year": 2027},
            date(2027, 1, 1),
            date(2027, 12, 31),
        ),
        (
            "art. 8º",
            "caraguatatuba-sp",
            "recreational",
            {"issued": date(2026, 3, 1), "year": 2026},
            date(2026, 3, 1),
            date(2026, 12, 31),
        ),
        ("art. 4º", "caraguatatuba-sp", "driver", {"issued": date(2026, 3, 1)}, date(2026, 3, 1), None),
        (
            "art. 9º, § 1º",
            "chapada-dos-guimaraes-mt",
            "driver",
            {"issued": date(2026, 2, 28), "paid": date(2026, 2, 27)},
            date(2026, 2, 28),
            date(2026, 12, 31),
        ),
        (
            "art. 9º, § 1º",
            "chapada-dos-guimaraes-mt",
            "driver",
            {"issued": date(2026, 12, 30), "paid": date(2026, 12, 31)},
            date(2026, 12, 31),
            date(2026, 12, 31),
        ),
        (
            "art. 3º, § 3º",
            "sao-joao-da-boa-vista-sp",
            "driver",
            {"issued": date(2025, 6, 1)},
            date(2025, 6, 1),
            date(2026, 6, 1),
        ),
        (
            "art. 3º, § 3º",
            "sao-joao-da-boa-vista-sp",
            "driver",
            {"issued": date(2024, 2, 29)},
            date(2024, 2, 29),
            date(2025, 3, 1),
        ),
        (
            "art. 25, parágrafo único",
            "santa-rita-pb",
            "permission",
            {"issued": date(2026, 1, 15)},
            date(2026, 1, 15),
            date(2028, 1, 15),
        ),
        (
            "art. 31",
            "santa-rita-pb",
            "operating_licence",
            {"issued": date(2026, 1, 15)},
            date(2026, 1, 15),
            date(2027, 1, 15),
        ),
        (
            "art. 23, I",
            "santa-rita-pb",
            "driver_record",
            {"issued": date(2026, 1, 15)},
            date(2026, 1, 15),
            date(2028, 2, 14),
        ),
    ],
)
def test_how_long_a_permit_runs(article, slug, permit_type, dates, first, last):
    rules = catalogue.permit_rules(slug, permit_type, TODAY)

    assert rules.term.source.article in article
    assert span_from(rules.term, **dates) == (first, last)


@pytest.mark.parametrize(
    ("article", "slug", "permit_type", "last_day", "asked_until"),
    [
        ("art. 9º", "caraguatatuba-sp", "recreational", date(2026, 12, 31), date(2026, 11, 30)),
        ("art. 9º, § 2º", "chapada-dos-guimaraes-mt", "driver", date(2026, 12, 31), date(2026, 12, 9)),
        ("art. 3º, § 3º", "sao-joao-da-boa-vista-sp", "driver", date(2026, 6, 1), date(2026, 5, 2)),
    ],
)
def test_until_when_a_renewal_is_asked_for(article, slug, permit_type, last_day, asked_until):
    rules = catalogue.permit_rules(slug, permit_type, TODAY)

    assert rules.renewal
    assert rules.renewal.source.article == article
    assert renewal_due(rules.renewal, last_day, catalogue.municipality(slug).is_holiday) == asked_until


@pytest.mark.parametrize(
    ("article", "slug", "permit_type", "ends"),
    [
        ("art. 21", "caraguatatuba-sp", "recreational", SuspensionEnd.RELEASE),
        ("art. 17, III, e art. 24", "caraguatatuba-sp", "driver", SuspensionEnd.END_DATE),
        ("art. 27, parágrafo único", "chapada-dos-guimaraes-mt", "driver", SuspensionEnd.END_DATE),
        ("art. 13", "sao-joao-da-boa-vista-sp", "driver", SuspensionEnd.END_DATE),
        ("art. 44", "santa-rita-pb", "permission", SuspensionEnd.END_DATE),
        ("art. 42, parágrafo único", "santa-rita-pb", "driver_record", SuspensionEnd.COURSE),
    ],
)
def test_how_a_suspension_ends(article, slug, permit_type, ends):
    suspension = catalogue.permit_rules(slug, permit_type, TODAY).suspension

    assert suspension
    assert (suspension.source.article, suspension.ends_by) == (article, ends)


@pytest.mark.parametrize(
    ("article", "slug", "permit_type", "kind", "until"),
    [
        ("art. 22", "caraguatatuba-sp", "recreational", BarKind.SAME_CALENDAR_YEAR, date(2026, 12, 31)),
        ("art. 45, parágrafo único", "santa-rita-pb", "permission", BarKind.MONTHS, date(2028, 5, 4)),
        ("art. 43, parágrafo único", "santa-rita-pb", "driver_record", BarKind.MONTHS, date(2028, 5, 4)),
        ("art. 17", "sao-joao-da-boa-vista-sp", "platform", BarKind.MONTHS, date(2031, 5, 4)),
        ("art. 14", "sao-joao-da-boa-vista-sp", "driver", BarKind.NONE_IN_TEXT, None),
    ],
)
def test_how_long_a_revocation_bars(article, slug, permit_type, kind, until):
    bar = catalogue.permit_rules(slug, permit_type, TODAY).revocation_bar

    assert bar
    assert (bar.source.article, bar.kind) == (article, kind)
    assert barred_until(bar, revoked_on=date(2026, 5, 4), permit_year=2026) == until


@pytest.mark.parametrize(
    ("article", "instrument", "matter", "on", "name"),
    [
        ("art. 3º, § 2º", SAO_JOAO, "licensing", date(2024, 5, 1), "Setor de Trânsito"),
        (
            "art. 3º, § 2º",
            SAO_JOAO,
            "licensing",
            date(2024, 5, 2),
            "Departamento de Desenvolvimento Econômico — Seção de Transportes",
        ),
        ("art. 20, § 1º", SAO_JOAO, "judgment", date(2024, 12, 10), "Setor de Trânsito"),
        (
            "art. 20, § 1º",
            SAO_JOAO,
            "judgment",
            date(2024, 12, 11),
            "Departamento de Desenvolvimento Econômico",
        ),
        ("art. 22", SAO_JOAO, "unauthorised_transport", date(2024, 12, 10), "Setor de Trânsito"),
        (
            "art. 22",
            SAO_JOAO,
            "unauthorised_transport",
            date(2024, 12, 11),
            "Departamento de Trânsito e Segurança",
        ),
        (
            "art. 23",
            SAO_JOAO,
            "inspection",
            date(2024, 5, 1),
            "Assessoria de Trânsito e Segurança, através do SETRAN",
        ),
        ("art. 23", SAO_JOAO, "inspection", date(2024, 5, 2), "Departamento de Trânsito e Segurança"),
        ("art. 20, § 2º", SAO_JOAO, "appeal", TODAY, "Chefe do Poder Executivo"),
        ("Anexo Único, II.01", SAO_JOAO, "lost_property", TODAY, "Departamento de Desenvolvimento Econômico"),
        ("art. 20", CHAPADA, "inspection", TODAY, "Secretaria Municipal de Finanças"),
        (
            "art. 26, § 3º",
            RECREATIONAL,
            "appeal",
            TODAY,
            "Junta Administrativa de Recursos de Infrações de Transporte",
        ),
        ("art. 33", APPS, "judgment", TODAY, "Secretário de Mobilidade Urbana e Proteção ao Cidadão"),
        ("art. 50", SANTA_RITA, "appeal", TODAY, "Superintendente da SEMOB-SR"),
    ],
)
def test_who_decides(article, instrument, matter, on, name):
    found = authority(catalogue.instrument(instrument), matter, on)

    assert found
    assert (found.article, found.name) == (article, name)


def test_nobody_is_named_where_the_text_names_nobody():
    law = catalogue.instrument(SAO_JOAO)

    assert authority(law, "notification", date(2024, 12, 10))
    assert authority(law, "notification", date(2024, 12, 11)) is None
    assert authority(law, "platform_list", date(2024, 12, 10)) is None


@pytest.mark.parametrize(
    ("article", "instrument", "what", "start", "last"),
    [
        ("art. 26", RECREATIONAL, "defence", date(2026, 11, 30), date(2026, 12, 15)),
        ("art. 26, § 3º", RECREATIONAL, "appeal", date(2026, 11, 30), date(2026, 12, 15)),
        ("art. 27", RECREATIONAL, "payment", date(2026, 12, 17), date(2027, 1, 4)),
        ("art. 34", APPS, "appeal", date(2026, 11, 30), date(2026, 12, 15)),
        ("art. 17, § 2º", CHAPADA, "mending", date(2026, 11, 30), date(2026, 12, 5)),
        ("art. 19", SAO_JOAO, "payment", date(2026, 11, 30), date(2027, 1, 29)),
        ("art. 47", SANTA_RITA, "defence", date(2026, 11, 30), date(2026, 12, 30)),
    ],
)
def test_until_when_something_may_be_done(article, instrument, what, start, last):
    law = catalogue.instrument(instrument)
    found = deadline(law, what, start)

    assert found
    assert found.article == article
    is_holiday = catalogue.municipality(law.municipality).is_holiday
    assert add_days(start, found.amount, DayKind(found.counted_in), is_holiday) == last


def test_the_defence_has_no_time_in_the_decree_on_apps():
    """art. 32; art. 27, VII leaves it to the notice."""
    assert deadline(catalogue.instrument(APPS), "defence", TODAY) is None


@pytest.mark.parametrize(
    ("article", "instrument", "vehicle_type", "on", "year", "last"),
    [
        ("art. 14, parágrafo único", CHAPADA, "car", TODAY, 2016, date(2026, 12, 31)),
        ("art. 9º, VI", APPS, "car", TODAY, 2015, date(2025, 12, 31)),
        ("art. 2º, I", SAO_JOAO, "car", date(2024, 5, 1), 2016, date(2024, 12, 31)),
        ("art. 2º, I", SAO_JOAO, "car", date(2024, 5, 2), 2016, date(2026, 12, 31)),
        ("art. 15, X", SANTA_RITA, "bus", TODAY, 2010, date(2030, 12, 31)),
        ("art. 16, IV", SANTA_RITA, "minibus", TODAY, 2010, date(2030, 12, 31)),
        ("art. 17, III", SANTA_RITA, "car", TODAY, 2020, date(2028, 12, 31)),
        ("art. 18, III", SANTA_RITA, "utility", TODAY, 2015, date(2030, 12, 31)),
    ],
)
def test_how_old_a_vehicle_may_be(article, instrument, vehicle_type, on, year, last):
    found = vehicle_limit(catalogue.instrument(instrument), vehicle_type, on)

    assert found, article
    assert last_day_of_age(found, year) == last


def test_how_many_people_a_car_carries():
    law = catalogue.instrument(SAO_JOAO)
    counts = [vehicle_limit(law, "car", day).max_people for day in (date(2024, 5, 1), date(2024, 5, 2))]

    assert counts == [5, 7]
    assert vehicle_limit(catalogue.instrument(CHAPADA), "car", TODAY).max_people == 7
    assert vehicle_limit(catalogue.instrument(APPS), "car", TODAY).max_seats == 7


def test_what_a_platform_must_deliver_and_when():
    """L7, L10: the fifth business day of the next month; every 60 days."""
    duties = {
        slug: catalogue.permit_rules(slug, "driver", TODAY).platform_list
        for slug in ("caraguatatuba-sp", "chapada-dos-guimaraes-mt", "sao-joao-da-boa-vista-sp")
    }

    assert duties["caraguatatuba-sp"].business_day_of_next_month == 5
    assert duties["caraguatatuba-sp"].source.article == "art. 16, V"
    assert duties["chapada-dos-guimaraes-mt"].every_days == 60
    assert duties["chapada-dos-guimaraes-mt"].source.article == "art. 5º, VIII"
    assert duties["sao-joao-da-boa-vista-sp"].business_day_of_next_month == 5


def test_the_traps_of_the_decree_on_apps():
    decree = catalogue.instrument(APPS)
    without_code = infraction(decree, "III-05", TODAY)
    of_a_revoked_duty = infraction(decree, "III-06", TODAY)

    assert without_code.printed_code is None
    assert without_code.text.startswith("Deixar a ETT de manter atualizados")
    assert of_a_revoked_duty.duty_revoked.by == "Decreto nº 1.333/2020"
    assert of_a_revoked_duty.duty_revoked.dated is None
    assert infraction(decree, "I-01", TODAY).printed_code == "I -01"
    assert requirement(decree, "city_registration_card", date(2020, 12, 31))
    assert requirement(decree, "city_registration_card", date(2021, 1, 1)) is None


def test_the_wordings_that_sao_joao_prints_side_by_side():
    law = catalogue.instrument(SAO_JOAO)
    old, new = (infraction(law, "II-01", day).text for day in (date(2024, 12, 10), date(2024, 12, 11)))

    assert "SETRAN" in old
    assert "Departamento de Desenvolvimento Econômico" in new
    assert requirement(law, "driver_course", date(2025, 5, 28))
    assert requirement(law, "driver_course", date(2025, 5, 29)) is None
    assert requirement(law, "fee", date(2024, 5, 1)).article == "art. 3º, XI"
    assert requirement(law, "fee", date(2024, 5, 2)).article == "art. 3º, IX"


def test_both_permits_of_the_bill_are_needed():
    """art. 13, II, art. 25 and art. 31."""
    assert catalogue.permit_rules("santa-rita-pb", "permission", TODAY).needs == ("operating_licence",)
    assert catalogue.permit_rules("santa-rita-pb", "operating_licence", TODAY).needs == ("permission",)


def test_how_severe_the_groups_are():
    decree = catalogue.instrument(APPS)
    severities = [
        str(severity_of(decree, infraction(decree, f"{group}-01", TODAY)))
        for group in ("I", "II", "III", "IV", "V")
    ]

    assert severities == ["primary", "light", "medium", "serious", "very_serious"]


def test_a_measure_is_exact():
    decree = catalogue.instrument(RECREATIONAL)
    daily = next(row for row in decree.measures if row.id == "daily_fine")

    assert (daily.penalties[0].min, daily.penalties[0].at_most) == (Decimal(100), Decimal(1000))


def permit(
    slug: str, service: Service, permit_type: str, *events: PermitEvent, year: int | None = None
) -> Permit:
    rules = catalogue.permit_rules(slug, permit_type, TODAY)
    return Permit(
        id=1,
        municipality=slug,
        service=service,
        permit_type=permit_type,
        number="1",
        holder_kind=rules.holder_kind,
        units=(VehicleUnit(1, "vehicle", "BRA2E19", "BRA2E19"),),
        events=events,
        year=year,
    )


ISSUED_2026 = PermitEvent(EventKind.ISSUE, date(2025, 12, 20))
TRAIN = ("caraguatatuba-sp", Service.RECREATIONAL, "recreational")
CHAPADA_CAR = ("chapada-dos-guimaraes-mt", Service.RIDE_HAILING, "driver")
SAO_JOAO_CAR = ("sao-joao-da-boa-vista-sp", Service.RIDE_HAILING, "driver")
SUSPENDED = PermitEvent(EventKind.SUSPENSION, date(2026, 5, 4), until=date(2026, 5, 18))
ISSUED_IN_FEBRUARY = PermitEvent(EventKind.ISSUE, date(2026, 2, 2))


@pytest.mark.parametrize(
    ("article", "of", "events", "on", "status"),
    [
        ("art. 8º", TRAIN, (ISSUED_2026,), date(2025, 12, 31), Status.NOT_YET_VALID),
        ("art. 8º", TRAIN, (ISSUED_2026,), date(2026, 1, 1), Status.AUTHORIZED),
        ("art. 8º", TRAIN, (ISSUED_2026,), date(2026, 12, 31), Status.AUTHORIZED),
        ("art. 8º", TRAIN, (ISSUED_2026,), date(2027, 1, 1), Status.EXPIRED),
        ("art. 21", TRAIN, (ISSUED_2026, SUSPENDED), date(2026, 5, 3), Status.AUTHORIZED),
        ("art. 21", TRAIN, (ISSUED_2026, SUSPENDED), date(2026, 5, 4), Status.SUSPENDED),
        ("art. 21", TRAIN, (ISSUED_2026, SUSPENDED), date(2026, 5, 19), Status.SUSPENDED),
        (
            "art. 21",
            TRAIN,
            (ISSUED_2026, SUSPENDED, PermitEvent(EventKind.RELEASE, date(2026, 5, 20))),
            date(2026, 5, 20),
            Status.AUTHORIZED,
        ),
        (
            "art. 22",
            TRAIN,
            (ISSUED_2026, PermitEvent(EventKind.REVOCATION, date(2026, 6, 1))),
            date(2026, 6, 1),
            Status.REVOKED,
        ),
        (
            "art. 19",
            TRAIN,
            (ISSUED_2026, PermitEvent(EventKind.REVOCATION, date(2026, 6, 1))),
            date(2026, 5, 31),
            Status.AUTHORIZED,
        ),
        (
            "art. 7º, § 1º",
            TRAIN,
            (ISSUED_2026, PermitEvent(EventKind.INSPECTION_FAILED, date(2026, 6, 1))),
            date(2026, 5, 31),
            Status.AUTHORIZED,
        ),
        (
            "art. 7º, § 1º",
            TRAIN,
            (ISSUED_2026, PermitEvent(EventKind.INSPECTION_FAILED, date(2026, 6, 1))),
            date(2026, 6, 1),
            Status.BARRED,
        ),
        ("art. 13", SAO_JOAO_CAR, (ISSUED_IN_FEBRUARY, SUSPENDED), date(2026, 5, 3), Status.AUTHORIZED),
        ("art. 13", SAO_JOAO_CAR, (ISSUED_IN_FEBRUARY, SUSPENDED), date(2026, 5, 18), Status.SUSPENDED),
        ("art. 13", SAO_JOAO_CAR, (ISSUED_IN_FEBRUARY, SUSPENDED), date(2026, 5, 19), Status.AUTHORIZED),
        ("art. 3º, § 3º", SAO_JOAO_CAR, (ISSUED_IN_FEBRUARY,), date(2027, 2, 2), Status.AUTHORIZED),
        ("art. 3º, § 3º", SAO_JOAO_CAR, (ISSUED_IN_FEBRUARY,), date(2027, 2, 3), Status.EXPIRED),
        ("art. 9º, § 1º", CHAPADA_CAR, (ISSUED_IN_FEBRUARY,), date(2026, 2, 1), Status.NOT_YET_VALID),
        ("art. 9º, § 1º", CHAPADA_CAR, (ISSUED_IN_FEBRUARY,), date(2026, 12, 31), Status.AUTHORIZED),
        ("art. 9º, § 1º", CHAPADA_CAR, (ISSUED_IN_FEBRUARY,), date(2027, 1, 1), Status.EXPIRED),
        (
            "art. 17, § 2º",
            CHAPADA_CAR,
            (ISSUED_IN_FEBRUARY, PermitEvent(EventKind.INSPECTION_FAILED, date(2026, 6, 1))),
            date(2026, 6, 1),
            Status.BARRED,
        ),
        (
            "art. 17, § 2º",
            CHAPADA_CAR,
            (
                ISSUED_IN_FEBRUARY,
                PermitEvent(EventKind.INSPECTION_FAILED, date(2026, 6, 1)),
                PermitEvent(EventKind.INSPECTION_PASSED, date(2026, 6, 4)),
            ),
            date(2026, 6, 4),
            Status.AUTHORIZED,
        ),
        (
            "Projeto de Lei nº 99",
            ("santa-rita-pb", Service.TOURISM, "permission"),
            (ISSUED_IN_FEBRUARY,),
            date(2026, 6, 4),
            Status.NOT_REGULATED,
        ),
    ],
)
def test_what_a_permit_is_worth(article, of, events, on, status):
    slug, service, permit_type = of
    year = 2026 if of is TRAIN else None

    found = standing(
        permit(slug, service, permit_type, *events, year=year),
        catalogue.permit_rules(slug, permit_type, on),
        on,
    )

    assert found.status is status, article
