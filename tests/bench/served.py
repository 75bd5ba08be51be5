"""``python -m tests.bench.served``: waiting at 70 % of what the portal can answer, and the memory its processes hold.

``portal run`` serves portal, desk and worker over 10,000 permits, as on any machine. What the portal can answer is
measured first, by eight visitors who ask again as soon as they are answered; then people come whether or not the ones
before were answered (Poisson arrivals, 70 % of that, over kept connections), and each waits from the instant at which
they came. Both in rounds, page and JSON in turn, each visitor from another address. Then complaints are filed with
photos of twelve megapixels, the desk opens every one, and what each process holds is read from the system. Visitors
are this process: it and the portal share the machine. Two numbers are rounds and arrivals a round.
"""

import asyncio
import html
import os
import random
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

import httpx
from PIL import Image

import portal.config
import portal.storage.database
from portal import clock
from portal.demo.staff import LOGINS, PASSWORD, add_demonstration_staff
from portal.domain.staff import Role
from portal.regulations import catalogue
from portal.sealing.folder import make_folder
from portal.services.schema import migrate_database
from portal.services.unit_of_work import unit_of_work
from tests.bench import register

PERMITS = 10_000
ROUNDS, ARRIVALS = 5, 1_000
VISITORS, SHARE = 8, 0.7
LOOK_UPS, COMPLAINTS, PHOTOS = 2_000, 4, 3
LONGEST_WAIT_AIM, MEMORY_AIM = 10, 150
"""p99 in p50s; megabytes a process."""
PAGE, JSON = f"/{register.TOWN}/verificar", f"/api/v1/{register.TOWN}/verify"


class Visitors:
    """A small HTTP client over kept connections: a large one would take the processor from the portal."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
        self._chooser = random.Random(port)
        self.asked = 0

    async def ask(self, path: str) -> None:
        plate = register.random_plate(PERMITS, self._chooser)
        address = ".".join(["10", *(str(self._chooser.randrange(256)) for _ in range(3))])
        if self._idle:
            reader, writer = self._idle.pop()
        else:
            reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        writer.write(
            f"GET {path}?q={plate} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nX-Forwarded-For: {address}\r\n"
            "Accept-Language: pt-BR\r\nAccept: */*\r\n\r\n".encode()
        )
        head = (await reader.readuntil(b"\r\n\r\n")).lower()
        assert head.startswith(b"http/1.1 200"), head
        if length := re.search(rb"content-length: (\d+)", head):
            await reader.readexactly(int(length[1]))
        else:
            while size := int(await reader.readline(), 16):
                await reader.readexactly(size + 2)
            await reader.readline()
        self.asked += 1
        self._idle.append((reader, writer))

    async def capacity(self, path: str, requests: int) -> float:
        """Answers a second while every visitor asks again at once."""
        left = iter(range(requests))

        async def visit() -> None:
            for _ in left:
                await self.ask(path)

        begun = time.perf_counter()
        await asyncio.gather(*(visit() for _ in range(VISITORS)))
        return requests / (time.perf_counter() - begun)

    async def waits(self, path: str, requests: int, rate: float) -> tuple[list[float], float]:
        """Seconds that each waited, in order; and how late the latest of a hundred was sent off by ourselves."""
        waited: list[float] = []
        late: list[float] = []

        async def arrive(at: float) -> None:
            late.append(time.perf_counter() - at)
            await self.ask(path)
            waited.append(time.perf_counter() - at)

        comes = time.perf_counter() + 0.1
        async with asyncio.timeout(3 * requests / rate + 10), asyncio.TaskGroup() as group:
            for _ in range(requests):
                comes += self._chooser.expovariate(rate)
                if (pause := comes - time.perf_counter()) > 0:
                    await asyncio.sleep(pause)
                group.create_task(arrive(comes))
        return sorted(waited), _part(sorted(late), 0.99)

    def leave(self) -> None:
        for _reader, writer in self._idle:
            writer.close()
        self._idle.clear()


async def _look_up(port: int, rounds: int, arrivals: int) -> int:
    """Prints what was found; returns how many look-ups there were."""
    visitors = Visitors(port)
    found: dict[str, list[tuple[float, float, float, float]]] = {PAGE: [], JSON: []}
    for path in found:
        await visitors.capacity(path, VISITORS * 4)  # templates are read once
    for _ in range(rounds):
        for path, told in found.items():
            capacity = await visitors.capacity(path, max(VISITORS, arrivals // 2))
            waited, late = await visitors.waits(path, arrivals, SHARE * capacity)
            told.append((capacity, _part(waited, 0.5), _part(waited, 0.99), late))
    print(f"at {SHARE:.0%} of what can be answered, median of {rounds} rounds of {arrivals} (least to most)")
    for path, told in found.items():
        print(path)
        for name, unit, values in (
            ("can be answered", "a second", [one[0] for one in told]),
            ("half wait at most", "ms", [one[1] * 1000 for one in told]),
            ("99 of 100 wait at most", "ms", [one[2] * 1000 for one in told]),
            ("that in the wait of half", f"times, aim {LONGEST_WAIT_AIM}", [one[2] / one[1] for one in told]),
            ("sent off late, 99 of 100", "ms", [one[3] * 1000 for one in told]),
        ):
            middle = statistics.median(values)
            print(f"  {name:26}{middle:8,.1f} {unit} ({min(values):,.1f} to {max(values):,.1f})")
    while visitors.asked < LOOK_UPS:
        await visitors.capacity(PAGE, min(200, LOOK_UPS - visitors.asked))
    visitors.leave()
    return visitors.asked


def _part(ordered: list[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def _file_with_photos(url: str, number: int) -> str:
    """A citizen answers, adds photos and sends; returns the protocol."""
    new = f"/{register.TOWN}/manifestacoes/nova"
    taps = {"what": "overcrowding", "vehicle": "unknown", "where": "unknown", "when": "now", "here": "here"}
    with httpx.Client(base_url=url, timeout=60, follow_redirects=True) as client:
        page = client.get(new)

        def send(asked: str, files: list[tuple[str, tuple[str, bytes]]] | None = None, **told: str) -> None:
            nonlocal page
            hidden = {name: _hidden(page.text, name) for name in ("draft", "csrf_token")}
            page = client.post(new, data=hidden | {"question": asked} | told, files=files)
            page.raise_for_status()

        while (asked := _hidden(page.text, "question")) != "identity":
            send(asked, option=taps.get(asked, "skip"))
        page = client.get(f"{new}?pergunta=photos")
        for photo in range(PHOTOS):
            send("photos", [("photos", (f"{photo}.jpg", _photo(number * PHOTOS + photo)))], option="add")
        send("photos", option="done")
        send("identity", option="anonymous")
        found = re.search(r"\b[0-9A-Y]{4}-[0-9A-Y]{4}-[0-9A-Y]{4}\b", page.text)
        assert found, page.url
        return found[0]


def _hidden(text: str, name: str) -> str:
    found = re.findall(rf'name="{name}" value="([^"]*)"', text)
    return html.unescape(found[-1]) if found else ""


def _photo(number: int) -> bytes:
    """Twelve megapixels that no codec makes small, as a telephone takes them."""
    out = BytesIO()
    noise = Image.effect_noise((1000, 750), 40 + number).resize((4000, 3000))
    Image.merge("RGB", (noise, noise.transpose(Image.Transpose.ROTATE_180), noise)).save(
        out, "JPEG", quality=88
    )
    return out.getvalue()


def _read_at_the_desk(url: str, protocols: list[str]) -> int:
    """An ombudsman opens the list, every case and every photo of it; returns how many pages and photos."""
    opened = 0
    with httpx.Client(base_url=url, timeout=60, follow_redirects=True) as client:
        page = client.get("/mesa/entrar")
        told = {"login": LOGINS[Role.OMBUDSMAN], "password": PASSWORD}
        token = {"csrf_token": _hidden(page.text, "csrf_token")}
        client.post("/mesa/entrar", data=told | token).raise_for_status()
        for protocol in protocols:
            listed = client.get("/mesa/")
            case = client.get(f"/mesa/manifestacoes/{protocol}")
            assert listed.status_code == case.status_code == 200, case.url
            assert protocol in case.text, case.url
            opened += 2
            for file in sorted(set(re.findall(r'"(/mesa/manifestacoes/[\w-]+/anexos/[\w-]+)', case.text))):
                client.get(file).raise_for_status()
                opened += 1
    return opened


class Watch:
    """What the processes under one hold, looked at all the while: those that come and go as well."""

    def __init__(self, root: int) -> None:
        self._root = root
        self.most: dict[int, tuple[str, float]] = {}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._look)

    def __enter__(self) -> "Watch":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._stop.wait(0.1):
            for pid, name, _now, most in holdings(self._root):
                self.most[pid] = (name, max(most, self.most.get(pid, ("", 0.0))[1]))


def holdings(root: int) -> Iterator[tuple[int, str, float, float]]:
    """Every process under ``root``: number, what it is, megabytes resident now and at the most."""
    waiting = [root]
    while waiting:
        pid = waiting.pop()
        try:
            for task in Path(f"/proc/{pid}/task").iterdir():
                waiting += [int(child) for child in (task / "children").read_text().split()]
            command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
            status = Path(f"/proc/{pid}/status").read_text()
        except OSError:  # it has ended
            continue
        sizes = dict(re.findall(r"^(VmRSS|VmHWM):\s+(\d+) kB", status, re.MULTILINE))
        if sizes:
            yield pid, _named(command), int(sizes["VmRSS"]) / 1000, int(sizes["VmHWM"]) / 1000


def _named(command: str) -> str:
    names = {
        "portal.web:create_app": "portal", "portal.desk:create_app": "desk", "portal.worker": "worker",
        "portal.cli": "portal run", "portal.files": "workshop of images",
    }  # fmt: skip
    return next((name for part, name in names.items() if part in command), command[:60])


def _print_holdings(root: int, watch: Watch, when: str) -> None:
    print(f"\nresident after {when} (aim: under {MEMORY_AIM} MB a process)")
    standing = set()
    for pid, name, now, most in holdings(root):
        standing.add(pid)
        print(f"  {name:24}{now:8.0f} MB, at the most {most:.0f}")
    gone: dict[str, float] = {}
    for pid, (name, most) in watch.most.items():
        if pid not in standing:
            gone[name] = max(most, gone.get(name, 0.0))
    for name, most in gone.items():
        print(f"  {name:24}         ended; at the most {most:.0f} MB seen")


@contextmanager
def _served(folder: Path) -> Iterator[tuple[int, str, str, int]]:
    """Port and address of the portal, address of the desk, the process of ``portal run``."""
    for name in [name for name in os.environ if name in KNOWN]:
        del os.environ[name]
    os.environ["PORTAL_STATE"] = str(folder)
    make_folder(folder, [town.slug for town in catalogue.municipalities()])
    with (folder / "portal.env").open("a") as file:
        file.write(f"DATABASE_URL=sqlite:///{folder / 'portal.db'}\nFILES_URL=file://{folder / 'files'}\n")
    for cached in (portal.config.settings, portal.storage.database.engine):
        cached.cache_clear()
    migrate_database()
    register.load(portal.storage.database.engine(), PERMITS)
    with unit_of_work(writes=True) as session:
        add_demonstration_staff(session, register.TOWN, now=clock.now())
    portal.storage.database.engine().dispose()
    port = _two_ports()
    url, desk = (f"http://127.0.0.1:{one}" for one in (port, port + 1))
    command = [sys.executable, "-m", "portal.cli", "run", "--port", str(port)]
    # One proxy of ours, so that each visitor is counted by an address of their own, as behind nginx.
    environment = os.environ | {"PROXIES": "1", "DESK_SECOND_FACTOR": ""}
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        for address in (f"{url}/healthz", f"{desk}/healthz"):
            _wait_for(address, server)
        yield port, url, desk, server.pid
    except BaseException:
        print((folder / "log").read_text()[-3000:], file=sys.stderr)
        raise
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(30)


KNOWN = {name.upper() for name in portal.config.Settings.model_fields} | set(portal.config.PRIVATE_SETTINGS)
"""Settings of whoever calls: here only those of the folder count."""


def _two_ports() -> int:
    """A free port whose next one is free as well."""
    while True:
        with socket.socket() as one, socket.socket() as other:
            one.bind(("127.0.0.1", 0))
            port: int = one.getsockname()[1]
            try:
                other.bind(("127.0.0.1", port + 1))
            except (OSError, OverflowError):
                continue
            return port


def _wait_for(address: str, server: "subprocess.Popen[bytes]") -> None:
    for _ in range(1200):
        assert server.poll() is None, "portal run ended"
        try:
            httpx.get(address, timeout=1).raise_for_status()
            return
        except httpx.HTTPError:
            time.sleep(0.1)
    raise TimeoutError(address)


def main() -> None:
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    rounds, arrivals = (*numbers, *(ROUNDS, ARRIVALS)[len(numbers) :])
    print(f"load {os.getloadavg()[0]:.0f} at the beginning")
    with (
        tempfile.TemporaryDirectory() as name,
        _served(Path(name)) as (port, url, desk, root),
        Watch(root) as watch,
    ):
        asked = asyncio.run(_look_up(port, rounds, arrivals))
        _print_holdings(root, watch, f"{asked:,} look-ups")
        protocols = [_file_with_photos(url, number) for number in range(COMPLAINTS)]
        opened = _read_at_the_desk(desk, protocols)
        _print_holdings(
            root, watch, f"{COMPLAINTS * PHOTOS} photos more, and {opened} pages and photos at the desk"
        )
        print(f"\nload {os.getloadavg()[0]:.0f} at the end")


if __name__ == "__main__":
    main()
