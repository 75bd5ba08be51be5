"""Every page that a person can come to, with the demonstration loaded: a walk, for whoever wants to look at them all.

``for sight in public_sights(page, portal): …`` stops at each, with ``page`` standing there.
"""

from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO

from PIL import Image
from playwright.sync_api import FilePayload, Locator, Page

from portal.services.demonstration import Case, Subject

Sights = Iterator[str]

TOWN = "/caraguatatuba-sp"
PUBLIC = [
    "/",
    "/itinerarios",
    "/ouvidoria",
    "/denunciar",
    "/demonstracao",
    "/acompanhar",
    "/sobre",
    "/privacidade",
    "/acessibilidade",
    "/ler",
    "/terminar",
    "/terminado",
    "/nada",
    "/verificar",
    "/verificar?q=ZZA1A11",
    "/verificar?q=ZZX0A00",
    "/verificar?q=praia",
    "/verificar?q=X",
    f"{TOWN}/",
    f"{TOWN}/verificar",
    f"{TOWN}/verificar?q=X",
    f"{TOWN}/verificar?q=ZZA1A11&on=amanhã",
    f"{TOWN}/verificar?q=ZZA1A11&on=2020-01-01",
    f"{TOWN}/privacidade",
    f"{TOWN}/mostrar?q=ZZA1A11",
    f"{TOWN}/pontos/martim-de-sa/mostrar",
    f"{TOWN}/sem-internet",
    "/terminar",
    "/terminado",
    f"{TOWN}/ouvidoria/relatorios",
    f"{TOWN}/itinerarios",
    f"{TOWN}/itinerarios?accessible=1&running=1",
    f"{TOWN}/itinerarios/ORLA",
    "/santa-rita-pb/itinerarios/USINA",
    f"{TOWN}/pontos",
    f"{TOWN}/pontos?perto=martim",
    f"{TOWN}/pontos?perto=xyz",
    f"{TOWN}/pontos/martim-de-sa",
    f"{TOWN}/pontos/martim-de-sa/placa",
    f"{TOWN}/manifestacoes/recibo",
    f"{TOWN}/manifestacoes/arquivo/nada",
    f"{TOWN}/manifestacoes/arquivo-recebido",
    f"{TOWN}/direitos/recreativo",
    "/v/NADA",
    "/V/NADA",
    "/comprovante/",
    "/comprovante/NADA",
]
"""Addresses that need nothing but themselves: one of each kind."""
MORE = [
    f"{TOWN}/itinerarios/NOITE",
    f"{TOWN}/itinerarios/FERIADO",
    f"{TOWN}/itinerarios/BRAVA",
    f"{TOWN}/itinerarios/MORRO",
    "/chapada-dos-guimaraes-mt/itinerarios",
    "/verificar?q=ZZL1A11",
    f"{TOWN}/direitos/aplicativo",
    "/santa-rita-pb/direitos/turismo",
    "/chapada-dos-guimaraes-mt/direitos/aplicativo",
]
"""The same kinds, with other data."""
OMBUDSMANS = [
    "",
    "?mostrar=closed",
    "?busca=nada",
    "atendimento/",
    "atendimento/recibo",
    "estatisticas",
    "avisos/",
    "conta/",
    "pedidos-de-dados/",
    "registro-de-atos/",
    "estado/",
    "nada",
]
"""Addresses of the desk, below ``/mesa/``, for an ombudsman."""
CLERKS = [
    "itinerarios/",
    "cadastro/",
    "cadastro/?q=nada",
    "cadastro/?em=nada",
    "cadastro/avisos",
    "cadastro/autorizacoes/nova",
    "cadastro/arquivos/",
    "itinerarios/itinerarios",
    "itinerarios/pontos",
    "itinerarios/partidas",
    "itinerarios/pontos/nova",
    "itinerarios/itinerarios/nova",
    "itinerarios/partidas/nova",
]
"""Addresses of the desk, below ``/mesa/``, for a clerk."""
REPORT = 'a[href*="/relatorio/"]'
OPENED = [
    ("cadastro/", "table tbody th a"),
    ("cadastro/arquivos/", "table tbody th a"),
    ("itinerarios/itinerarios", "table tbody td a"),
    ("itinerarios/pontos", "table tbody td a"),
    ("itinerarios/partidas", "table tbody td a"),
]
"""Lists of the clerk's, and the link in them to the first entry."""
NOT_A_PHOTO: FilePayload = {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": b"no photo"}


def send_plainly(page: Page) -> None:
    """From here on a click on ``page`` ends in a page: what htmx would swap is a block of the same template."""
    page.add_init_script(
        """
        document.addEventListener("DOMContentLoaded", () => {
          for (const one of document.querySelectorAll("[hx-get], [hx-post]"))
            for (const name of ["hx-get", "hx-post", "hx-trigger"]) one.removeAttribute(name)
        })
        """
    )


def public_sights(page: Page, portal: str, *, more: bool = False) -> Sights:
    """Everything that stands at an address of its own; with ``more``, what differs only in its data too."""
    for path in [*PUBLIC, *(MORE if more else ())]:
        page.goto(portal + path)
        yield path


def verdict_sights(page: Page, portal: str, cases: Sequence[Case]) -> Sights:
    """A verdict in every status."""
    for case in cases:
        if case.subject is Subject.VEHICLE:
            page.goto(f"{portal}/{case.municipality}/verificar?q={case.query}")
            yield f"verdict: {case.code}"


def complaint_sights(page: Page, portal: str) -> Sights:
    """Each question, unanswered and answered badly; the last page in each of its ways; the receipt, twice."""
    new = f"{portal}{TOWN}/manifestacoes/nova"
    page.goto(new)
    yield "complaint: what"
    page.goto(f"{new}?what=harassment")
    yield "complaint: urgent"

    page.goto(f"{new}?what=overcrowding")
    yield "complaint: vehicle"
    _fill(page, "text", "")
    yield "complaint: vehicle, refused"
    _fill(page, "text", "ZZA1A11")
    yield "complaint: where"
    _fill(page, "text", "")
    yield "complaint: where, refused"
    _fill(page, "text", "Praia Martim de Sá")
    yield "complaint: when"
    _fill(page, "date", "2090-01-01")
    yield "complaint: when, refused"
    _press(page.locator("button[value=now]"))
    yield "complaint: review"

    page.goto(f"{new}?pergunta=story")
    yield "complaint: story"
    _fill(page, "text", "Havia gente em pé no último vagão. " * 200)
    yield "complaint: story, refused"
    _fill(page, "text", "Havia gente em pé no último vagão.")
    page.goto(f"{new}?pergunta=photos")
    yield "complaint: files"
    page.locator("input[type=file]").set_input_files(NOT_A_PHOTO)
    _press(page.locator("button[value=add]"))
    yield "complaint: files, refused"
    page.locator("input[type=file]").set_input_files(a_photo())
    _press(page.locator("button[value=add]"))
    yield "complaint: files, one kept"

    page.goto(f"{new}?pergunta=identity")
    page.locator("input[value=sealed]").check()
    yield "complaint: review, sealed"
    page.locator("input[name=email]").fill("maria")
    _press(page.locator("form.identity .button").first)
    yield "complaint: review, refused"
    page.locator("input[value=anonymous]").check()
    _press(page.locator("form.identity .button").first)
    yield "receipt, with the key"
    _press(page.locator("#receipt form .button"))
    yield "receipt, key kept"


def tracking_sights(page: Page, portal: str, cases: Sequence[Case]) -> Sights:
    """The way in, refused; a complaint in every status; what it asks when it is asked badly."""
    page.goto(f"{portal}/acompanhar")
    _fill(page, "protocol", "nada")
    yield "tracking, refused"
    unseen = ["review", "text"]
    for case in cases:
        if case.subject is Subject.COMPLAINT:
            page.goto(f"{portal}/demonstracao")
            _press(page.locator(f'form:has(input[value="{case.protocol}"]) button'))
            yield f"tracking: {case.code}"
            for box in [each for each in unseen if page.locator(f"[name={each}]").count()]:
                _fill(page, box, "")
                yield f"tracking: {box} refused"
                unseen.remove(box)


def desk_sights(page: Page, desk: str, cases: Sequence[Case]) -> Sights:
    """Every page of the desk, by those who may read it."""
    page.goto(f"{desk}/mesa/entrar")
    yield "desk: sign in"
    _fill(page, "password", "errada")
    yield "desk: sign in, refused"
    complaints = [
        case for case in cases if case.subject is Subject.COMPLAINT and case.municipality in (None, TOWN[1:])
    ]
    staff = {case.login: str(case.password) for case in cases if case.login}

    _sign_in(page, desk, "ouvidoria", staff)
    for path in OMBUDSMANS:
        page.goto(f"{desk}/mesa/{path}")
        yield f"desk: /{path}"
    page.goto(f"{desk}/mesa/estatisticas")
    page.goto(desk + str(page.locator(REPORT).first.get_attribute("href")))
    yield "desk: yearly report"
    for case in complaints:
        page.goto(f"{desk}/mesa/manifestacoes/{case.protocol}")
        yield f"desk: case {case.code}"
    first = (
        f"{desk}/mesa/manifestacoes/{next(case.protocol for case in complaints if case.code == 'registered')}"
    )
    page.goto(f"{first}/encaminhamento")
    yield "desk: forwarding"
    page.goto(f"{first}/passar-identidade/")
    yield "desk: identity"
    page.goto(first)
    page.locator("details.step summary").first.click()
    yield "desk: case, a step open"
    _fill(page, "text", "")
    yield "desk: case, refused"

    page.context.clear_cookies()
    _sign_in(page, desk, "cadastro", staff)
    for path in CLERKS:
        page.goto(f"{desk}/mesa/{path}")
        yield f"desk: /{path}"
    for path, link in OPENED:
        page.goto(f"{desk}/mesa/{path}")
        page.goto(desk + str(page.locator(link).first.get_attribute("href")))
        yield f"desk: /{path}, one opened"


def _sign_in(page: Page, desk: str, login: str, staff: Mapping[str, str]) -> None:
    """In whatever language the desk speaks: by the names of the fields, not their labels."""
    page.goto(f"{desk}/mesa/entrar")
    page.locator("main [name=login]").fill(login)
    _fill(page, "password", staff[login])


def _press(button: Locator) -> None:
    with button.page.expect_navigation():
        button.click()


def _fill(page: Page, name: str, text: str) -> None:
    """Type into the field of this name and send its form by the first button."""
    box = page.locator(f"main [name={name}]:not([type=hidden])").first
    folded = box.locator("xpath=ancestor::details[not(@open)]")
    if folded.count():
        folded.locator("summary").first.click()
    box.fill(text)
    _press(box.locator("xpath=ancestor::form").locator("button:not([type=button]):not([name=insert])").first)


def a_photo() -> FilePayload:
    out = BytesIO()
    Image.new("RGB", (40, 30), "navy").save(out, "JPEG")
    return {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": out.getvalue()}
