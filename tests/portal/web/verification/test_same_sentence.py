"""Every status of the design, on page, fragment, JSON and command line, with one sentence."""

import json
from datetime import UTC, date, datetime
from html import unescape

import pytest
from click.testing import CliRunner

from portal import clock
from portal.cli import main
from portal.domain.permits import EventKind, HolderKind, Service, Status
from portal.services.unit_of_work import unit_of_work
from tests.factories.permits import happened, put_list, put_permit

TOWN = "caraguatatuba-sp"
BILL_ONLY = "santa-rita-pb"
SIXTY_DAYS = "chapada-dos-guimaraes-mt"
ON = date(2026, 11, 30)


def act(kind, on=date(2026, 11, 10), until=None):
    return {"plate": "BRA2E19", "also": (happened(kind, on, until),)}


CASES = {
    Status.AUTHORIZED: (TOWN, {"plate": "BRA2E19"}),
    Status.RENEWAL_PENDING: (
        TOWN,
        {
            "plate": "BRA2E19",
            "paper_valid_until": date(2026, 11, 20),
            "also": (happened(EventKind.RENEWAL_REQUEST, date(2026, 11, 3)),),
        },
    ),
    Status.NOT_YET_VALID: (TOWN, {"plate": "BRA2E19", "year": 2027, "issued": date(2026, 11, 20)}),
    Status.EXPIRED: (TOWN, {"plate": "BRA2E19", "year": 2025, "issued": date(2024, 12, 1)}),
    Status.BARRED: (TOWN, act(EventKind.INSPECTION_FAILED)),
    Status.SUSPENDED: (TOWN, act(EventKind.SUSPENSION, until=date(2026, 11, 20))),
    Status.CANCELLED: (TOWN, act(EventKind.CANCELLATION)),
    Status.REVOKED: (TOWN, act(EventKind.REVOCATION)),
    Status.NOT_IN_FORCE: (
        SIXTY_DAYS,
        {
            "plate": "BRA2E19",
            "service": Service.RIDE_HAILING,
            "permit_type": "driver",
            "holder_kind": HolderKind.NATURAL_PERSON,
            "year": None,
            "issued": date(2025, 3, 2),
        },
    ),
    Status.NOT_FOUND: (TOWN, None),
    Status.UNKNOWN: (SIXTY_DAYS, None),
    Status.NOT_REGULATED: (BILL_ONLY, None),
}


@pytest.mark.parametrize("status", list(Status))
def test_one_sentence_on_every_surface(status, database, client, monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 11, 30, 15, tzinfo=UTC))
    town, told = CASES[status]
    with unit_of_work(writes=True) as session:
        put_list(session, town)
        if status is Status.UNKNOWN:
            put_list(
                session,
                town,
                kind="platform",
                source="Aplicativo Exemplo",
                service=Service.RIDE_HAILING,
                as_of=date(2026, 9, 1),
            )
        if told:
            put_permit(session, town, **told)

    body = client.get(f"/api/v1/{town}/verify?q=BRA2E19").get_json()
    page = client.get(f"/{town}/verificar?q=BRA2E19&lang=pt-BR").get_data(as_text=True)
    fragment = client.get(f"/{town}/verificar?q=BRA2E19&lang=pt-BR", headers={"HX-Request": "true"}).get_data(
        as_text=True
    )
    said = CliRunner().invoke(main, ["verify", town, "BRA2E19"]).output
    as_json = json.loads(CliRunner().invoke(main, ["verify", town, "BRA2E19", "--json"]).output)

    assert body["status"] == status
    assert as_json == body
    for surface in (page, fragment):
        assert f"verdict--{status}" in surface
        assert body["sentence"] in unescape(surface)
    assert body["sentence"] in said


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_language_asked_for_is_spoken_by_the_json_too(language, database, client, monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 11, 30, 15, tzinfo=UTC))
    with unit_of_work(writes=True) as session:
        put_permit(session, plate="BRA2E19")

    answer = client.get(f"/api/v1/{TOWN}/verify?q=BRA2E19&lang={language}")

    assert answer.headers["Content-Language"] == language
    assert answer.get_json()["status"] == "authorized"
