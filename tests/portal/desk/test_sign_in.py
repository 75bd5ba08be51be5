from datetime import timedelta

import pytest

from portal import clock
from portal.services.people.staff import FREE_TRIES
from tests.portal.desk.conftest import NOW, PASSWORD, add


class TestTheDoor:
    def test_every_page_asks_for_sign_in(self, desk):
        open_to_all = {
            *("static", "vendor", "front_door", "health", "sign_in.show_form", "sign_in.sign_in"),
            *("second_factor.ask", "second_factor.check", "second_factor.offer", "second_factor.enrol"),
        }
        browser = desk.test_client()
        for rule in desk.url_map.iter_rules():
            if rule.endpoint in open_to_all:
                continue
            gaps = {**dict.fromkeys(rule.arguments, "7"), "table": "itinerarios"}
            address = desk.url_map.bind("").build(rule.endpoint, gaps)
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
        assert answer.headers["Retry-After"] == "60"
        assert "Espere 1 minuto." in answer.text

    def test_a_stranger_who_tries_on_does_not_keep_the_colleague_out(self, desk, staff):
        hers, theirs = desk.test_client(), desk.test_client()
        hers.post("/mesa/entrar", data={"login": "ana", "password": PASSWORD})
        hers.post("/mesa/sair")
        for _ in range(3 * FREE_TRIES):
            theirs.post("/mesa/entrar", data={"login": "ana", "password": "errada"})
        assert theirs.post("/mesa/entrar", data={"login": "ana", "password": PASSWORD}).status_code == 429

        assert hers.post("/mesa/entrar", data={"login": "ana", "password": PASSWORD}).status_code == 303

    def test_nor_does_one_in_another_network(self, desk, staff):
        for _ in range(3 * FREE_TRIES):
            desk.test_client().post(
                "/mesa/entrar",
                data={"login": "ana", "password": "errada"},
                environ_base={"REMOTE_ADDR": "203.0.113.9"},
            )

        answer = desk.test_client().post(
            "/mesa/entrar",
            data={"login": "ana", "password": PASSWORD},
            environ_base={"REMOTE_ADDR": "198.51.100.7"},
        )

        assert answer.status_code == 303

    def test_a_browser_known_to_one_is_a_stranger_to_another(self, desk, staff):
        add("caio")
        browser = desk.test_client()
        browser.post("/mesa/entrar", data={"login": "caio", "password": PASSWORD})
        browser.post("/mesa/sair")
        for _ in range(FREE_TRIES):
            browser.post("/mesa/entrar", data={"login": "ana", "password": "errada"})

        stranger = desk.test_client().post("/mesa/entrar", data={"login": "ana", "password": PASSWORD})

        assert stranger.status_code == 429


class TestTheSession:
    def test_its_cookie_is_the_desks_own(self, desk, staff):
        answer = desk.test_client().post("/mesa/entrar", data={"login": "ana", "password": PASSWORD})

        (cookie,) = (one for one in answer.headers.getlist("Set-Cookie") if one.startswith("desk_session="))
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


class TestOnesOwnAccount:
    def test_signing_out_everywhere_ends_the_other_browsers_too(self, desk, ana):
        other = desk.test_client()
        other.post("/mesa/entrar", data={"login": "ana", "password": PASSWORD})
        assert "em 2 navegadores" in ana.get("/mesa/conta/").text

        ana.post("/mesa/conta/sair-de-todos")

        assert [one.get("/mesa/").status_code for one in (ana, other)] == [303, 303]

    def test_a_new_password_leaves_this_browser_alone_signed_in(self, desk, ana):
        other = desk.test_client()
        other.post("/mesa/entrar", data={"login": "ana", "password": PASSWORD})

        answer = ana.post("/mesa/conta/senha", data={"present": PASSWORD, "password": "outra senha comprida"})

        assert answer.status_code == 303
        assert [one.get("/mesa/").status_code for one in (ana, other)] == [200, 303]

    @pytest.mark.parametrize(
        ("present", "new"), [("errada", "outra senha comprida"), (PASSWORD, "curta"), ("", "")]
    )
    def test_a_wrong_or_a_short_one_changes_nothing(self, desk, ana, present, new):
        assert ana.post("/mesa/conta/senha", data={"present": present, "password": new}).status_code == 422

        assert (
            desk.test_client().post("/mesa/entrar", data={"login": "ana", "password": PASSWORD}).status_code
            == 303
        )
