"""What axe, and a narrow window, object to in the page that stands in a browser."""

import json

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

OPTIONS = {
    "resultTypes": ["violations"],
    "rules": {"target-size": {"enabled": True}},  # new in WCAG 2.2, and off unless asked for
}


def objections(page: Page) -> list[str]:
    """Each rule of axe that is broken, with the first element that breaks it. The page must be let off its policy."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate(f"axe.run({json.dumps(OPTIONS)}).then(results => results.violations)")
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]}" for one in found]


def excess(page: Page) -> int:
    """By how many pixels the page is wider than its window."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))
