"""Shoot pages of a running site as a person sees them: ``python tests/tools/screenshots.py --help``."""

import os
import re
from pathlib import Path
from typing import Literal, cast

import click
from playwright.sync_api import Browser, sync_playwright

CHROMIUM = os.environ.get("CHROMIUM") or "/usr/bin/chromium"
FLAGS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--force-color-profile=srgb",
]


@click.command()
@click.argument("site")
@click.argument("paths", nargs=-1, required=True)
@click.option("--folder", type=click.Path(path_type=Path), default=Path("test-results/screens"))
@click.option("--width", "widths", multiple=True, type=int, default=(360, 1280), show_default=True)
@click.option("--lang", "languages", multiple=True, default=("pt-BR",), show_default=True)
@click.option("--scheme", type=click.Choice(["light", "dark"]), default="light")
@click.option("--first-view", is_flag=True, help="Only what a person sees before scrolling: 360 × 640.")
def shoot(
    site: str,
    paths: tuple[str, ...],
    folder: Path,
    widths: tuple[int, ...],
    languages: tuple[str, ...],
    scheme: str,
    first_view: bool,
) -> None:
    """Shoot PATHS of SITE at every width and in every language; complaints of the browser are printed."""
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for width in widths:
            for language in languages:
                _shoot_width(browser, site, paths, folder, width, language, scheme, first_view)
        browser.close()


def _shoot_width(
    browser: Browser,
    site: str,
    paths: tuple[str, ...],
    folder: Path,
    width: int,
    language: str,
    scheme: str,
    first_view: bool,
) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 640 if width < 600 else 800},
        locale=language,
        color_scheme=cast(Literal["light", "dark"], scheme),
        device_scale_factor=1,
    )
    page = context.new_page()
    page.on("console", lambda message: click.echo(f"  console {message.type}: {message.text}"))
    for path in paths:
        page.goto(site + path)
        name = re.sub(r"[^a-z0-9]+", "-", path.lower()).strip("-") or "home"
        target = folder / f"{name}.{language}.{width}.{scheme}.png"
        page.screenshot(path=target, full_page=not first_view)
        wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        click.echo(f"{target}{f'  OVERFLOWS by {wider} px' if wider > 0 else ''}")
    context.close()


if __name__ == "__main__":
    shoot()
