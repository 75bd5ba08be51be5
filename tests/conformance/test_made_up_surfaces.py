"""The town made up as data only, surface by surface: routes, complaint, tracking and desk."""

import json
from datetime import UTC, date, datetime
from html import unescape

import pytest
from click.testing import CliRunner

from portal import clock
from portal.cli import main
from portal.domain.permits import EventKind, HolderKind, Service
from portal.domain.staff import Role
from portal.sealing.keys import new_key_pair
from portal.services.people.staff import add_staff
from portal.services.unit_of_work import unit_of_work
from tests.factories.feeds import bring_in, folder_of
from tests.factories.made_up import LAW, SLUG, only_exemplo
from tests.factories.permits import happened, put_list, put_permit
from tests.portal.web.complaints.test_views import Citizen, key_on, protocol_on

NOW = datetime(2030, 6, 2, 3, 0, tzinfo=UTC)
"""Ten at night of Saturday, 1 June, in the town; 2 June in Brasília."""
TABLES = {
    "pontos.csv": "codigo;nome;latitude;longitude\n"
    "porto;Porto;-9,9700;-67,8100\nmeio;Meio do caminho;-9,9720;-67,8120\nfeira;Feira;-9,9740;-67,8140\n",
    "itinerarios.csv": "codigo;nome;pontos;volta;valido_de;valido_ate\n"
    "volta;Volta de carroça;porto > meio > feira;nao;01/01/2030;31/12/2030\n",
    "partidas.csv": "itinerario;dias;horarios\nvolta;todos;09:00 21:30\n",
}


@pytest.fixture(autouse=True)
def exemplo(monkeypatch, database, environment, tmp_path):
    monkeypatch.setattr(clock, "now", lambda: NOW)
    identity, notice = new_key_pair(), new_key_pair()
    public = {
        "identity": {SLUG: {"id": identity.id, "key": identity.public}},
        "notice": {"id": notice.id, "key": notice.public},
    }
    (environment / "public.json").write_text(json.dumps(public))
    (environment / "identity.json").write_text(
        json.dumps({SLUG: [{"id": identity.id, "key": identity.private}]})
    )
    with only_exemplo():
        with unit_of_work(writes=True) as session:
            for service in (Service.RECREATIONAL, Service.TOURISM):
                put_list(session, SLUG, as_of=date(2030, 6, 1), service=service)
            wagon = {"permit_type": "wagon", "year": None, "issued": date(2030, 4, 10)}
            put_permit(session, SLUG, plate="BRA2E19", number="1", itinerary="volta", **wagon)
            stopped = happened(EventKind.SUSPENSION, date(2030, 5, 1), date(2030, 5, 10))
            put_permit(session, SLUG, plate="BRA3E19", number="2", also=(stopped,), **wagon)
            bring_in(
                session,
                "tables",
                folder_of(tmp_path / "feed", TABLES),
                municipality=SLUG,
                service=Service.RECREATIONAL,
                as_of=date(2030, 6, 1),
                now=NOW,
            )
        yield


def put_carriage(*, stable=True, plate="BRA4E19", also=()):
    with unit_of_work(writes=True) as session:
        told = {"service": Service.TOURISM, "trade_name": "Charretes do Acre", "year": 2030}
        told |= {"holder_kind": HolderKind.COMPANY, "issued": date(2030, 2, 10)}
        put_permit(session, SLUG, permit_type="carriage", number="90", plate=plate, also=also, **told)
        if stable:
            put_permit(session, SLUG, permit_type="stable", number="91", units=(), **told)


def asked(client, query="BRA2E19", **more):
    return client.get(f"/api/v1/{SLUG}/verify", query_string={"q": query, "lang": "pt-BR"} | more).get_json()


class TestVerdictsHereAndNow:
    def test_between_the_ends_nobody_boards(self, client):
        (limit,) = asked(client, stop="meio")["limits"]

        assert (limit["article"], limit["instrument"]) == ("art. 12", LAW)
        assert "Porto" in limit["text"]

    def test_now_is_the_hour_of_its_own_zone(self, client):
        (limit,) = asked(client, at="now")["limits"]

        assert "21:30" in limit["text"]  # it is 22:00 there, and already 00:00 in Brasília

    def test_every_surface_says_so(self, client):
        sentence = asked(client, at="now")["sentence"]
        page = unescape(client.get("/verificar?q=BRA2E19&at=now&lang=pt-BR").text)
        said = CliRunner().invoke(main, ["verify", SLUG, "BRA2E19", "--at", "now"]).output

        assert sentence in page
        assert sentence in said


class TestPapersThatGoTogether:
    @pytest.mark.parametrize("query", ["BRA4E19", "90", "91"])
    def test_both_are_green(self, client, query):
        put_carriage()

        assert asked(client, query)["status"] == "authorized"

    def test_one_is_not_and_its_name_is_said_from_the_folder(self, client):
        put_carriage(stable=False)

        told = asked(client, "BRA4E19")
        english = client.get(f"/{SLUG}/verificar?q=BRA4E19&lang=en").text

        assert told["status"] == "not_yet_valid"
        assert "“Licença da cocheira”" in told["sentence"]
        assert "Stable licence" in english

    def test_a_suspension_that_only_a_release_ends(self, client):
        stopped = happened(EventKind.SUSPENSION, date(2030, 5, 1), date(2030, 5, 10))
        put_carriage(also=(stopped,))

        assert asked(client, "BRA4E19")["status"] == "suspended"

    def test_each_ends_with_its_own_term(self, client):
        put_carriage()

        assert asked(client, "BRA4E19", on="2030-12-31")["status"] == "authorized"
        assert asked(client, "BRA4E19", on="2031-01-01")["status"] == "expired"

    def test_the_rights_page_has_them(self, client):
        page = client.get(f"/{SLUG}/direitos/turismo?lang=es").text

        assert "Carruajes de paseo." in page


class TestItineraries:
    def test_the_list_says_that_it_is_authorised(self, client):
        (listed,) = client.get(f"/api/v1/{SLUG}/itineraries").get_json()["itineraries"]

        assert (listed["code"], listed["status"]) == ("volta", "authorized")
        assert "Volta de carroça" in client.get(f"/{SLUG}/itinerarios").text

    def test_the_page_has_its_boarding_rule_and_ends(self, client):
        page = client.get(f"/{SLUG}/itinerarios/volta?lang=pt-BR").text

        assert "Só se sobe nas pontas." in page
        assert "Porto" in page
        assert "Feira" in page


class TestAComplaint:
    @pytest.fixture
    def citizen(self, client):
        return Citizen(client, f"/{SLUG}/manifestacoes/nova")

    def test_its_kinds_are_asked(self, citizen):
        assert "Veículo lotado além do permitido" in citizen.text

    def test_is_due_thirty_days_from_the_day_it_was_there(self, citizen, client):
        citizen.file()
        key, protocol = key_on(citizen.text), protocol_on(citizen.text)

        assert "01/07/2030" in citizen.text

        page = client.post(
            "/acompanhar", data={"protocol": protocol, "access_key": key}, follow_redirects=True
        ).text
        assert "01/07/2030" in page

    def test_the_desk_reads_it_beside_its_law_and_keeps_its_register(self, citizen, environment, monkeypatch):
        citizen.file()
        protocol = protocol_on(citizen.text)
        desk = sign_in(environment, monkeypatch)

        assert protocol in desk.get("/mesa/").text
        case = unescape(desk.get(f"/mesa/manifestacoes/{protocol}").text)
        assert "art. 13" in case
        assert "01/07/2030" in case

        assert "Autorização suspensa" in desk.get("/mesa/cadastro/?q=BRA3E19").text


def sign_in(environment, monkeypatch):
    from portal.desk import create_app

    monkeypatch.setenv("IDENTITY_PRIVATE_KEYS", str(environment / "identity.json"))
    monkeypatch.setenv("DESK_SECRET_KEY", "only-for-tests-" + "2" * 32)
    monkeypatch.setenv("DESK_SECOND_FACTOR", "")
    password = "cavalo correto bateria"
    with unit_of_work(writes=True) as session:
        add_staff(
            session,
            municipality=SLUG,
            login="ana",
            name="Ana",
            role=Role.OMBUDSMAN,
            password=password,
            now=NOW,
        )
    desk = create_app()
    desk.config.update(TESTING=True, WTF_CSRF_ENABLED=False)
    browser = desk.test_client()
    assert browser.post("/mesa/entrar", data={"login": "ana", "password": password}).status_code == 303
    return browser
