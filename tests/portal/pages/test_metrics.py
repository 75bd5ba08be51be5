"""Figures of several processes, added up on a port of their own."""

import os
import re
import subprocess
import sys
from urllib.request import urlopen

import pytest

ASK = """
from portal.web import create_app
browser = create_app().test_client()
for path in ("/sobre", "/sobre", "/verificar?q=BRA2E19", "/BRA2E19", "/livez"):
    browser.get(path)
"""


class TestFigures:
    @pytest.fixture
    def environ(self, keys, database, tmp_path):
        return {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path / "figures")}

    def test_are_those_of_all_processes_and_of_nobody(self, environ):
        for _process in range(2):
            subprocess.run(
                [sys.executable, "-c", ASK], env=environ, check=True, stdout=subprocess.DEVNULL, timeout=120
            )
        command = [sys.executable, "-m", "portal.cli", "metrics", "--port", "0"]
        with subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True) as serving:
            assert serving.stdout
            address = serving.stdout.readline().strip()
            with urlopen(address, timeout=60) as answer:
                told = answer.read().decode()
            serving.terminate()
            assert serving.wait(30) == 0

        asked = re.search(
            r'embarque_requests_total\{.*route="notices.about".*status="200".*\} ([\d.]+)', told
        )
        assert asked
        assert float(asked[1]) == 4.0
        assert "embarque_request_seconds_bucket" in told
        assert "embarque_database_up 1.0" in told
        assert "embarque_outbox_oldest_seconds 0.0" in told
        assert "BRA2E19" not in told
        assert set(re.findall(r"[{,](\w+)=", told)) <= {"site", "route", "method", "status", "le"}

    def test_are_not_on_the_public_site(self, client):
        assert client.get("/metrics").status_code == 404
