"""QR codes drawn in vectors, each run of dark modules one rectangle."""

import segno
from fpdf import FPDF

QUIET = 4
"""Modules of white around a code."""


def code_of(address: str) -> segno.QRCode:
    """The QR code of an address; fifteen hundredths of it may be scratched off, more where that costs no size."""
    return segno.make_qr(address, error="m", boost_error=True)


def draw_code(pdf: FPDF, address: str, x: float, y: float, side: float) -> None:
    """The code with its quiet zone, in a square of so many millimetres."""
    rows = list(code_of(address).matrix)
    step = side / (len(rows) + 2 * QUIET)
    pdf.set_fill_color(255, 255, 255)
    pdf.rect(x, y, side, side, style="F")
    pdf.set_fill_color(0, 0, 0)
    for down, row in enumerate(rows):
        across = 0
        while across < len(row):
            if not row[across]:
                across += 1
                continue
            run = across
            while run < len(row) and row[run]:
                run += 1
            # A hair more than its size: otherwise a printer leaves a white line between two rows.
            left, top = x + (across + QUIET) * step, y + (down + QUIET) * step
            pdf.rect(left, top, (run - across) * step + 0.01, step + 0.01, style="F")
            across = run
