"""``make icons``: the mark as pictures for the home screens of telephones, drawn from ``mark.svg`` by the browser."""

import hashlib
from io import BytesIO
from pathlib import Path

from PIL import Image, PngImagePlugin
from playwright.sync_api import sync_playwright

from tests.tools.screenshots import CHROMIUM, FLAGS

STATIC = Path(__file__).parents[2] / "portal" / "pages" / "static"
GROUND = "#0f3d4c"
SIDES = {"icon-192": (192, 1.0), "icon-512": (512, 1.0), "icon-maskable": (512, 0.62)}
"""Pixels, and how much of them the mark takes: a telephone may cut a circle out of a maskable one."""


def main() -> None:
    mark = (STATIC / "mark.svg").read_text()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for name, (side, share) in SIDES.items():
            page = browser.new_page(viewport={"width": side, "height": side})
            ground = GROUND if share < 1 else "transparent"
            page.set_content(
                f"<style>body {{ margin: 0; display: grid; place-items: center; height: 100vh; background: {ground} }}"
                f"svg {{ width: {side * share}px; height: {side * share}px }}</style>{mark}"
            )
            drawn = Image.open(BytesIO(page.screenshot(omit_background=True)))
            few = drawn.quantize(64, method=Image.Quantize.FASTOCTREE)
            told = PngImagePlugin.PngInfo()
            told.add_text("source", source_digest())
            few.save(STATIC / f"{name}.png", optimize=True, pnginfo=told)
        browser.close()


def source_digest() -> str:
    """Of the mark: a picture says which one it was drawn from."""
    return hashlib.sha256((STATIC / "mark.svg").read_bytes()).hexdigest()[:16]


if __name__ == "__main__":
    main()
