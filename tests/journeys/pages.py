"""The pages a journey walks through, by what a person does there."""

import re
from dataclasses import dataclass
from pathlib import Path

import pyotp
from playwright.sync_api import Locator, Page

from portal import clock


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


@dataclass(frozen=True)
class HomePage:
    page: Page
    address: str

    def look_up(self, query: str) -> "VerdictPage":
        self.page.goto(self.address)
        self.page.locator("main input[name=q]").fill(query)
        button(self.page, "Consultar").first.click()
        return VerdictPage(self.page)


@dataclass(frozen=True)
class VerdictPage:
    page: Page

    @property
    def card(self) -> Locator:
        """The answer that stands on top."""
        return self.page.locator("article.verdict").first

    def see_itinerary(self) -> "ItineraryPage":
        self.card.get_by_role("link", name="Ver roteiro e horários").click()
        return ItineraryPage(self.page)

    def tell_the_ombudsman(self) -> "ComplaintPage":
        self.card.get_by_role("button", name="Algo errado? Avise a ouvidoria").click()
        return ComplaintPage(self.page)


@dataclass(frozen=True)
class ItineraryPage:
    page: Page

    def see_stop(self, name: str) -> "StopPage":
        self.page.locator("#board ~ ul").get_by_role("link", name=name).click()
        return StopPage(self.page)


@dataclass(frozen=True)
class StopPage:
    page: Page

    @property
    def departures(self) -> Locator:
        return self.page.locator("table tbody tr")


@dataclass(frozen=True)
class ComplaintPage:
    page: Page

    def choose(self, label: str) -> "ComplaintPage":
        self.page.locator("button.choice", has_text=label).first.click()
        return self

    def tell(self, story: str) -> "ComplaintPage":
        """Add words on the last page, and come back to it."""
        self.page.get_by_role("link", name="Contar o que houve").click()
        self.page.get_by_label("O seu relato").fill(story)
        button(self.page, "Continuar").click()
        return self

    def send_anonymously(self) -> "ReceiptPage":
        button(self.page, "Enviar à ouvidoria").click()
        return ReceiptPage(self.page)


@dataclass(frozen=True)
class ReceiptPage:
    page: Page

    @property
    def protocol(self) -> str:
        return self.page.locator(".receipt__code").inner_text()

    @property
    def access_key(self) -> str:
        return " ".join(self.page.locator(".key-words li").all_inner_texts())


@dataclass(frozen=True)
class TrackingPage:
    page: Page
    address: str

    def open(self, protocol: str, access_key: str) -> "TrackingPage":
        self.page.goto(f"{self.address}/acompanhar")
        self.page.get_by_label("Protocolo").fill(protocol)
        self.page.get_by_label("Chave de acesso").fill(access_key)
        button(self.page, "Acompanhar").click()
        return self

    def look(self) -> "TrackingPage":
        """Again in the same browser, which has it open."""
        self.page.goto(f"{self.address}/acompanhar")
        return self

    def write(self, text: str) -> "TrackingPage":
        self.page.get_by_label("Mensagem").fill(text)
        button(self.page, "Enviar mensagem").click()
        return self

    def ask_for_a_review(self, text: str) -> "TrackingPage":
        self.page.locator("summary", has_text="Pedir revisão").click()
        self.page.get_by_label("O que faltou na resposta").fill(text)
        button(self.page, "Pedir revisão").click()
        return self

    def rate(self, word: str) -> "TrackingPage":
        button(self.page, word).click()
        return self


@dataclass(frozen=True)
class DeskPage:
    page: Page
    address: str

    def sign_in(self, login: str, password: str) -> "DeskPage":
        self.page.goto(f"{self.address}/mesa/")
        self.page.get_by_label("Usuário").fill(login)
        self.page.get_by_label("Senha").fill(password)
        button(self.page, "Entrar").click()
        if "/entrar/autenticador" in self.page.url:  # the first time, where the role asks for one
            secret = self.page.locator(".code").inner_text().replace(" ", "")
            self.page.get_by_label("Código", exact=True).fill(pyotp.TOTP(secret).at(clock.now()))
            button(self.page, "Cadastrar e entrar").click()
            self.page.get_by_role("link", name="Guardei os códigos").click()
        return self

    def open_case(self, protocol: str) -> "DeskPage":
        self.page.goto(f"{self.address}/mesa/")
        link = self.page.get_by_role("link", name=re.compile(re.escape(protocol)))
        # What was filed today is due last: it may stand on a later page of the list.
        while not link.count():
            self.page.get_by_role("link", name="Próxima").click()
        link.first.click()
        return self

    def answer(self, text: str) -> "DeskPage":
        self.page.get_by_label("Resposta", exact=True).fill(text)
        button(self.page, "Enviar a resposta").click()
        return self

    def ask(self, text: str) -> "DeskPage":
        self.page.locator("summary", has_text="Perguntar à pessoa").click()
        self.page.get_by_label("Pergunta").fill(text)
        button(self.page, "Enviar a pergunta").click()
        return self

    def go_to(self, part: str) -> None:
        """Follow the menu, which a phone folds."""
        places = self.page.get_by_role("navigation", name="Partes da mesa")
        if not places.is_visible():
            self.page.locator(".desk-bar__menu summary").click()
        places.get_by_role("link", name=part, exact=True).click()

    def open_register(self) -> "RegisterPage":
        self.go_to("Cadastro")
        return RegisterPage(self.page)

    def open_timetable(self, table: str) -> "TablePage":
        self.go_to("Itinerários")
        self.page.get_by_role("navigation", name="Tabelas").get_by_role("link", name=table).click()
        return TablePage(self.page)


@dataclass(frozen=True)
class TablePage:
    """One of the clerk's tables: stops, itineraries, departures."""

    page: Page

    def create(self, what: str, **cells: str) -> "TablePage":
        self.page.get_by_role("link", name=what).click()
        return self.fill(**cells)

    def fill(self, **cells: str) -> "TablePage":
        for name, value in cells.items():
            box = self.page.locator(f"#{name}")
            if box.evaluate("box => box.tagName") == "SELECT":
                box.select_option(value)
            else:
                box.fill(value)
        button(self.page, "Gravar").click()
        return self

    def end(self, day: str) -> "TablePage":
        self.page.get_by_label("Último dia").fill(day)
        button(self.page, "Encerrar a vigência").click()
        return self


@dataclass(frozen=True)
class RegisterPage:
    page: Page

    def open_permit(self, query: str, number: str) -> "PermitPage":
        self.page.get_by_label("Placa ou número da autorização").fill(query)
        button(self.page, "Procurar").click()
        self.page.get_by_role("link", name=number, exact=True).click()
        return PermitPage(self.page)

    def type_permit(self, number: str, plate: str, issued: str) -> "PermitPage":
        self.page.get_by_role("link", name="Nova autorização").click()
        self.page.get_by_label("Número da autorização").fill(number)
        self.page.locator("#emissao").fill(issued)
        self.page.locator("#placa-1").fill(plate)
        button(self.page, "Pôr no cadastro").click()
        return PermitPage(self.page)

    def bring(self, file: Path) -> "ReportPage":
        self.page.get_by_role("navigation", name="Cadastro", exact=True).get_by_role(
            "link", name="Arquivos"
        ).click()
        self.page.get_by_label("Planilha").set_input_files(file)
        button(self.page, "Conferir o arquivo").click()
        return ReportPage(self.page)


@dataclass(frozen=True)
class PermitPage:
    page: Page

    @property
    def state(self) -> Locator:
        return self.page.locator("header.case-head .tag")

    def record(self, what: str, day: str, act: str = "") -> "PermitPage":
        self.page.get_by_label("O que foi").select_option(label=what)
        self.page.locator("#act-on").fill(day)
        self.page.locator("#act-act_number").fill(act)
        button(self.page, "Registrar").click()
        return self

    def change_vehicle(self, leaves: str, plate: str, day: str) -> "PermitPage":
        self.page.get_by_text("Trocar veículo").click()
        self.page.locator("#vehicle-unit").select_option(label=leaves)
        self.page.locator("#vehicle-plate").fill(plate)
        self.page.locator("#vehicle-on").fill(day)
        button(self.page, "Trocar").click()
        return self


@dataclass(frozen=True)
class ReportPage:
    page: Page

    def publish(self, *, leaving_refused_out: bool = False) -> "ReportPage":
        if leaving_refused_out:
            self.page.get_by_label("Deixar como estão").check()
        button(self.page, "Publicar").click()
        return self

    def undo(self) -> "ReportPage":
        self.page.get_by_text("Desfazer esta publicação").click()
        button(self.page, "Desfazer").click()
        return self
