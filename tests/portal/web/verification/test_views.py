import json
from collections.abc import Iterator
from datetime import UTC, date, datetime
from urllib.parse import quote

import pytest
from sqlalchemy.orm import Session

from portal import clock
from portal.domain.permits import EventKind, Status
from portal.i18n import translator
from portal.services.unit_of_work import unit_of_work
from portal.wording.verdicts import state_word
from tests.factories.feeds import bring_in_orla
from tests.factories.permits import happened, put_list, put_permit, unit

FRAGMENT = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def today(monkeypatch):
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 11, 30, 15, tzinfo=UTC))


@pytest.fixture
def register(database) -> Iterator[Session]:
    with unit_of_work(writes=True) as session:
        put_list(session)
        put_permit(session, plate="BRA2E19", number="2026/0001", itinerary="centro")
        put_permit(
            session,
            number="2026/0002",
            units=(unit("BRA3E19", 1, "tractor"), unit("BRA4E19", 2, "trailer")),
            also=(happened(EventKind.INSPECTION_FAILED, date(2026, 11, 3), unit=2),),
        )
        yield session


@pytest.fixture
def page(register, client):
    register.commit()

    def get(path, **headers):
        answer = client.get(path, headers=headers)
        return answer.status_code, answer.get_data(as_text=True)

    return get


class TestThePage:
    def test_the_word_the_plate_and_the_question_are_there(self, page):
        status, text = page("/caraguatatuba-sp/verificar?q=bra2e19")

        assert status == 200
        assert "Autorizado" in text
        assert "verdict--authorized" in text
        assert "É esta a placa à sua frente?" in text
        assert "31/12/2026" in text
        assert "28/11/2026" in text
        assert 'href="/caraguatatuba-sp/itinerarios/centro"' in text
        assert "art. 8º" in text
        assert "12:00" in text

    def test_the_fragment_is_the_answer_alone(self, page):
        status, text = page("/caraguatatuba-sp/verificar?q=bra2e19", **FRAGMENT)

        assert status == 200
        assert "verdict--authorized" in text
        assert "<html" not in text

    def test_the_worst_vehicle_stands_on_top(self, page):
        _, text = page("/caraguatatuba-sp/verificar?q=BRA3E19")

        assert "verdict--barred" in text
        assert "BRA4E19" in text

    def test_a_complaint_starts_by_post_with_the_vehicle(self, page):
        _, text = page("/caraguatatuba-sp/verificar?q=BRA9A99")

        assert 'action="/caraguatatuba-sp/manifestacoes/iniciar" method="post"' in text
        assert 'name="vehicle" value="BRA9A99"' in text

    def test_nobody_is_accused(self, page):
        for path in ("/caraguatatuba-sp/verificar?q=BRA9A99", "/verificar?q=BRA9A99"):
            _, text = page(path)
            for word in ("clandestin", "pirata", "irregular"):
                assert word not in text.lower()

    def test_every_town_answers_when_none_was_chosen(self, page):
        status, text = page("/verificar?q=BRA2E19")

        assert status == 200
        assert "verdict--authorized" in text
        assert "Santa Rita" in text

    def test_nobody_knows_it(self, page):
        status, text = page("/verificar?q=BRA9A99")

        assert status == 200
        assert "Não encontrado" in text

    @pytest.mark.parametrize(
        "query", ["ABC123", "%00", "", "sem%20placa", "AB123CD", "%ED%A0%80", "x" * 3000]
    )
    @pytest.mark.parametrize("path", ["/verificar", "/caraguatatuba-sp/verificar"])
    def test_what_cannot_be_read_is_a_422_in_words(self, page, path, query):
        for headers in ({}, FRAGMENT):
            status, text = page(f"{path}?q={query}", **headers)

            assert status == 422
            assert 'name="q"' in text
            assert "Não encontra" not in text

    @pytest.mark.parametrize(
        "typed",
        ["bra2e19", "BRA-2E19", " bra 2e19 ", "BRA.2E19", "bra–2e19", "BRA\u00a02E19", "‘BRA2E19’",
         "ＢＲＡ２Ｅ１９", "ВRА2Е19", "BRA2E19\u200b", "BRA2E19\x00"],
    )  # fmt: skip
    def test_every_spelling_has_one_answer(self, page, typed):
        for path in ("/verificar", "/caraguatatuba-sp/verificar"):
            status, text = page(f"{path}?q={quote(typed)}")

            assert status == 200
            assert "verdict--authorized" in text
        _, text = page(f"/api/v1/caraguatatuba-sp/verify?q={quote(typed)}")
        assert json.loads(text)["units"][0]["plate"] == "BRA2E19"

    def test_a_cut_plate_keeps_what_was_typed(self, page):
        _, text = page("/caraguatatuba-sp/verificar?q=abc123")

        assert "a placa tem 7 caracteres" in text
        assert 'value="abc123"' in text

    def test_a_bad_day_keeps_the_plate(self, page):
        for day in ("amanha", "2020-01-01", "2026-02-30"):
            status, text = page(f"/caraguatatuba-sp/verificar?q=BRA2E19&on={day}")

            assert status == 422
            assert 'value="BRA2E19"' in text

    def test_markup_in_a_query_is_text(self, page):
        _, text = page("/caraguatatuba-sp/verificar?q=<script>alert(1)</script>")

        assert "<script>alert" not in text

    def test_the_form_alone_asks_nothing(self, page):
        assert page("/caraguatatuba-sp/verificar")[0] == 200
        assert page("/verificar")[0] == 200

    def test_an_unknown_town_is_a_404(self, page):
        assert page("/atlantida-xx/verificar?q=BRA2E19")[0] == 404


class TestOneBoxForEverything:
    def test_the_name_of_a_stop_leads_to_the_stop(self, page, database, tmp_path):
        with unit_of_work(writes=True) as session:
            bring_in_orla(session, tmp_path)

        status, text = page("/caraguatatuba-sp/verificar?q=praca")

        assert status == 200
        assert "/caraguatatuba-sp/pontos/" in text


class TestTheJson:
    def test_its_shape(self, page):
        status, text = page("/api/v1/caraguatatuba-sp/verify?q=bra2e19&on=2026-11-30")
        body = json.loads(text)

        assert status == 200
        assert list(body) == [
            "query",
            "municipality",
            "on",
            "computed_at",
            "status",
            "sentence",
            "units",
            "permits",
            "lists",
            "elsewhere",
            "limits",
        ]
        assert body["query"] == "BRA2E19"
        assert body["computed_at"] == "2026-11-30T12:00:00-03:00"
        assert body["units"] == [{"plate": "BRA2E19", "role": "vehicle", "status": "authorized"}]
        (permit,) = body["permits"]
        assert set(permit) == {
            "number",
            "service",
            "status",
            "valid_from",
            "valid_until",
            "capacity",
            "max_speed_kmh",
            "itinerary",
            "reasons",
        }
        assert set(permit["reasons"][0]) == {"text", "article", "instrument"}
        assert body["lists"] == [{"source": "Cadastro municipal", "as_of": "2026-11-28"}]

    def test_the_sentence_is_the_pages_own(self, page):
        sentence = json.loads(page("/api/v1/caraguatatuba-sp/verify?q=BRA2E19")[1])["sentence"]

        assert sentence in page("/caraguatatuba-sp/verificar?q=BRA2E19")[1]

    def test_every_town_is_a_list(self, page):
        body = json.loads(page("/api/v1/verify?q=BRA2E19")[1])

        assert body[0]["status"] == "authorized"
        assert len(body) == 4

    @pytest.mark.parametrize(
        ("path", "status", "code"),
        [
            ("/api/v1/caraguatatuba-sp/verify?q=ABC123", 422, "unreadable_query"),
            ("/api/v1/caraguatatuba-sp/verify", 422, "unreadable_query"),
            ("/api/v1/caraguatatuba-sp/verify?q=BRA2E19&on=ontem", 422, "unreadable_date"),
            ("/api/v1/caraguatatuba-sp/verify?q=BRA2E19&on=2020-01-01", 422, "date_out_of_reach"),
            ("/api/v1/atlantida-xx/verify?q=BRA2E19", 404, "unknown_municipality"),
            ("/api/v1/nada/verify?q=BRA2E19", 404, "unknown_municipality"),
            ("/api/v1/verify?q=%00", 422, "unreadable_query"),
        ],
    )
    def test_errors_have_one_shape(self, page, path, status, code):
        got, text = page(path)
        body = json.loads(text)

        assert got == status
        assert body["error"]["code"] == code
        assert body["error"]["message"]


class TestStateWords:
    def test_every_status_has_a_word_of_its_own(self):
        said = {state_word(status, translator("pt_BR")) for status in Status}

        assert len(said) == len(Status)
