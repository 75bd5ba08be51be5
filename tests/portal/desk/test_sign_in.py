from datetime import timedelta

import pytest

from portal import clock
from portal.services.staff import FREE_TRIES
from tests.portal.desk.conftest import NOW, PASSWORD


class TestTheDoor:
    def test_every_page_asks_for_sign_in(self, desk):
        open_to_all = {"static", "vendor", "front_door", "health", "sign_in.show_form", "sign_in.sign_in"}
        browser = desk.test_client()
        for rule in desk.url_map.iter_rules():
            if rule.endpoint in open_to_all:
                continue
            address = desk.url_map.bind("").build(rule.endpoint, dict.fromkeys(rule.arguments, "7"))
            for method in rule.methods & {"GET", "POST"}:
                answer = browser.open(address, method=method)
                assert answer.status_code == 303, rule
                assert answer.location.startswith("/mesa/entrar"), rule

    def test_after_signing_in_one_is_where_one_wanted(self, desk, staff):
        browser = desk.test_client()
        door = browser.get("/mesa/manifestacoes/ABCD-EFGH-JKMN")
        assert browser.get(door.location).status_code == 200

        answer = browser.post(
            "/mesa/entrar",
            data={"login": "ana", "password": PASSWORD, "next": "/mesa/manifestacoes/ABCD-EFGH-JKMN"},
        )

        assert answer.location == "/mesa/manifestacoes/ABCD-EFGH-JKMN"

    @pytest.mark.parametrize(
        "elsewhere",
        [
            "https://example.org/",
            "//example.org/mesa/",
            "/mesa/\\example.org",
            "/",
            "/mesa//x",
            "/mesa/\r\nX: 1",
        ],
    )
    def test_nobody_is_sent_elsewhere(self, desk, staff, elsewhere):
        answer = desk.test_client().post(
            "/mesa/entrar", data={"login": "ana", "password": PASSWORD, "next": elsewhere}
        )

        assert answer.location == "/mesa/"

    @pytest.mark.parametrize(("login", "password"), [("ana", "errada"), ("ninguem", PASSWORD), ("", "")])
    def test_a_wrong_pair_is_one_answer(self, desk, staff, login, password):
        answer = desk.test_client().post("/mesa/entrar", data={"login": login, "password": password})

        assert answer.status_code == 422
        assert "Usuário ou senha não conferem." in answer.text
        assert "errada" not in answer.text

    def test_many_failures_ask_for_a_wait(self, desk, staff):
        browser = desk.test_client()
        for _ in range(FREE_TRIES):
            browser.post("/mesa/entrar", data={"login": "ana", "password": "errada"})

        answer = browser.post("/mesa/entrar", data={"login": "ana", "password": PASSWORD})

        assert answer.status_code == 429
        assert "Espere 1 minuto." in answer.text


class TestTheSession:
    def test_its_cookie_is_the_desks_own(self, desk, staff):
        answer = desk.test_client().post("/mesa/entrar", data={"login": "ana", "password": PASSWORD})

        cookie = answer.headers["Set-Cookie"]
        assert cookie.startswith("desk_session=")
        assert "Path=/mesa/" in cookie
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie

    def test_signing_out_ends_it_even_for_a_copied_cookie(self, desk, ana):
        copied = ana.get_cookie("desk_session", path="/mesa/").value
        ana.post("/mesa/sair")

        thief = desk.test_client()
        thief.set_cookie("desk_session", copied, path="/mesa/")
        assert thief.get("/mesa/").status_code == 303

    def test_it_ends_when_nobody_is_there(self, ana, monkeypatch):
        monkeypatch.setattr(clock, "now", lambda: NOW + timedelta(minutes=61))

        answer = ana.get("/mesa/")

        assert answer.status_code == 303
        assert "por falta de uso" in ana.get(answer.location).text

    def test_an_answer_that_took_longer_comes_back_with_the_door_and_goes_with_no_one(self, ana, monkeypatch):
        monkeypatch.setattr(clock, "now", lambda: NOW + timedelta(minutes=61))

        door = ana.post("/mesa/manifestacoes/ABCD-EFGH-JKMN/resposta", data={"text": "Apuramos o fato."})

        assert door.status_code == 401
        assert "Apuramos o fato." in door.text
        assert 'value="/mesa/manifestacoes/ABCD-EFGH-JKMN"' in door.text
        again = ana.post(
            "/mesa/entrar", data={"login": "ana", "password": "errada", "written": "Apuramos o fato."}
        )
        assert "Apuramos o fato." in again.text

    def test_htmx_says_so_beside_the_answer_and_leaves_it(self, ana, monkeypatch):
        monkeypatch.setattr(clock, "now", lambda: NOW + timedelta(minutes=61))

        said = ana.post(
            "/mesa/manifestacoes/ABCD-EFGH-JKMN/resposta",
            data={"text": "Apuramos", "insert": "yes"},
            headers={"HX-Request": "true"},
        )

        assert said.status_code == 401
        assert said.headers["HX-Retarget"] == "#alert"

    def test_it_goes_on_while_somebody_works(self, ana, monkeypatch):
        for minutes in range(0, 300, 50):
            monkeypatch.setattr(clock, "now", lambda minutes=minutes: NOW + timedelta(minutes=minutes))
            assert ana.get("/mesa/").status_code == 200

    def test_nothing_is_cached(self, ana):
        assert ana.get("/mesa/").headers["Cache-Control"] == "no-store"

    def test_a_form_without_its_token_is_refused(self, desk, ana):
        desk.config["WTF_CSRF_ENABLED"] = True

        assert ana.post("/mesa/manifestacoes/x/resposta", data={"text": "Oi"}).status_code == 400
