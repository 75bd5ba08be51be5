"""The traps of the five texts, as the catalogue answers them: each case cites its article."""

from datetime import date, timedelta

import pytest

from portal.regulations import catalogue
from portal.services.verdicts import rules

RECREATIONAL = "caraguatatuba-sp_transporte-recreativo_decreto-2025"
APPS = "caraguatatuba-sp_aplicativos_decreto-2020"
CHAPADA = "chapada-dos-guimaraes-mt_aplicativos_decreto-06-2026"
SANTA_RITA = "santa-rita-pb_transporte-turistico_projeto-de-lei-99-2023"
SAO_JOAO = "sao-joao-da-boa-vista-sp_aplicativos_lei-4508-2019"
TODAY = date(2026, 11, 30)
A_DAY = timedelta(1)


@pytest.mark.parametrize(
    ("article", "instrument", "vehicle_type", "year", "on", "allowed"),
    [
        ("art. 14, parágrafo único", CHAPADA, "car", 2016, date(2026, 12, 31), True),
        ("art. 14, parágrafo único", CHAPADA, "car", 2016, date(2027, 1, 1), False),
        ("art. 9º, VI", APPS, "car", 2016, date(2026, 12, 31), True),
        ("art. 9º, VI", APPS, "car", 2016, date(2027, 1, 1), False),
        ("art. 2º, I", SAO_JOAO, "car", 2015, date(2023, 12, 31), True),
        ("art. 2º, I", SAO_JOAO, "car", 2015, date(2024, 1, 1), False),
        ("art. 2º, I", SAO_JOAO, "car", 2015, date(2024, 5, 1), False),
        ("art. 2º, I", SAO_JOAO, "car", 2015, date(2024, 5, 2), True),
        ("art. 2º, I", SAO_JOAO, "car", 2015, date(2026, 1, 1), False),
        ("art. 15, X", SANTA_RITA, "bus", 2006, date(2026, 12, 31), True),
        ("art. 15, X", SANTA_RITA, "bus", 2006, date(2027, 1, 1), False),
        ("art. 17, III", SANTA_RITA, "car", 2018, date(2026, 12, 31), True),
        ("art. 17, III", SANTA_RITA, "car", 2018, date(2027, 1, 1), False),
        ("art. 18, III", SANTA_RITA, "utility", 2011, date(2027, 1, 1), False),
        ("art. 7º, § 2º", RECREATIONAL, "recreational", 1960, TODAY, None),
    ],
)
def test_until_when_a_vehicle_is_young_enough(article, instrument, vehicle_type, year, on, allowed):
    assert rules.vehicle_age(instrument, vehicle_type, year=year, on=on).allowed is allowed, article


@pytest.mark.parametrize(
    ("article", "instrument", "vehicle_type", "year", "months"),
    [
        ("art. 15, parágrafo único", SANTA_RITA, "bus", 2017, 12),
        ("art. 15, parágrafo único", SANTA_RITA, "bus", 2016, 6),
        ("art. 15, parágrafo único", SANTA_RITA, "bus", 2015, 6),
        ("art. 17, III", SANTA_RITA, "car", 2018, 12),
        ("art. 7º, § 2º", RECREATIONAL, "recreational", 1996, None),
        ("art. 7º, § 2º", RECREATIONAL, "recreational", 1995, 12),
        ("art. 17", CHAPADA, "car", 2025, 12),
    ],
)
def test_how_often_a_vehicle_is_inspected(article, instrument, vehicle_type, year, months):
    told = rules.vehicle_age(instrument, vehicle_type, year=year, on=TODAY)

    assert told.inspection_every_months == months, article


@pytest.mark.parametrize(
    ("article", "instrument", "what", "start", "until"),
    [
        ("art. 9º, § 2º", CHAPADA, "renewal", date(2026, 12, 31), date(2026, 12, 9)),
        ("art. 3º, § 3º", SAO_JOAO, "renewal", date(2026, 6, 1), date(2026, 5, 2)),
        ("Anexo Único, II.01", SAO_JOAO, "lost_property", TODAY, date(2026, 12, 1)),
        ("art. 11, § 2º", CHAPADA, "trip_data", TODAY, date(2026, 12, 1)),
        ("art. 53", SANTA_RITA, "old_vehicles", date(2024, 2, 29), date(2027, 3, 1)),
        ("art. 30, IV", SANTA_RITA, "permission_renewal", date(2026, 1, 15), date(2026, 4, 15)),
        ("art. 54", SANTA_RITA, "unclaimed_vehicle", date(2026, 1, 1), date(2026, 6, 30)),
        ("art. 27", RECREATIONAL, "payment", date(2026, 12, 18), date(2027, 1, 5)),
        # Counted from the last day of the month told about: 2 November and 7 September are holidays.
        ("art. 16, V", APPS, "platform_list", date(2026, 10, 31), date(2026, 11, 9)),
        ("art. 16, V", APPS, "platform_list", date(2026, 7, 31), date(2026, 8, 7)),
        ("art. 6º, VI", SAO_JOAO, "platform_list", date(2025, 8, 31), date(2025, 9, 5)),
        ("art. 5º, VIII", CHAPADA, "platform_list", date(2026, 10, 1), date(2026, 11, 30)),
        ("art. 4º, parágrafo único", SAO_JOAO, "platform_renewal", date(2026, 3, 1), date(2026, 1, 30)),
    ],
)
def test_the_last_day_of_a_time(article, instrument, what, start, until):
    told = rules.count_deadline(instrument, what, start=start)

    assert (told.article, told.until) == (article, until)


@pytest.mark.parametrize(
    ("instrument", "what", "reading"),
    [
        (APPS, "defence", "defence_without_time"),
        (CHAPADA, "defence", "defence_without_time"),
        (SANTA_RITA, "payment", "payment_without_time"),
    ],
)
def test_a_time_that_the_text_does_not_set_is_not_made_up(instrument, what, reading):
    told = rules.count_deadline(instrument, what, start=TODAY)

    assert (told.until, told.reading) == (None, reading)
    assert reading in {one.id for one in catalogue.instrument(instrument).readings}


@pytest.mark.parametrize(
    ("article", "instrument", "code", "counts", "window"),
    [
        ("art. 19", RECREATIONAL, "III-01", "same_group", None),
        ("art. 22, parágrafo único", APPS, "II-01", "same_infraction", 6),
        ("art. 29, § 1º", CHAPADA, "29-IV", "same_infraction", None),
        ("art. 40, § 1º", SANTA_RITA, "35-II-a", "same_infraction", 12),
        ("art. 14, § 1º", SAO_JOAO, "II-02", "any_infraction", 12),
    ],
)
def test_what_makes_a_repetition(article, instrument, code, counts, window):
    repeat = rules.fine(instrument, code, on=TODAY).repeat

    assert repeat
    assert (repeat.counts, repeat.window_months) == (counts, window), article


@pytest.mark.parametrize(
    ("article", "instrument", "code"),
    [
        ("art. 15, I: nothing is said of a repetition", RECREATIONAL, "I-01"),
        ("Anexo Único, IV.01: the column of repetition is blank", SAO_JOAO, "IV-01"),
        ("Anexo Único, Grupo VI: no fine, so none doubled", SAO_JOAO, "VI-02"),
        ("art. 29, III", CHAPADA, "29-III"),
    ],
)
def test_a_repetition_of_which_the_text_says_nothing_costs_the_same(article, instrument, code):
    once = rules.fine(instrument, code, on=TODAY)

    assert once.repeat is None, article
    assert rules.fine(instrument, code, on=TODAY, repeat=True).penalties == once.penalties


def test_the_row_without_its_code_has_one_and_says_how():
    """Caraguatatuba, apps, Anexo I, Grupo III."""
    told = rules.fine(APPS, "III-05", on=TODAY)

    assert (told.printed_code, told.reading) == (None, "row_without_code")


def test_a_duty_that_was_revoked_is_said_beside_its_row():
    """Caraguatatuba, apps, art. 14, XVI, revoked by Decreto 1.333/2020; the annex still lists it."""
    told = rules.fine(APPS, "III-06", on=TODAY)

    assert told.duty_revoked
    assert told.duty_revoked.by == "Decreto nº 1.333/2020"
    assert rules.requirement(APPS, "city_registration_card", on=date(2020, 12, 31)).words
    assert rules.requirement(APPS, "city_registration_card", on=date(2021, 1, 1)).words is None


@pytest.mark.parametrize(
    "on", [date(1990, 1, 1), date(2023, 7, 20), date(2023, 7, 21), TODAY, date(2099, 1, 1)]
)
def test_a_bill_is_listed_at_every_date_and_in_force_at_none(on):
    told = rules.list_infractions(SANTA_RITA, on=on)

    assert len(told.infractions) == 39
    assert (told.bill, told.in_force) == (True, False)
    assert not any(row.in_force for row in told.infractions)
    assert rules.fine(SANTA_RITA, "35-I-a", on=on).penalties
    assert rules.authority(SANTA_RITA, "appeal", on=on).name == "Superintendente da SEMOB-SR"


@pytest.mark.parametrize(
    ("day", "known"),
    [
        (date(2025, 5, 29) - A_DAY, False),
        (date(2025, 5, 29), True),
        (date(2025, 11, 5), True),
        (date(2025, 11, 5) + A_DAY, False),
    ],
)
def test_outside_the_known_text_the_nearest_wording_is_told_and_flagged(day, known):
    told = rules.fine(SAO_JOAO, "II-02", on=day)

    assert told.within_known_text is known
    assert told.in_force
    assert told.penalties[0].amount == 25


@pytest.mark.parametrize(
    ("day", "text"),
    [
        (date(2024, 12, 10), "SETRAN"),
        (date(2024, 12, 11), "Departamento de Desenvolvimento Econômico"),
    ],
)
def test_wordings_side_by_side_hold_each_in_its_days(day, text):
    """São João, Anexo Único, II.01, changed by Lei 5.337/2024."""
    told = rules.fine(SAO_JOAO, "II.01", on=day)

    assert told.in_force
    assert text in told.text


@pytest.mark.parametrize(
    ("article", "instrument", "category", "codes", "authority"),
    [
        ("art. 4º e 20", RECREATIONAL, "outside_stop", ("III-01",), "Seção de Fiscalização"),
        ("art. 12, VII", RECREATIONAL, "overcrowding", (), "Seção de Fiscalização"),
        ("art. 25", APPS, "harassment", ("I-09",), "Mobilidade Urbana e Proteção ao Cidadão"),
        ("art. 30", CHAPADA, "unauthorised_transport", ("30",), "Finanças"),
        ("art. 22", SAO_JOAO, "unauthorised_transport", ("V-09", "VI-02"), "Trânsito e Segurança"),
        ("Anexo Único, II.01", SAO_JOAO, "lost_property", ("II-01",), "Desenvolvimento Econômico"),
        ("art. 35", SANTA_RITA, "overcrowding", ("35-II-b",), "Mobilidade Urbana"),
        ("art. 7º e 35, II, b", SANTA_RITA, "outside_or_standing", ("35-II-b",), "Mobilidade Urbana"),
        ("art. 3º: the limits of noise, without an infraction", SANTA_RITA, "noise", (), "Mobilidade Urbana"),
        ("art. 18, caput e XXIII", CHAPADA, "ride_refused", ("29-III",), "Finanças"),
        ("art. 14, II, e 18, caput", CHAPADA, "seat_belts_and_doors", ("29-III",), "Finanças"),
        ("art. 36: no row of the annex", APPS, "unauthorised_transport", (), "Proteção ao Cidadão"),
        (
            "Anexo Único: doors, no belts",
            SAO_JOAO,
            "seat_belts_and_doors",
            ("II-07", "IV-04", "VI-05"),
            "Trânsito e Segurança",
        ),
        ("Anexo Único, III.04", SAO_JOAO, "aggression", ("III-04",), "Trânsito e Segurança"),
    ],
)
def test_what_a_kind_of_complaint_rests_on(article, instrument, category, codes, authority):
    told = rules.category(instrument, category, on=TODAY)

    assert told.stated, article
    assert tuple(row.code for row in told.infractions) == codes
    assert authority in (told.authority or "")


@pytest.mark.parametrize("law", catalogue.instruments(), ids=lambda law: law.municipality)
def test_a_kind_of_complaint_without_an_infraction_says_what_there_is(law):
    """Where the list of infractions holds nothing for it, a condition tells what the articles do."""
    for provision in law.provisions:
        assert provision.infractions or (provision.articles and provision.condition), provision.category


@pytest.mark.parametrize(
    ("instrument", "unnamed"),
    [
        (RECREATIONAL, {"lost_property", "ride_refused", "smoking", "wrong_data"}),
        (
            APPS,
            {
                "lost_property",
                "noise",
                "off_route",
                "ride_refused",
                "seat_belts_and_doors",
                "trip_interrupted",
            },
        ),
        (CHAPADA, {"crash", "lost_property", "noise", "off_route", "trip_interrupted", "weapon"}),
        (SANTA_RITA, {"lost_property", "ride_refused", "weapon"}),
        (SAO_JOAO, {"speeding"}),
    ],
)
def test_which_kinds_of_complaint_a_text_says_nothing_of(instrument, unnamed):
    law = catalogue.instrument(instrument)
    asked = {one.id for one in catalogue.current().categories if law.service in one.services}
    anything = {"other_problem", "suggestion", "praise"}

    assert asked - anything - {one.category for one in law.provisions} == unnamed


@pytest.mark.parametrize(
    ("article", "instrument", "what", "on", "fee"),
    [
        ("art. 3º, XI", SAO_JOAO, "fee", date(2024, 5, 1), (100, "BRL")),
        ("art. 3º, IX", SAO_JOAO, "fee", date(2024, 5, 2), (25, "UFS")),
        ("art. 4º, IX", SAO_JOAO, "company_fee", date(2024, 5, 1), (300, "BRL")),
        ("art. 4º, IX", SAO_JOAO, "company_fee", date(2024, 5, 2), (75, "UFS")),
        ("art. 32, I, e parágrafo único", SANTA_RITA, "permission_fee", TODAY, (None, None)),
        ("art. 32, II, e parágrafo único", SANTA_RITA, "licence_fee", TODAY, (None, None)),
        ("art. 32, III, e parágrafo único", SANTA_RITA, "driver_fee", TODAY, (None, None)),
        ("art. 32, IV, e parágrafo único", SANTA_RITA, "vehicle_change_fee", TODAY, (None, None)),
        ("art. 14, VIII, e art. 16, parágrafo único", CHAPADA, "fees", TODAY, (None, None)),
    ],
)
def test_what_a_permit_costs(article, instrument, what, on, fee):
    told = rules.requirement(instrument, what, on=on)

    assert told.fee
    assert (told.article, told.fee.amount, told.fee.unit) == (article, *fee)


def test_a_kind_of_complaint_that_no_text_names_still_reaches_the_ombudsman():
    told = rules.category(CHAPADA, "lost_property", on=TODAY)

    assert not told.stated
    assert told.infractions == ()
    assert told.reaches_ombudsman


def test_the_immediate_procedure_has_no_hours_but_those_a_municipality_promises():
    """Caraguatatuba, apps, art. 25 and 26: "imediata abertura", without hours."""
    procedures = rules.category(APPS, "harassment", on=TODAY).procedures

    assert [one.article for one in procedures] == ["art. 25", "art. 26"]
    assert all(one.target_hours is None for one in procedures)


@pytest.mark.parametrize(
    ("article", "instrument", "permit_type", "dates", "valid"),
    [
        ("art. 8º", RECREATIONAL, "recreational", {"issued": date(2026, 12, 31), "year": 2026}, True),
        ("art. 8º", RECREATIONAL, "recreational", {"issued": date(2027, 1, 1), "year": 2026}, False),
    ],
)
def test_a_permit_for_a_year_that_is_over_never_runs(article, instrument, permit_type, dates, valid):
    assert rules.validity(instrument, permit_type, **dates).ever_valid is valid, article


def test_the_card_says_so_where_the_text_sets_no_term():
    """Caraguatatuba, apps, art. 4º."""
    told = rules.validity(APPS, "driver", issued=date(2026, 2, 1))

    assert (told.kind, told.valid_until, told.reading) == ("none_in_text", None, "no_term")


def test_both_papers_are_needed_where_the_bill_asks_for_two():
    """Santa Rita, art. 13, II, 25 and 31."""
    assert rules.validity(SANTA_RITA, "permission", issued=TODAY).needs == ("operating_licence",)
    assert rules.validity(SANTA_RITA, "operating_licence", issued=TODAY).needs == ("permission",)


@pytest.mark.parametrize("instrument", [one.id for one in catalogue.instruments()])
def test_everything_in_an_answer_leads_somewhere(instrument):
    told = rules.show_instrument(instrument, on=TODAY)
    readings = {one.id for one in told.readings}
    units = {one.id for one in told.units} | {"BRL", "days", "business_days", "months", "years"}

    for row in told.infractions:
        assert row.reading is None or row.reading in readings
        for penalty in (*row.penalties, *(row.repeat.penalties if row.repeat else ())):
            assert penalty.article
            assert penalty.unit is None or penalty.unit in units
