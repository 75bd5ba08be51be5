"""BR-11: a code that anyone can print proves nothing by itself; what the page does about it."""

from datetime import UTC, date, datetime

import pytest

from portal import clock
from portal.domain.permits import EventKind, HolderKind, Service
from portal.sealing.folder import rotate_card_key
from portal.services.cards.making import revoke_card
from portal.services.register.permits import keeper_at
from portal.services.unit_of_work import unit_of_work
from tests.factories.cards import TOWN, card_keys_in, put_card, token_of
from tests.factories.permits import happened, put_list, put_permit, unit

NOW = datetime(2026, 11, 30, 15, 0, tzinfo=UTC)
HILLS = "chapada-dos-guimaraes-mt"


@pytest.fixture(autouse=True)
def _now(monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: NOW)


@pytest.fixture
def train(client):
    """A tractor and a trailer, in good standing."""
    with unit_of_work(writes=True) as session:
        put_list(session)
        units = (unit("BRA1A11", 1, "tractor", capacity=None), unit("BRA2B22", 2, "trailer", capacity=40))
        put_permit(session, number="2026/0001", units=units, trade_name="Trenzinho da Orla", itinerary="orla")


@pytest.fixture
def car(client):
    """A car whose driver holds the permit."""
    with unit_of_work(writes=True) as session:
        put_list(session, HILLS, service=Service.RIDE_HAILING)
        put_permit(
            session, HILLS, number="2026/0007", plate="BRA7C07", service=Service.RIDE_HAILING,
            permit_type="driver", holder_kind=HolderKind.NATURAL_PERSON, year=2026,
            events=(happened(EventKind.PAYMENT, date(2026, 2, 1)), happened(EventKind.ISSUE, date(2026, 2, 2))),
        )  # fmt: skip


@pytest.fixture
def keys_file(environment):
    return card_keys_in(environment, TOWN, HILLS)


@pytest.fixture
def token(train, keys_file):
    return token_of(put_card("2026/0001", now=NOW), keys_file)


@pytest.fixture
def personal(car, keys_file):
    return token_of(put_card("2026/0007", now=NOW, town=HILLS), keys_file, HILLS)


class TestAGenuineCard:
    def test_opens_the_verdict_and_asks_to_compare(self, client, token):
        answer = client.get(f"/v/{token}")

        assert answer.status_code == 200
        assert "Autorizado" in answer.text
        assert "É esta a placa" in answer.text
        assert "BRA1A11" in answer.text
        assert "BRA2B22" in answer.text
        assert "Não é esta a placa" in answer.text

    def test_in_capitals_as_a_code_carries_it_and_as_a_fragment(self, client, token):
        assert client.get(f"/V/{token}").status_code == 200
        part = client.get(f"/v/{token.lower()}", headers={"HX-Request": "true"})
        assert "<html" not in part.text
        assert "Autorizado" in part.text

    def test_is_kept_by_no_cache_and_named_in_no_log(self, client, token, capsys):
        answer = client.get(f"/v/{token}")

        assert answer.headers["Cache-Control"] == "private, no-cache"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert "noindex" in answer.text
        assert token not in "".join(capsys.readouterr())

    def test_is_found_by_its_text_in_the_one_box(self, client, token):
        for text in (token, f"http://127.0.0.1:8000/v/{token}", f"HTTP://127.0.0.1:8000/V/{token}"):
            for box in ("/verificar", f"/{TOWN}/verificar"):
                answer = client.get(box, query_string={"q": text})
                assert answer.status_code == 303
                assert answer.headers["Location"] == f"/v/{token}"

    def test_of_a_person_says_no_more_than_the_verdict(self, client, personal):
        answer = client.get(f"/v/{personal}")

        assert "a autorização é da pessoa" in answer.text.lower()
        assert "BRA7C07" in answer.text


class TestAForgedCard:
    """A look-alike domain's code, signed with a key of its own, and other tries."""

    def test_of_another_key_is_not_recognised_and_tells_nothing(self, client, token, keys_file, tmp_path):
        other = card_keys_in(tmp_path / "other") if (tmp_path / "other").mkdir() is None else None
        forged = token_of(put_card("2026/0001", now=NOW), other)

        answer = client.get(f"/v/{forged}")

        assert answer.status_code == 404
        assert "Código não reconhecido" in answer.text
        for told in ("BRA1A11", "BRA2B22", "2026/0001", "Trenzinho da Orla", "Autorizado"):
            assert told not in answer.text

    def test_changed_by_one_letter_is_not_recognised(self, client, token):
        for at in (0, 5, 20, 60, len(token) - 1):
            other = "A" if token[at] != "A" else "B"
            assert client.get(f"/v/{token[:at]}{other}{token[at + 1 :]}").status_code == 404

    def test_of_another_town_than_the_one_it_names_is_not_recognised(self, client, token, keys_file):
        assert (
            client.get("/v/" + token_of(put_card("2026/0001", now=NOW), keys_file, HILLS)).status_code == 404
        )

    def test_that_leads_to_another_address_is_said_to(self, client, token):
        answer = client.get("/verificar", query_string={"q": f"https://embarque-legal.example/v/{token}"})

        assert answer.status_code == 422
        assert "embarque-legal.example" in answer.text
        assert "BRA1A11" not in answer.text

    def test_cut_short_is_not_recognised(self, client, token):
        answer = client.get("/verificar", query_string={"q": f"http://127.0.0.1:8000/v/{token[:90]}"})

        assert answer.status_code == 404
        assert "Código não reconhecido" in answer.text


class TestAMovedCard:
    def test_leads_to_the_ombudsman_with_what_is_known(self, client, token):
        answer = client.get(f"/v/{token}?placa=outra")

        assert "O adesivo parece trocado" in answer.text
        assert "outro veículo" in answer.text
        assert "BRA1A11" in answer.text
        assert f'action="/{TOWN}/manifestacoes/iniciar"' in answer.text
        assert "a placa à minha frente é outra" in answer.text
        assert "Autorizado" not in answer.text

    def test_is_noticed_by_the_plate_that_somebody_types(self, client, token):
        answer = client.get(f"/v/{token}", query_string={"placa": "bra 9z99"})

        assert "O adesivo parece trocado" in answer.text
        assert f"/{TOWN}/verificar?q=BRA9Z99" in answer.text

    @pytest.mark.parametrize("typed", ["BRA1A11", "bra-1011", "BRA2B22"])
    def test_is_not_what_a_matching_plate_says(self, client, token, typed):
        answer = client.get(f"/v/{token}", query_string={"placa": typed})

        assert "é a deste cartão" in answer.text
        assert "Autorizado" in answer.text

    def test_what_is_no_plate_is_asked_again(self, client, token):
        answer = client.get(f"/v/{token}", query_string={"placa": "azul"})

        assert answer.status_code == 422
        assert "não é uma placa" in answer.text


class TestAStaleCard:
    def test_that_was_replaced_is_not_green_and_the_new_one_is(self, client, train, token, keys_file):
        new = token_of(put_card("2026/0001", now=NOW), keys_file)

        old = client.get(f"/v/{token}").text
        assert "Cartão trocado por outro" in old
        assert "verdict--authorized" not in old
        assert "verdict--authorized" in client.get(f"/v/{new}").text

    def test_that_was_revoked_is_said_to_be(self, client, train, keys_file):
        card = put_card("2026/0001", now=NOW)
        with unit_of_work(writes=True) as session:
            revoke_card(session, keeper_at(TOWN), card.permit_id, card.id, now=NOW)

        assert "Cartão cancelado" in client.get(f"/v/{token_of(card, keys_file)}").text

    def test_of_a_permit_that_ended_leads_to_the_one_in_force(self, client, token, monkeypatch):
        later = datetime(2027, 2, 1, 15, tzinfo=UTC)
        with unit_of_work(writes=True) as session:
            put_permit(session, number="2027/0001", plate="BRA1A11", year=2027, issued=date(2026, 12, 20))
        monkeypatch.setattr(clock, "now", lambda: later)

        answer = client.get(f"/v/{token}")

        assert "Cartão antigo" in answer.text
        assert "verdict--authorized" not in answer.text

    def test_of_a_permit_that_ended_without_another_says_so(self, client, token, monkeypatch):
        monkeypatch.setattr(clock, "now", lambda: datetime(2027, 2, 1, 15, tzinfo=UTC))

        answer = client.get(f"/v/{token}")

        assert "verdict--expired" in answer.text

    def test_of_a_person_never_tells_a_sanction(self, client, car, keys_file, monkeypatch):
        token = token_of(put_card("2026/0007", now=NOW, town=HILLS), keys_file, HILLS)
        monkeypatch.setattr(clock, "now", lambda: datetime(2027, 2, 1, 15, tzinfo=UTC))

        answer = client.get(f"/v/{token}")

        assert "Sem autorização em vigor" in answer.text
        assert "2026/0007" not in answer.text


class TestRotatingKeys:
    def test_breaks_no_printed_card(self, client, environment, token, keys_file):
        card_keys_in(environment, TOWN)
        new = token_of(put_card("2026/0001", now=NOW), keys_file)

        assert "Cartão trocado" in client.get(f"/v/{token}").text  # known, though another one took its place
        assert client.get(f"/v/{new}").status_code == 200

    def test_disowns_them_when_the_key_was_stolen(self, client, environment, token, keys_file):
        (environment / "public_keys.json").write_text((environment / "public.json").read_text())
        rotate_card_key(environment, TOWN, disown=True)
        (environment / "public.json").write_text((environment / "public_keys.json").read_text())

        assert client.get(f"/v/{token}").status_code == 404


class TestWhoeverTriesCodesOut:
    def test_is_asked_to_wait(self, client, app, token):
        app.config["SETTINGS"] = app.config["SETTINGS"].model_copy(update={"cards_per_minute": 3})
        answers = [
            client.get(f"/v/{token}", environ_base={"REMOTE_ADDR": "203.0.113.9"}).status_code
            for _ in range(5)
        ]

        assert answers == [200, 200, 200, 429, 429]
