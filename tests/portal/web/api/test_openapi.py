"""The description of the API against what the addresses really answer."""

import re
from copy import deepcopy
from datetime import UTC, datetime

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from portal import clock
from portal.regulations import catalogue
from portal.services.unit_of_work import unit_of_work
from portal.web.api.document import openapi_document
from tests.factories.feeds import bring_in_orla
from tests.factories.permits import put_list, put_permit

RECREATIONAL = "caraguatatuba-sp_transporte-recreativo_decreto-2025"
SANTA_RITA = "santa-rita-pb_transporte-turistico_projeto-de-lei-99-2023"
SAO_JOAO = "sao-joao-da-boa-vista-sp_aplicativos_lei-4508-2019"
RULES = "/api/v1/rules/{instrument}"
INSTRUMENTS = [one.id for one in catalogue.instruments()]


@pytest.fixture(scope="module")
def closed():
    """The document with every object closed, so that an answer may hold nothing that is not described."""
    document = deepcopy(openapi_document())
    for schema in document["components"]["schemas"].values():
        if "properties" in schema:
            schema["additionalProperties"] = False
    return document


@pytest.fixture
def answered(client, closed, monkeypatch, tmp_path):
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 11, 30, 15, tzinfo=UTC))

    def get(path, status=200):
        answer = client.get(path)
        assert answer.status_code == status, path
        operation = closed["paths"][template_of(path, closed)]["get"]
        described = operation["responses"][str(status)]
        if "$ref" in described:
            described = closed["components"]["responses"][described["$ref"].rsplit("/", 1)[1]]
        schema = described["content"]["application/json"]["schema"]
        whole = {**schema, "components": closed["components"]}
        body = answer.get_json()
        Draft202012Validator(whole, format_checker=FormatChecker()).validate(body)
        return body

    return get


def template_of(path, document):
    """The described address that a path belongs to, the most literal first."""
    bare = path.split("?")[0]
    found = [
        template
        for template in sorted(document["paths"], key=lambda one: one.count("{"))
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), bare)
    ]
    return found[0]


class TestTheDocument:
    def test_its_schemas_are_schemas(self, closed):
        for schema in openapi_document()["components"]["schemas"].values():
            Draft202012Validator.check_schema(schema)

    def test_every_reference_leads_somewhere(self):
        document = openapi_document()
        references = set(re.findall(r"'#/components/(\w+)/(\w+)'", repr(document)))

        assert references
        assert all(name in document["components"][kind] for kind, name in references)

    def test_it_describes_every_address_and_no_other(self, app):
        served = {
            re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
            for rule in app.url_map.iter_rules()
            if rule.rule.startswith("/api/") and not rule.rule.endswith(".json")
        }

        assert served == set(openapi_document()["paths"])

    def test_it_is_served(self, client):
        answer = client.get("/api/v1/openapi.json")

        assert answer.mimetype == "application/json"
        assert answer.get_json()["openapi"] == "3.1.0"


class TestTheSchemaOfAnInstrument:
    @pytest.mark.parametrize("instrument", INSTRUMENTS)
    def test_is_published_and_kept_to(self, client, instrument):
        schema = client.get("/api/v1/schemas/instrument.json").get_json()
        Draft202012Validator.check_schema(schema)

        Draft202012Validator(schema).validate(client.get(f"/api/v1/rules/{instrument}").get_json())


class TestTheLaw:
    def test_the_terms_of_all(self, answered):
        assert len(answered("/api/v1/rules")["instruments"]) == len(INSTRUMENTS)

    @pytest.mark.parametrize("instrument", INSTRUMENTS)
    @pytest.mark.parametrize("on", ["2019-01-01", "2024-12-11", "2026-11-30"])
    def test_a_whole_instrument_on_any_day(self, answered, instrument, on):
        body = answered(f"/api/v1/rules/{instrument}?on={on}")
        listed = answered(f"/api/v1/rules/{instrument}/infractions?on={on}")

        assert body["infractions"] == listed["infractions"]

    @pytest.mark.parametrize("instrument", INSTRUMENTS)
    def test_every_identifier_of_an_instrument(self, answered, instrument):
        at = f"/api/v1/rules/{instrument}"
        terms = answered(f"{at}/terms")
        for code in terms["codes"]:
            assert answered(f"{at}/infractions/{code}?repeat=true&on=2024-05-02")["repeated"] is True
        for permit in terms["permit_types"]:
            answered(f"{at}/permits/{permit}/validity?issued=2026-02-01&paid=2026-01-30&year=2026")
        for matter in terms["matters"]:
            answered(f"{at}/authorities/{matter}")
        for kind in terms["vehicle_types"]:
            answered(f"{at}/vehicles/{kind}/age?year=2016")
        for what in terms["deadlines"]:
            answered(f"{at}/deadlines/{what}?from=2026-11-30")
        for what in terms["requirements"]:
            answered(f"{at}/requirements/{what}?on=2026-11-30")
        for category in terms["categories"]:
            answered(f"{at}/categories/{category}")

    def test_printed_codes_are_read(self, answered):
        assert answered(f"/api/v1/rules/{SAO_JOAO}/infractions/II.01")["code"] == "II-01"
        assert answered(f"/api/v1/rules/{RECREATIONAL}/infractions/lll%20–%2001")["code"] == "III-01"

    def test_a_row_that_no_longer_stands_costs_nothing_though_the_law_goes_on(self, answered):
        before, after = (
            answered(f"/api/v1/rules/{SAO_JOAO}/infractions/II-08?on={day}")
            for day in ("2024-12-10", "2024-12-11")
        )

        assert (before["in_force"], bool(before["penalties"]), bool(before["repeat"])) == (True, True, True)
        assert (after["in_force"], after["penalties"], after["repeat"]) == (False, [], None)

    def test_a_bill_says_so(self, answered):
        body = answered(f"/api/v1/rules/{SANTA_RITA}/infractions?on=2019-01-01")

        assert (body["bill"], body["in_force"], len(body["infractions"])) == (True, False, 39)

    @pytest.mark.parametrize(
        ("path", "status", "code"),
        [
            ("/api/v1/rules/nada", 404, "unknown_instrument"),
            (f"/api/v1/rules/{RECREATIONAL}/infractions/IX-1", 404, "unknown_term"),
            (f"/api/v1/rules/{RECREATIONAL}/infractions?on=ontem", 422, "unreadable_date"),
            (f"/api/v1/rules/{RECREATIONAL}/infractions?on=2026-02-29", 422, "unreadable_date"),
            (f"/api/v1/rules/{SANTA_RITA}/infractions/a", 404, "unknown_term"),
            (f"/api/v1/rules/{RECREATIONAL}/deadlines/defence?from=9999-12-31", 422, "unreadable_date"),
            (
                f"/api/v1/rules/{SAO_JOAO}/permits/driver/validity?issued=0001-01-01",
                422,
                "unreadable_date",
            ),
            (f"/api/v1/rules/{RECREATIONAL}/permits/recreational/validity", 422, "parameter_missing"),
            (f"/api/v1/rules/{RECREATIONAL}/vehicles/recreational/age?year=x", 422, "unreadable_year"),
        ],
    )
    def test_what_goes_wrong(self, answered, path, status, code):
        assert answered(path, status)["error"]["code"] == code


class TestTheLookUps:
    def test_a_verdict(self, answered):
        with unit_of_work(writes=True) as session:
            put_list(session)
            put_permit(session, plate="BRA2E19", number="2026/0001", itinerary="centro")

        assert answered("/api/v1/caraguatatuba-sp/verify?q=BRA2E19")["status"] == "authorized"
        assert len(answered("/api/v1/verify?q=BRA2E19")) == 4
        answered("/api/v1/caraguatatuba-sp/verify?q=ABC123", 422)
        answered("/api/v1/nada-xx/verify?q=ABC1D23", 404)

    def test_itineraries_and_stops(self, answered, tmp_path):
        with unit_of_work(writes=True) as session:
            bring_in_orla(session, tmp_path / "orla")

        assert answered("/api/v1/caraguatatuba-sp/itineraries")["itineraries"]
        assert answered("/api/v1/caraguatatuba-sp/stops")["total"] == 3
        assert answered("/api/v1/caraguatatuba-sp/stops?lat=-23.62&lon=-45.41")["stops"][0]["metres"] == 0
        assert answered("/api/v1/caraguatatuba-sp/stops?near=matriz")["matches"]
        answered("/api/v1/caraguatatuba-sp/stops?lat=900&lon=0", 422)

    def test_departures(self, answered, tmp_path):
        with unit_of_work(writes=True) as session:
            bring_in_orla(session, tmp_path / "orla")
        town = "/api/v1/caraguatatuba-sp/departures"

        between = answered(f"{town}?stop=matriz&to=mirante&at=2026-12-01T10:15")
        assert between["departures"][0]["at"] == "2026-12-01T10:30:00-03:00"
        assert between["departures"][0]["arrives_at"] == "2026-12-01T11:00:00-03:00"
        assert len(answered(f"{town}?itinerary=orla&limit=2")["departures"]) == 2
        answered(f"{town}?stop=nada", 404)
        answered(f"{town}?stop=matriz&at=ontem", 422)
