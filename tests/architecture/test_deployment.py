"""The files of ``docs/deploy`` as the programs they are for take them, each with a real one where it is installed."""

import os
import re
import shutil
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.client import HTTPSConnection
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from werkzeug.serving import make_server

from portal.config import settings
from portal.pages.headers import LARGEST_REQUEST
from portal.web import create_app
from tests.conftest import leave_out
from tests.portal.pages.test_headers import KEYS

DEPLOY = Path(__file__).parents[2] / "docs" / "deploy"
UNITS = sorted(DEPLOY.glob("*.service"))
SITE = "embarque.example.org"


class TestTheUnits:
    def test_are_what_systemd_takes(self, request, tmp_path):
        analyze = shutil.which("systemd-analyze")
        if not analyze:
            leave_out(request, "systemd-analyze")
        for unit in UNITS:  # nothing is installed where this runs: only the programs' paths are others
            text = re.sub(r"/opt/embarque/\.venv/bin/\w+", sys.executable, unit.read_text())
            (tmp_path / unit.name).write_text(text.replace("/opt/embarque", str(tmp_path)))
        found = subprocess.run(
            [str(analyze), "verify", "--man=no", *map(str, sorted(tmp_path.glob("*.service")))],
            capture_output=True,
            text=True,
            timeout=60,
        )

        ours = [line for line in found.stderr.splitlines() if "embarque" in line]
        assert (found.returncode, ours) == (0, [])

    @pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
    def test_have_no_more_rights_than_they_need(self, unit):
        text = unit.read_text()

        assert {"NoNewPrivileges=true", "ProtectSystem=strict", "PrivateTmp=true"} <= set(text.splitlines())
        assert "User=root" not in text
        assert "User=" in text

    def test_the_portals_cannot_read_what_is_the_desks_or_the_workers(self):
        text = (DEPLOY / "embarque-portal.service").read_text()

        for name in ("desk.env", "worker.env", "identity_private_keys.json", "card_private_keys.json"):
            assert f"-/etc/embarque/{name}" in text


class TestNginx:
    pytestmark = pytest.mark.slow

    @pytest.fixture
    def folder(self, tmp_path) -> Path:
        return tmp_path

    @pytest.fixture
    def ask(self, request, database, folder, monkeypatch) -> Iterator[httpx.Client]:
        """A browser before nginx, which stands before the portal; what the portal was told stands in ``told``."""
        nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
        if not nginx:
            leave_out(request, "nginx")
        monkeypatch.setenv("PROXIES", "1")
        settings.cache_clear()
        app = create_app(
            settings().model_copy(update={"public_url": f"https://{SITE}", "proxies": 1, **KEYS})
        )

        @app.get("/told")
        def told() -> dict[str, object]:
            from flask import request as here

            return {"from": here.remote_addr, "scheme": here.scheme, "host": here.host}

        server = make_server("127.0.0.1", 0, app, threaded=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with (
            _nginx(str(nginx), folder, server.server_port) as port,
            httpx.Client(base_url=f"https://127.0.0.1:{port}", verify=_trust(folder), timeout=30) as client,
        ):
            yield client
        server.shutdown()

    def test_stands_before_the_portal(self, ask, folder):
        named = {"Host": SITE}
        page = ask.get("/sobre?lang=en&q=BRA2E19", headers=named)

        assert page.status_code == 200
        assert "default-src 'self'" in page.headers["Content-Security-Policy"]
        assert "max-age" in page.headers["Strict-Transport-Security"]
        assert page.headers.get("Server", "nginx") == "nginx"
        assert all("Secure" in cookie for cookie in page.headers.get_list("Set-Cookie"))

        forged = {**named, "X-Forwarded-For": "203.0.113.9", "X-Forwarded-Host": "evil.example"}
        assert ask.get("/told", headers=forged).json() == {
            "from": "127.0.0.1",
            "scheme": "https",
            "host": SITE,
        }

        with pytest.raises(httpx.RemoteProtocolError):
            ask.get("/", headers={"Host": "evil.example"})

        too_big = HTTPSConnection("127.0.0.1", ask.base_url.port, timeout=30, context=_trust(folder))
        too_big.putrequest("POST", "/acompanhar", skip_host=True)
        for name, value in {**named, "Content-Length": str(LARGEST_REQUEST + (1 << 20))}.items():
            too_big.putheader(name, value)
        too_big.endheaders()
        assert too_big.getresponse().status == 413
        too_big.close()

        assert ask.get("/acompanhar?protocolo=7K3M", headers=named).status_code == 200
        assert ask.get("/caraguatatuba-sp/manifestacoes/nova?lang=en", headers=named).status_code == 200
        assert ask.get("/", headers={"Host": f"mesa.{SITE}"}).status_code == 403

        log = (folder / "embarque.log").read_text()
        assert '"GET /sobre" 200' in log
        assert "BRA2E19" not in log
        assert "acompanhar" not in log
        assert "manifestacoes" not in log

    def test_takes_what_the_portal_takes(self):
        megabytes = re.findall(r"client_max_body_size (\d+)m;", (DEPLOY / "nginx.conf").read_text())

        assert {int(found) << 20 for found in megabytes} == {LARGEST_REQUEST}


def _trust(folder: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(folder / "cert.pem"))


SLOW_SITE = """
import time
from portal.web import create_app as make

def create_app():
    app = make()
    app.add_url_rule("/slow", "slow", lambda: time.sleep(3) or "whole")
    return app
"""


@pytest.mark.slow
class TestEnding:
    def test_lets_the_request_in_hand_finish(self, database, tmp_path):
        (tmp_path / "slow_site.py").write_text(SLOW_SITE)
        unit = (DEPLOY / "embarque-portal.service").read_text()
        started = re.search(r"ExecStart=\S+/granian (.*) portal\.web:create_app", unit)
        assert started
        port = _free_port()
        command = started[1].replace("--port 8000", f"--port {port}").split()
        here = str(Path(__file__).parents[2])
        environ = {**os.environ, "PYTHONPATH": f"{tmp_path}:{here}"}
        with subprocess.Popen(
            [sys.executable, "-m", "granian", *command, "slow_site:create_app"], env=environ, cwd=here
        ) as process:
            site, told = f"http://127.0.0.1:{port}", []
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline:
                try:
                    httpx.get(f"{site}/livez", timeout=5)
                    break
                except httpx.TransportError:
                    time.sleep(0.2)
            asking = threading.Thread(target=lambda: told.append(httpx.get(f"{site}/slow", timeout=60).text))
            asking.start()
            time.sleep(1)
            process.terminate()
            asking.join(60)
            assert process.wait(60) == 0

        assert told == ["whole"]


@contextmanager
def _nginx(program: str, folder: Path, portal: int) -> Iterator[int]:
    _certificate(folder)
    site = (DEPLOY / "nginx.conf").read_text()
    port = _free_port()
    for found, put in (
        (r"listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        (r"/etc/ssl/embarque/fullchain\.pem", str(folder / "cert.pem")),
        (r"/etc/ssl/embarque/privkey\.pem", str(folder / "key.pem")),
        (r"/var/log/nginx", str(folder)),
        (r"http://127\.0\.0\.1:800[01]", f"http://127.0.0.1:{portal}"),
    ):
        site = re.sub(found, put, site)
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"pid {folder}/nginx.pid;\ndaemon off;\nworker_processes 1;\nevents {{}}\nhttp {{\n{temporary}{site}}}\n"
    )
    process = subprocess.Popen(
        [program, "-p", str(folder), "-c", str(folder / "nginx.conf"), "-e", str(folder / "start.log")],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        deadline = time.monotonic() + 20
        while not (folder / "nginx.pid").exists() or not (folder / "nginx.pid").read_text().strip():
            if process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError((folder / "start.log").read_text())
            time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait(20)


def _free_port() -> int:
    import socket

    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _certificate(folder: Path) -> None:
    from ipaddress import ip_address

    key, name = (
        ec.generate_private_key(ec.SECP256R1()),
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, SITE)]),
    )
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, SHA256())
    )
    (folder / "cert.pem").write_bytes(certificate.public_bytes(Encoding.PEM))
    (folder / "key.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
