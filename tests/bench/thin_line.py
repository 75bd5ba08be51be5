"""``python -m tests.bench.thin_line``: when the verdict stands on a cheap telephone's screen, on a thin line.

Chromium at 400 kbit/s and 400 ms, its processor four times slower than this machine's, against the portal as
production serves it (granian, a process of its own). Cold: the first visit; warm: the next plate looked up in the
same browser, which has style and script. The figure is the largest contentful paint, which is the verdict's word or
its first sentence, as the browser itself tells it.
"""

import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

import portal.config
import portal.storage.database
from portal.services.unit_of_work import unit_of_work
from portal.storage.tables import metadata
from tests.factories.permits import put_list, put_permit
from tests.tools.screenshots import CHROMIUM, FLAGS

ROUNDS = 5
BITS, LATENCY_MS, SLOWER = 400_000, 400, 4
AIMS = {"cold": 3.0, "warm": 1.0}
"""Seconds."""
VERDICT = "/caraguatatuba-sp/verificar?q="

WATCH = """
window.painted = 0; window.shifted = 0;
new PerformanceObserver(list => list.getEntries().forEach(one => { window.painted = one.startTime; }))
  .observe({type: "largest-contentful-paint", buffered: true});
new PerformanceObserver(list => list.getEntries().forEach(one => { window.shifted += one.value; }))
  .observe({type: "layout-shift", buffered: true});
"""


def main() -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        _portal(Path(folder)) as url,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        found: dict[str, list[float]] = {"cold": [], "warm": []}
        sizes, shifts = [], 0.0
        _visit(browser, url)  # templates are read once
        for _ in range(ROUNDS):
            cold, warm, size, shifted = _visit(browser, url)
            found["cold"].append(cold)
            found["warm"].append(warm)
            sizes.append(size)
            shifts = max(shifts, shifted)
        browser.close()
    load = os.getloadavg()[0]
    print(
        f"verdict at {BITS // 1000} kbit/s, {LATENCY_MS} ms, processor {SLOWER} times slower; load {load:.0f}"
    )
    for kind, seconds in found.items():
        told = f"{statistics.median(seconds):.2f} s ({min(seconds):.2f} to {max(seconds):.2f})"
        print(f"largest contentful paint, {kind}: {told}, aim {AIMS[kind]:.1f} s")
    print(f"bytes of the first visit, headers and all: {max(sizes):,}; layout shift: {shifts:.4f}")


def _visit(browser: Browser, url: str) -> tuple[float, float, int, float]:
    """Seconds cold and warm, bytes of the cold visit, and the sum of layout shifts of both."""
    context = browser.new_context(
        viewport={"width": 360, "height": 640}, locale="pt-BR", timezone_id="America/Sao_Paulo"
    )
    page = context.new_page()
    page.add_init_script(WATCH)
    wire = context.new_cdp_session(page)
    sizes: list[float] = []
    wire.send("Network.enable")
    wire.on("Network.loadingFinished", lambda told: sizes.append(told["encodedDataLength"]))
    speed = BITS / 8
    wire.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": LATENCY_MS, "downloadThroughput": speed, "uploadThroughput": speed},
    )
    wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    cold, shifted = _paint(page, f"{url}{VERDICT}BRA2E19")
    size = int(sum(sizes))
    warm, more = _paint(page, f"{url}{VERDICT}BRA2E20")
    context.close()
    return cold, warm, size, shifted + more


def _paint(page: Page, address: str) -> tuple[float, float]:
    page.goto(address, wait_until="load")
    assert page.locator(".verdict").count()
    page.wait_for_timeout(300)
    painted, shifted = page.evaluate("[window.painted, window.shifted]")
    return float(painted) / 1000, float(shifted)


@contextmanager
def _portal(folder: Path) -> Iterator[str]:
    """The portal over a small register, served as ``portal run`` serves it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    (folder / "public_keys.json").write_text('{"identity": {}, "notice": null}')
    os.environ |= {
        "PORTAL_STATE": str(folder),
        "DATABASE_URL": f"sqlite:///{folder / 'portal.db'}",
        "FILES_URL": f"file://{folder / 'files'}",
        "SECRET_KEY": "s" * 40,
        "ACCESS_KEY_PEPPER": "p" * 40,
        "PUBLIC_KEYS": str(folder / "public_keys.json"),
        "PUBLIC_URL": url,
    }
    for cached in (portal.config.settings, portal.storage.database.engine):
        cached.cache_clear()
    with portal.storage.database.engine().begin() as connection:
        metadata().create_all(connection)
    with unit_of_work(writes=True) as session:
        put_list(session)
        for number, plate in enumerate(("BRA2E19", "BRA2E20"), 1):
            put_permit(session, plate=plate, number=f"2026/{number:04d}")
    options = (
        f"--interface wsgi --factory --workers 1 --blocking-threads 4 --no-ws --host 127.0.0.1 --port {port}"
    )
    with subprocess.Popen(
        [sys.executable, "-m", "granian", *options.split(), "portal.web:create_app"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as server:
        try:
            _wait_for(f"{url}/healthz")
            yield url
        finally:
            server.send_signal(signal.SIGINT)


def _wait_for(address: str) -> None:
    for _ in range(1200):
        try:
            with urllib.request.urlopen(address, timeout=1):
                return
        except OSError:
            time.sleep(0.1)
    raise TimeoutError(address)


if __name__ == "__main__":
    main()
