"""A permit's card on paper: the sheet on board, the sticker of the dashboard, the seal of the windscreen.

What stands on it and how large it is comes from the instrument (``[[cards]]``); drawn here are three shapes. The code
is drawn in vectors, in capitals and digits alone, so that it stays coarse enough for an old telephone in the sun.
"""

from datetime import datetime
from urllib.parse import urlsplit

from fpdf import FPDF

from portal.documents.codes import draw_code
from portal.documents.paper import FAMILY, FONTS
from portal.i18n import Translator
from portal.regulations import catalogue
from portal.regulations.schema import CardField, CardKind, CardSize
from portal.services.cards.making import CardSheet
from portal.wording.cards import field_name, field_value
from portal.wording.verdict_card import role_name

PETROL, INK, SOFT, RULE, SUN = (15, 61, 76), (19, 35, 44), (64, 82, 93), (221, 211, 193), (255, 197, 61)
Colour = tuple[int, int, int]
POINT = 0.3528
"""Millimetres."""


def code_address(sheet: CardSheet, public_url: str) -> str:
    """What the code holds: the address of the card, in the capitals that make a code coarser."""
    root = urlsplit(public_url.rstrip("/"))
    return (
        f"{root.scheme.upper()}://{root.netloc.upper()}{root.path}/{'v' if root.path else 'V'}/{sheet.token}"
    )


def card_pdf(sheet: CardSheet, *, public_url: str, size: str | None, at: datetime, _: Translator) -> bytes:
    """The card as a file of one page, as large as it is to be cut.

    Args:
        size: id of one of the layout's sizes; by default, and for any other, its first.
        at: when it is printed, in the municipality's own zone.
    """
    chosen = next((one for one in sheet.layout.sizes if one.id == size), sheet.layout.sizes[0])
    page = _Page(sheet, chosen, public_url, at, _)
    {CardKind.SHEET: page.draw_sheet, CardKind.STICKER: page.draw_sticker, CardKind.SEAL: page.draw_seal}[
        sheet.layout.kind
    ]()
    return bytes(page.output())


class _Page(FPDF):
    def __init__(
        self, sheet: CardSheet, size: CardSize, public_url: str, at: datetime, _: Translator
    ) -> None:
        super().__init__(format=(size.width_mm, size.height_mm))
        self.sheet, self.said, self.at = sheet, _, at
        self.address = code_address(sheet, public_url)
        self.host = urlsplit(public_url).netloc
        self.town = catalogue.municipality(sheet.municipality)
        self.add_font(FAMILY, "", FONTS / "DejaVuSans.ttf")
        self.add_font(FAMILY, "B", FONTS / "DejaVuSans-Bold.ttf")
        self.set_auto_page_break(auto=False)
        self.set_margin(0)
        self.c_margin = 0
        self.set_title(f"{sheet.permit_name} {sheet.number}")
        self.set_lang(_.tag)
        self.set_creation_date(at)
        self.set_producer("Embarque Legal")
        self.add_page()

    # What all three are made of

    def words(
        self,
        text: str,
        x: float,
        y: float,
        width: float,
        *,
        size: float,
        bold: bool = False,
        colour: Colour = INK,
        align: str = "L",
        least: float = 5,
    ) -> float:
        """One line that fits its width, smaller where it has to be; answers its height in millimetres."""
        self.set_font(FAMILY, "B" if bold else "", size)
        while size > least and self.get_string_width(text) > width:
            size -= 0.5
            self.set_font(FAMILY, "B" if bold else "", size)
        height = size * POINT * 1.2
        self.set_text_color(*colour)
        self.set_xy(x, y)
        self.cell(width, height, text, align=align)
        return height

    def lines(
        self,
        text: str,
        x: float,
        y: float,
        width: float,
        *,
        size: float,
        colour: Colour = INK,
        align: str = "L",
    ) -> float:
        """Text over as many lines as it takes; answers its height."""
        self.set_font(FAMILY, "", size)
        self.set_text_color(*colour)
        self.set_xy(x, y)
        self.multi_cell(width, size * POINT * 1.3, text, align=align, new_x="LEFT", new_y="NEXT")
        return self.get_y() - y

    def code(self, x: float, y: float, side: float) -> None:
        draw_code(self, self.address, x, y, side)

    def plate(self, text: str, x: float, y: float, width: float) -> float:
        """A number plate as the verdict draws it; answers its height."""
        height = width * 0.34
        self.set_fill_color(255, 255, 255)
        self.set_draw_color(*INK)
        self.set_line_width(max(0.3, width / 90))
        self.rect(x, y, width, height, style="DF", round_corners=True, corner_radius=height * 0.14)
        self.set_fill_color(24, 63, 138)
        self.rect(
            x,
            y,
            width,
            height * 0.24,
            style="F",
            round_corners=("TOP_LEFT", "TOP_RIGHT"),  # type: ignore[arg-type]
            corner_radius=height * 0.14,
        )
        self.words(
            "BRASIL",
            x,
            y + height * 0.045,
            width,
            size=height * 0.4,
            bold=True,
            colour=(255, 255, 255),
            align="C",
            least=2,
        )
        shown = f"{text[:3]}-{text[3:]}" if text[4].isdigit() else text
        self.words(
            shown, x + width * 0.03, y + height * 0.3, width * 0.94, size=height * 1.52, bold=True, align="C"
        )
        return height

    def field(self, field: CardField) -> tuple[str, str]:
        """Its name and what stands there; a line to write on where nobody has said it."""
        return field_name(field, self.said), field_value(field, self.sheet, self.said) or "________________"

    def fact(self, field: CardField, x: float, y: float, width: float, *, size: float) -> float:
        name, value = self.field(field)
        height = self.words(name.upper(), x, y, width, size=size * 0.42, colour=SOFT, least=4)
        return height + self.words(value, x, y + height, width, size=size, bold=True, least=7)

    def band(self, height: float, *, margin: float, size: float) -> None:
        """The dark head: which town, and what this is."""
        self.set_fill_color(*PETROL)
        self.rect(0, 0, self.w, height, style="F")
        red, green, blue = (int(self.town.accent[at : at + 2], 16) for at in (1, 3, 5))
        self.set_fill_color(red, green, blue)
        self.rect(0, height, self.w, size * 0.09, style="F")
        width = self.w - 2 * margin
        top = (height - size * POINT * 1.2 - size * 0.62 * POINT * 1.2) / 2
        down = self.words(
            f"{self.town.name} – {self.town.state}",
            margin,
            top,
            width,
            size=size,
            bold=True,
            colour=(255, 255, 255),
        )
        self.words(
            self.sheet.permit_name, margin, top + down, width, size=size * 0.62, colour=(255, 255, 255)
        )

    @property
    def issue(self) -> str:
        return self.said("Cartão nº %(issue)s, impresso em %(date)s") % {
            "issue": self.sheet.card.issue,
            "date": self.said.date(self.at.date()),
        }

    # The three of them

    def draw_sheet(self) -> None:
        """A4 or A5 on the wall of the vehicle: the first field is read from the last seat."""
        unit = self.w / 210
        margin = 14 * unit
        width = self.w - 2 * margin
        self.band(30 * unit, margin=margin, size=26 * unit)
        first, *others = self.sheet.layout.prints
        y = 40 * unit
        name, value = self.field(first)
        y += self.words(name.upper(), margin, y, width, size=20 * unit, bold=True, colour=SOFT, align="C")
        y += (
            self.words(
                value, margin, y - 4 * unit, width, size=190 * unit, bold=True, colour=PETROL, align="C"
            )
            - 12 * unit
        )
        if first is CardField.CAPACITY:
            told = self.said.ngettext("passageiro", "passageiros", self.sheet.capacity or 2)
            y += self.words(told, margin, y, width, size=24 * unit, colour=INK, align="C")
        y += 8 * unit
        plates = CardField.PLATES in others
        half: list[CardField] = [
            one for one in others if one in (CardField.VALIDITY, CardField.NUMBER, CardField.SPEED)
        ]
        across = width / max(1, len(half))
        for at, one in enumerate(half):
            self.rule(margin + at * across, y, across - 4 * unit, unit)
            self.fact(one, margin + at * across, y + 2 * unit, across - 4 * unit, size=21 * unit)
        y += 20 * unit if half else 0
        for one in others:
            if one in half or one in (CardField.PLATES, CardField.AUTHORITY):
                continue
            self.rule(margin, y, width, unit)
            y += 2 * unit + self.fact(one, margin, y + 2 * unit, width, size=17 * unit) + 3 * unit
        bottom = self.h - 12 * unit
        side = 72 * unit
        self.rule(margin, y, width, unit)
        y += 5 * unit
        if plates:
            self._plates(margin, y, width - side - 8 * unit, bottom - 26 * unit - y, unit)
        self.code(self.w - margin - side, y - 2 * unit, side)
        self.words(
            self.said("Aponte a câmera e compare a placa"),
            self.w - margin - side, y + side - 3 * unit, side, size=9.5 * unit, bold=True, align="C", least=4,
        )  # fmt: skip
        foot = bottom - 14 * unit
        lines = [self.said("O endereço certo é %(host)s") % {"host": self.host}, self.issue]
        if CardField.AUTHORITY in others and self.sheet.authority:
            lines.insert(0, self.sheet.authority)
        cited = f"{self.sheet.instrument}, {self.sheet.layout.article}"
        self.rule(margin, foot - 3 * unit, width, unit)
        for text in (*lines[:-1], f"{lines[-1]} · {cited}"):
            foot += self.words(text, margin, foot, width, size=9.5 * unit, colour=SOFT, least=4)

    def _plates(self, x: float, y: float, width: float, height: float, unit: float) -> None:
        """Every vehicle of the permit with its plate, its part and its seats; smaller where there are many."""
        units = self.sheet.units
        columns = 1 if len(units) <= 2 else 2
        rows = -(-len(units) // columns) or 1
        each = width / columns
        wide = min(each - 4 * unit, (height / rows - 9 * unit) / 0.34, 78 * unit)
        for at, one in enumerate(units):
            left, top = x + (at % columns) * each, y + (at // columns) * (wide * 0.34 + 9 * unit)
            told = role_name(one.role, self.said)
            if one.capacity:
                seats = self.said.ngettext("%(num)s lugar", "%(num)s lugares", one.capacity) % {
                    "num": one.capacity
                }
                told = f"{told} · {seats}"
            self.words(told, left, top, wide, size=9.5 * unit, colour=SOFT, least=4)
            self.plate(one.plate, left, top + 5 * unit, wide)

    def draw_sticker(self) -> None:
        """A sticker of the dashboard: fields on the left, the code on the right."""
        unit = self.w / 120
        margin = 5 * unit
        self.band(16 * unit, margin=margin, size=14 * unit)
        side = min(48 * unit, self.h - 30 * unit)
        width = self.w - side - 3 * margin
        y = 20 * unit
        first, *others = self.sheet.layout.prints
        name, value = self.field(first)
        y += self.words(name.upper(), margin, y, width, size=6.5 * unit, colour=SOFT, least=4)
        y += self.words(value, margin, y, width, size=25 * unit, bold=True, colour=PETROL) + 1.5 * unit
        for one in others:
            if one is CardField.PLATES:
                for vehicle in self.sheet.units[:1]:
                    y += self.plate(vehicle.plate, margin, y + 1 * unit, 32 * unit) + 2.5 * unit
            elif one is not CardField.AUTHORITY:
                y += self.fact(one, margin, y, width, size=14 * unit) + 1 * unit
        self.code(self.w - margin - side, 18.5 * unit, side)
        self.words(
            self.said("Confira a placa"), self.w - margin - side, 18.5 * unit + side - 1.5 * unit, side,
            size=8 * unit, bold=True, align="C", least=4,
        )  # fmt: skip
        foot = self.h - 9.6 * unit
        self.rule(margin, foot - 1 * unit, self.w - 2 * margin, unit)
        if CardField.AUTHORITY in others and self.sheet.authority:
            foot += self.words(
                self.sheet.authority, margin, foot, self.w - 2 * margin, size=6 * unit, colour=SOFT, least=3
            )
        self.words(
            f"{self.host} · {self.issue}",
            margin,
            foot,
            self.w - 2 * margin,
            size=6 * unit,
            colour=SOFT,
            least=3,
        )

    def draw_seal(self) -> None:
        """A small square of the windscreen: until when, the code, the plate to compare."""
        unit = self.w / 80
        margin = 4 * unit
        width = self.w - 2 * margin
        self.set_fill_color(*PETROL)
        self.rect(0, 0, self.w, 13.5 * unit, style="F")
        red, green, blue = (int(self.town.accent[at : at + 2], 16) for at in (1, 3, 5))
        self.set_fill_color(red, green, blue)
        self.rect(0, 13.5 * unit, self.w, 1 * unit, style="F")
        top = 2 * unit
        top += self.words(
            f"{self.town.name} – {self.town.state}",
            margin,
            top,
            width,
            size=10.5 * unit,
            bold=True,
            colour=(255, 255, 255),
            align="C",
        )
        first = self.sheet.layout.prints[0]
        name, value = self.field(first)
        self.words(f"{name} {value}", margin, top, width, size=12.5 * unit, bold=True, colour=SUN, align="C")
        plates = CardField.PLATES in self.sheet.layout.prints and self.sheet.units
        side = 47 * unit
        self.code((self.w - side) / 2, 14.6 * unit, side)
        y = 60.8 * unit
        if plates:
            self.plate(self.sheet.units[0].plate, (self.w - 34 * unit) / 2, y, 34 * unit)
        self.words(
            f"{self.host} · {self.sheet.card.issue}",
            margin,
            self.h - 6 * unit,
            width,
            size=5.5 * unit,
            colour=SOFT,
            align="C",
            least=3,
        )

    def rule(self, x: float, y: float, width: float, unit: float) -> None:
        self.set_draw_color(*RULE)
        self.set_line_width(0.5 * unit)
        self.line(x, y, x + width, y)
