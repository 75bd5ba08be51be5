"""A sheet of A4 in plain type: headings, paragraphs, pairs and tables, in any script that people here write.

Letters are shaped and right-to-left runs turned, so that an account in Arabic stands as it was written. Nothing of the
machine is kept in the file: no author, no program, and the moment is given.
"""

import logging
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from fpdf import FPDF
from fpdf.enums import XPos, YPos
from fpdf.fonts import FontFace

# What a font has no letter for would be named in the log, and it may come from an account.
logging.getLogger("fpdf").setLevel(logging.ERROR)
logging.getLogger("fontTools").setLevel(logging.ERROR)

FONTS = Path(__file__).parent / "fonts"
FAMILY = "DejaVu"
LINE = 5.4
"""Millimetres from one line to the next."""


class Paper(FPDF):
    """A document that is written from top to bottom."""

    def __init__(self, *, title: str, language: str, at: datetime, footer: str) -> None:
        super().__init__(format="A4")
        self.add_font(FAMILY, "", FONTS / "DejaVuSans.ttf")
        self.add_font(FAMILY, "B", FONTS / "DejaVuSans-Bold.ttf")
        self.set_text_shaping(use_shaping_engine=True)
        self.set_margins(22, 20, 22)
        self.set_auto_page_break(auto=True, margin=22)
        self.set_title(title)
        self.set_lang(language)
        self.set_creation_date(at)
        self.set_producer("Embarque Legal")
        self._foot = footer
        self.set_font(FAMILY, size=10)
        self.add_page()

    def footer(self) -> None:
        self.set_y(-16)
        self.set_font(FAMILY, size=8)
        self.cell(0, 5, self._foot)
        self.cell(0, 5, str(self.page_no()), align="R")

    def heading(self, text: str, *, level: int = 1) -> None:
        if self.will_page_break(9 + 2 * LINE):
            self.add_page()
        self.ln(2 if level > 1 else 0)
        self.set_font(FAMILY, "B", 15 if level == 1 else 11)
        self._lines(text, 7 if level == 1 else 6)
        self.ln(1)
        self.set_font(FAMILY, size=10)

    def paragraph(self, text: str) -> None:
        """Text of any length; a line break stays one, and a word longer than the line is broken."""
        self._lines(text, LINE)
        self.ln(2)

    def pair(self, name: str, value: str) -> None:
        """A name in bold, and what it is on the lines below."""
        if self.will_page_break(4.8 + LINE):  # a name alone at the foot of a page names nothing
            self.add_page()
        self.set_font(FAMILY, "B", 9)
        self._lines(name, 4.8)
        self.set_font(FAMILY, size=10)
        self._lines(value, LINE)
        self.ln(1.5)

    def rows(self, head: Sequence[str], body: Sequence[Sequence[str]], widths: Sequence[int]) -> None:
        """A table whose head is repeated on every page; the first column is words, the others figures."""
        self.set_font(FAMILY, size=9)
        aligned = ["LEFT", *["RIGHT"] * (len(head) - 1)]
        with self.table(
            col_widths=tuple(widths),
            text_align=tuple(aligned),
            headings_style=FontFace(emphasis="BOLD", fill_color=(232, 238, 240)),
            borders_layout="HORIZONTAL_LINES",
            line_height=LINE,
            padding=1,
        ) as table:
            for line in (head, *body):
                row = table.row()
                for cell in line:
                    row.cell(cell)
        self.set_font(FAMILY, size=10)
        self.ln(3)

    def write_out(self) -> bytes:
        return bytes(self.output())

    def _lines(self, text: str, height: float) -> None:
        self.multi_cell(0, height, text, align="L", new_x=XPos.LMARGIN, new_y=YPos.NEXT)
