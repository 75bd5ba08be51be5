"""``make bench``: requests a second of a bare Flask page, the verify page and the verify JSON, in one run.

Every contender answers in this process through its WSGI callable, one request at a time, in rounds that
interleave, so that a busy machine slows them alike. Full pages, random plates, no cache of answers. Beside the
requests a second stand those a second of processor time, which others on the machine disturb less.

``--permits N`` is the size of the larger register, beside 10,000 (``make bench-register``: 10,000,000); two numbers
alone are both sizes.
"""

import cProfile
import io
import os
import pstats
import random
import re
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

from flask import Flask, render_template, request
from jinja2 import DictLoader
from werkzeug.test import EnvironBuilder

import portal.config
import portal.services.unit_of_work
import portal.storage.database
from portal.services.schema import migrate_database
from tests.bench import register

SIZES = (10_000, 1_000_000)
ROUNDS, REQUESTS = 31, 20
AS_LONG = 1.3
Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Any]
Speeds = dict[str, list[float]]


def main() -> None:
    given = tuple(int(word.replace("_", "")) for word in sys.argv[1:] if word != "--permits")
    sizes = (SIZES[0], *given) if "--permits" in sys.argv else given or SIZES
    print(f"load {os.getloadavg()[0]:.0f} at the beginning")
    with tempfile.TemporaryDirectory() as folder:
        _need_room(Path(folder), sizes)
        contenders: dict[str, Callable[[], None]] = {}
        for size in sizes:
            started = time.perf_counter()
            contenders |= _contenders(Path(folder), size)
            print(f"{size:,} permits written in {time.perf_counter() - started:.0f} s", file=sys.stderr)
        by_the_clock, of_the_processor = _race(contenders)
        _print_speeds("requests a second", by_the_clock, sizes)
        _print_speeds("requests a second of processor time", of_the_processor, sizes)
        _print_calls(contenders)
        _print_costliest(contenders[f"verify page, {sizes[-1]:,} permits"])
        _print_first_load(_portal(Path(folder), sizes[0]))
        print(f"\nload {os.getloadavg()[0]:.0f} at the end")


def _need_room(folder: Path, sizes: tuple[int, ...]) -> None:
    needed, free = 1.5 * register.BYTES * sum(sizes) / 1e9, shutil.disk_usage(folder).free / 1e9
    print(f"disk needed in {folder.parent}: {needed:.1f} GB of {free:.0f} free", file=sys.stderr)
    if needed > free:
        sys.exit("Not enough room on the disk; TMPDIR names another place.")


def _contenders(folder: Path, size: int) -> dict[str, Callable[[], None]]:
    app = _portal(folder, size)
    database = folder / f"{size}.db"
    bare = _bare(database)
    chooser = random.Random(size)  # the same plates in every run

    def asks(wsgi: Wsgi, path: str, only: str = "") -> Callable[[], None]:
        def ask() -> None:
            status, _headers, body = _call(wsgi, f"{path}?q={register.random_plate(size, chooser)}")
            assert status == 200, body

        return ask

    town = register.TOWN
    named = {
        f"bare page, {size:,} permits": asks(bare, "/"),
        f"verify page, {size:,} permits": asks(app, f"/{town}/verificar"),
        f"verify page of every town, {size:,} permits": asks(app, "/verificar"),
        f"verify JSON, {size:,} permits": asks(app, f"/api/v1/{town}/verify"),
    }
    with _silence():
        for ask in named.values():
            ask()
    return named


def _portal(folder: Path, size: int) -> Wsgi:
    """The public portal over a register of this size, as production builds it."""
    os.environ |= {
        "PORTAL_STATE": str(folder),
        "DATABASE_URL": f"sqlite:///{folder / f'{size}.db'}",
        "FILES_URL": f"file://{folder / 'files'}",
        "SECRET_KEY": "s" * 40,
        "ACCESS_KEY_PEPPER": "p" * 40,
        "PUBLIC_KEYS": str(folder / "public_keys.json"),
    }
    (folder / "public_keys.json").write_text('{"identity": {}, "notice": null}')
    for cached in (portal.config.settings, portal.storage.database.engine):
        cached.cache_clear()
    new = not (folder / f"{size}.db").exists()
    migrate_database()
    engine = portal.storage.database.engine()
    if new:
        register.load(engine, size)
        with engine.connect() as connection:
            connection.exec_driver_sql("ANALYZE")
    from portal.web import create_app

    app = create_app()
    inner = app.wsgi_app

    def wsgi(environ: dict[str, Any], start: Callable[..., Any]) -> Any:
        # Both registers live in this process; each request finds its own.
        portal.services.unit_of_work.engine = lambda: engine  # type: ignore[assignment]
        return inner(environ, start)

    return wsgi


def _bare(database: Path) -> Wsgi:
    """What Flask and SQLite cost at least: one small template after one read."""
    app = Flask("bare")
    app.jinja_loader = DictLoader({"page.html": "<!doctype html><title>{{ plate }}</title><p>{{ row }}</p>"})
    connection = sqlite3.connect(database)

    @app.get("/")
    def page() -> str:

        plate = request.args["q"]
        row = connection.execute(
            "SELECT permit_id FROM vehicle_units WHERE plate_key = ?", (plate,)
        ).fetchone()
        return render_template("page.html", plate=plate, row=row)

    return app.wsgi_app


def _call(wsgi: Wsgi, address: str, **headers: str) -> tuple[int, list[tuple[str, str]], bytes]:
    path, _mark, query = address.partition("?")
    environ = ENVIRON | {
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "REMOTE_ADDR": f"10.{random.randrange(256)}.{random.randrange(256)}.{random.randrange(256)}",
        "wsgi.input": io.BytesIO(),
        **headers,
    }
    answered: list[Any] = []
    body = wsgi(environ, lambda status, found, *_: answered.extend((int(status[:3]), found)))
    content = b"".join(body)
    if hasattr(body, "close"):
        body.close()
    return answered[0], answered[1], content


ENVIRON = EnvironBuilder(headers={"Accept-Language": "pt-BR", "Accept": "*/*"}).get_environ()


def _race(contenders: dict[str, Callable[[], None]]) -> tuple[Speeds, Speeds]:
    """Requests a second of each round, and a second of processor time."""
    clocks = (time.perf_counter, time.process_time)
    found: tuple[Speeds, Speeds] = ({name: [] for name in contenders}, {name: [] for name in contenders})
    with _silence():
        for turn in range(ROUNDS + 1):
            for name, ask in contenders.items():
                started = [clock() for clock in clocks]
                for _ in range(REQUESTS):
                    ask()
                for speeds, clock, since in zip(found, clocks, started, strict=True):
                    if turn:  # the first round warms up
                        speeds[name].append(REQUESTS / (clock() - since))
    return found


def _print_speeds(unit: str, speeds: Speeds, sizes: tuple[int, ...]) -> None:
    print(f"\n{unit + ', median of ' + str(ROUNDS) + ' rounds (spread)':76}beside the bare page")
    for name, found in speeds.items():
        bare = speeds[f"bare page, {name.rsplit(', ', 1)[1]}"]
        ratio = statistics.median(mine / other for mine, other in zip(found, bare, strict=True))
        spread = f"({min(found):,.0f} to {max(found):,.0f})"
        print(f"{name:48}{statistics.median(found):10,.0f} {spread:24}{ratio:8.2f}")
    few, many = f"{sizes[0]:,} permits", f"{sizes[-1]:,} permits"
    for kind in ("bare page", "verify page", "verify page of every town", "verify JSON"):
        times = [a / b for a, b in zip(speeds[f"{kind}, {few}"], speeds[f"{kind}, {many}"], strict=True)]
        print(f"{kind}: {many} take {statistics.median(times):.2f} times as long as {few} (aim {AS_LONG})")


def _print_calls(contenders: dict[str, Callable[[], None]]) -> None:
    """Functions of Python and C that a request calls: a figure that no busy neighbour disturbs."""
    print("\ncalls a request:")
    for name, ask in contenders.items():
        profile = cProfile.Profile()
        with _silence():
            profile.enable()
            for _ in range(200):
                ask()
            profile.disable()
        print(f"{name:48}{pstats.Stats(profile).total_calls / 200:10,.0f}")  # type: ignore[attr-defined]


def _print_costliest(ask: Callable[[], None]) -> None:
    profile = cProfile.Profile()
    with _silence():
        profile.enable()
        for _ in range(300):
            ask()
        profile.disable()
    stats: dict[tuple[str, int, str], tuple[int, int, float, float, Any]] = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    parts: Counter[str] = Counter()
    heaviest: dict[str, tuple[float, str]] = {}
    for (file, _line, function), (_calls, _all, own, _cumulative, callers) in stats.items():
        if file == "~":  # what is written in C is paid for by the part that called it
            shares = [(_part(caller[0]), seconds[2]) for caller, seconds in callers.items()]
        else:
            shares = [(_part(file), own)]
        for part, seconds in shares:
            parts[part] += seconds
            heaviest[part] = max(heaviest.get(part, (0.0, "")), (seconds, function))
    total = parts.total()
    print("\nthe costliest parts of the verify page, over the larger register:")
    for part, seconds in parts.most_common(5)[:3]:
        print(f"  {part:32}{seconds / total:6.0%}   most of it in {heaviest[part][1]}")


def _part(file: str) -> str:
    if "/templates/" in file or file == "<template>":
        return "templates"
    if found := re.search(r"/portal/(\w+)", file):
        return f"portal.{found[1]}"
    if found := re.search(r"/site-packages/(\w+)", file):
        return found[1]
    return "Python itself"


def _print_first_load(wsgi: Wsgi) -> None:
    """Every byte that a first visit to the home page fetches, as a browser that speaks gzip gets it."""
    fetched: dict[str, int] = {}
    elsewhere: set[str] = set()
    waiting = ["/"]
    while waiting:
        address = waiting.pop()
        if address in fetched:
            continue
        with _silence():
            status, headers, body = _call(wsgi, address, HTTP_ACCEPT_ENCODING="gzip, deflate, br")
        assert status == 200, address
        fetched[address] = len(body) + sum(len(name) + len(value) + 4 for name, value in headers)
        kind = dict(headers).get("Content-Type", "")
        found = _mentioned(_text(dict(headers), body), kind)
        for one in found:
            if one.startswith("data:"):
                continue
            if urlsplit(one).netloc:
                elsewhere.add(one)
            else:
                waiting.append(urljoin(address, one.replace("&amp;", "&")))
    total = sum(fetched.values()) / 1000
    print(f"\nfirst load of the home page: {total:.1f} kB in {len(fetched)} requests, headers and all")
    for address, size in sorted(fetched.items(), key=lambda pair: -pair[1]):
        print(f"  {size / 1000:6.1f} kB  {address}")
    print(f"from elsewhere: {', '.join(sorted(elsewhere)) or 'nothing'}")


def _mentioned(text: str, kind: str) -> list[str]:
    """Addresses that a browser fetches by itself on account of this page or stylesheet."""
    if "css" in kind:
        return re.findall(r"url\([\"']?([^\"')#]+)", text)
    if "html" not in kind:
        return []
    tags = re.findall(r"<(?:link|script|img|source|use)\b[^>]*>", text)
    fetched = [tag for tag in tags if not re.search(r'rel="(?:alternate|canonical|search)"', tag)]
    return [found[1] for tag in fetched if (found := re.search(r'\s(?:href|src)="([^"#]+)', tag))]


def _text(headers: dict[str, str], body: bytes) -> str:
    if headers.get("Content-Encoding") == "gzip":
        import gzip

        body = gzip.decompress(body)
    return body.decode(errors="replace")


@contextmanager
def _silence() -> Iterator[None]:
    """The access log is written as in production, but to nowhere."""
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        yield


if __name__ == "__main__":
    main()
