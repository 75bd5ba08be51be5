"""From the first key to the desk's answer with no finger and no mouse."""

import re
from pathlib import Path

import pyotp
import pytest
from playwright.sync_api import Page, expect
from sqlalchemy import Engine

from portal import clock
from portal.demo import load_demonstration

pytestmark = pytest.mark.browser

MOST = 120
"""Stops of the Tab key that nobody should need on one page."""


@pytest.fixture
def demonstration(keys: Path, database: Engine) -> None:
    load_demonstration(now=clock.now())


class Keyboard:
    """Walks by Tab to what has a name, and sees to it that one sees where one is."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def reach(self, name: str) -> "Keyboard":
        for _press in range(MOST):
            self.page.keyboard.press("Tab")
            said, shown = self.page.evaluate(
                """() => {
                  const here = document.activeElement
                  const marked = [here, here.closest("label"), here.closest(".door")].filter(Boolean)
                  const shown = marked.map(one => getComputedStyle(one)).some(one => one.outlineStyle != "none")
                  const label = here.labels && here.labels[0] && here.labels[0].innerText
                  const named = here.getAttribute("aria-label") || label || here.innerText
                  return [named.trim(), shown]
                }"""
            )
            if re.match(name, said):
                assert shown, f"nothing shows that {said} has the focus"
                return self
        raise AssertionError(f"no Tab leads to {name}")

    def press(self, name: str) -> "Keyboard":
        self.reach(name)
        self.page.keyboard.press("Enter")
        return self

    def type(self, name: str, text: str) -> "Keyboard":
        self.reach(name)
        self.page.keyboard.type(text)
        return self

    def stands(self, title: str) -> "Keyboard":
        expect(self.page.get_by_role("heading", name=title).first).to_be_visible()
        return self


def test_from_a_plate_to_the_answer(demonstration: None, page: Page, live_portal: str, live_desk: str):
    keys = Keyboard(page)
    page.goto(live_portal)
    keys.press("Ir para o conteúdo").type("Placa ou número", "ZZA1A11")
    page.keyboard.press("Enter")
    keys.stands("Autorizado").press("Algo errado")
    keys.stands("O que aconteceu").press("Veículo lotado")
    keys.stands("Onde foi").press("Praia Martim de Sá")
    keys.stands("Quando foi").press("Agora")
    keys.stands("Confira e envie").press("Enviar à ouvidoria")
    protocol = page.locator(".receipt__code").inner_text()
    access_key = " ".join(page.locator(".key-words li").all_inner_texts())
    keys.press("Já guardei")
    expect(page.locator(".key-words")).to_have_count(0)

    page.goto(f"{live_portal}/acompanhar")
    keys.type("Protocolo", protocol).type("Chave de acesso", access_key)
    page.keyboard.press("Enter")
    keys.stands("Andamento").type("Mensagem", "Era o segundo vagão.").press("Enviar mensagem")
    expect(page.locator(".timeline").get_by_text("Era o segundo vagão.")).to_be_visible()

    page.goto(f"{live_desk}/mesa/")
    keys.type("Usuário", "ouvidoria").type("Senha", "demonstracao")
    page.keyboard.press("Enter")
    keys.stands("Cadastrar o autenticador")
    secret = page.locator(".code").inner_text().replace(" ", "")
    keys.type("Código", pyotp.TOTP(secret).at(clock.now())).press("Cadastrar e entrar")
    keys.stands("Códigos de recuperação").press("Guardei os códigos").stands("Manifestações")
    page.keyboard.press("/")
    page.keyboard.type(protocol)
    page.keyboard.press("Enter")
    expect(page.locator("[data-found]")).to_have_text("1 manifestação")
    page.keyboard.press("Escape")  # out of the box, so that letters are shortcuts again
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator(".case-head")).to_contain_text(protocol)
    keys.type("Resposta", "A equipe foi ao ponto e orientou a empresa.").press("Enviar a resposta")
    expect(page.get_by_text("A resposta foi registrada")).to_be_visible()


def test_to_a_stop(demonstration: None, page: Page, live_portal: str):
    keys = Keyboard(page)
    page.goto(f"{live_portal}/caraguatatuba-sp/")
    keys.press("Itinerários e pontos perto de você").stands("Itinerários e pontos")
    keys.type("Onde você está", "martim")
    page.keyboard.press("Enter")
    keys.stands("Encontrado").press("Praia Martim de Sá")
    keys.stands("Próximas saídas")
