"""A register made dirty on purpose: nothing of a person, and no run of eleven digits, leaves the importer.

Every name and number in it is invented here, so that each can be looked for afterwards: in the whole database,
in the report, in what the command prints and logs, and on the desk's pages.
"""

import logging
import random
import re
import sqlite3
from datetime import UTC, date, datetime
from pathlib import Path

import openpyxl
import pytest
from click.testing import CliRunner
from sqlalchemy import select

from portal import clock
from portal.cli import main
from portal.domain.permits import Service
from portal.i18n import translator
from portal.services.register import publications
from portal.services.register.permit_import import import_permits, stage_register
from portal.services.register.permits import keeper_at
from portal.services.register.staging import ImportOrder
from portal.services.unit_of_work import unit_of_work
from portal.storage.tables import metadata
from portal.wording.register_import import row_problem_sentence

TOWN = "caraguatatuba-sp"
NOW = datetime(2026, 11, 30, 15, tzinfo=UTC)
NAMES = ("Zuleica", "Quirino", "Wanderleia", "Xisto", "Ywanna", "Zé", "Kátia", "Péricles", "Lia", "Ivo")
SURNAMES = ("Quaresma", "Xavantino", "Wlademir", "Zambelê", "Kubrusly", "Ypê", "Sá")
HEADER = ("Nº da Autorização", "Ano", "Tipo do titular", "Nome fantasia", "Placa", "Papel", "Tipo do veículo",
          "Ano modelo", "Lotação", "Roteiro", "Velocidade", "Validade", "Emissão", "Ato", "CPF", "Proprietário",
          "Observações")  # fmt: skip


def cpf(chooser: random.Random, *, dotted: bool) -> str:
    digits = [chooser.randrange(10) for _ in range(9)]
    for length in (9, 10):
        total = sum(digit * (length + 1 - at) for at, digit in enumerate(digits))
        digits.append(total * 10 % 11 % 10)
        assert len(digits) == length + 1
    text = "".join(map(str, digits))
    return f"{text[:3]}.{text[3:6]}.{text[6:9]}-{text[9:]}" if dotted else text


def spelled(chooser: random.Random, plate: str) -> str:
    return chooser.choice(
        [
            plate,
            plate.lower(),
            f"{plate[:3]}-{plate[3:]}",
            f" {plate[:3]} {plate[3:]} ",
            f"{plate[:3]}.{plate[3:]}\u200b",
            "".join(chr(ord(c) + 0xFEE0) for c in plate),
            f"placa {plate}",
        ]
    )


class Dirt:
    """Rows as clerks keep them, and everything in them that must not come out."""

    def __init__(self, seed: int, rows: int) -> None:
        self.chooser = chooser = random.Random(seed)
        self.secrets: set[str] = set()
        self.rows = [self._row(n) for n in range(rows)]
        self.rows += chooser.sample(self.rows, rows // 10)  # doubled rows
        chooser.shuffle(self.rows)

    def name(self) -> str:
        first, last = self.chooser.choice(NAMES), self.chooser.choice(SURNAMES)
        self.secrets.update((first, last))
        return f"{first} {last}".upper() if self.chooser.random() < 0.3 else f"{first} de {last}"

    def number(self, *, dotted: bool | None = None) -> str:
        text = cpf(self.chooser, dotted=self.chooser.random() < 0.5 if dotted is None else dotted)
        self.secrets.add(re.sub(r"\D", "", text))
        self.secrets.add(re.sub(r"\D", "", text).lstrip("0"))
        return text

    def _row(self, n: int) -> list[str]:
        chooser = self.chooser
        plate = "".join(chooser.choice("BCDFG") for _ in range(3)) + f"{n:04d}"
        if chooser.random() < 0.5:
            plate = plate[:4] + chooser.choice("ABCDEFGHIJ") + plate[5:]
        row = [
            f"2026/{n:04d}", chooser.choice(["2026", "2026.0", "2.026"]), chooser.choice(["empresa", "PJ", "", "MEI"]),
            f"Trenzinho {n}", spelled(chooser, plate), chooser.choice(["trator", "Veículo", ""]),
            chooser.choice(["Trator", "Reboque", "KOMBI"]), chooser.choice(["2012", "2012,0", "1998"]),
            chooser.choice(["20", "20,0", "20 lugares"]), chooser.choice(["ORLA", "centro", ""]),
            chooser.choice(["30", "30 km/h", "60"]), chooser.choice(["31/12/2026", "46387", "2026-12-31"]),
            "10/12/2025", chooser.choice(["", "Portaria 7/2025"]), self.number(), self.name(), self.name(),
        ]  # fmt: skip
        self._spoil(row)
        return row

    def _spoil(self, row: list[str]) -> None:
        """Something personal in a column where nothing of the kind belongs."""
        chooser = self.chooser
        if chooser.random() < 0.5:
            return
        at = chooser.randrange(len(HEADER) - 3)
        row[at] = chooser.choice(
            [
                self.name,
                self.number,
                lambda: f"{self.name()} {self.number()}",
                lambda: f"{row[at]} {self.name()}",
                lambda: f"12.345.678 {self.name()}" if at == 3 else self.name(),
            ]
        )()
        if at == 3:  # a person's own name: of a person's permit, or as an old sole trader is registered
            row[2] = (
                "MEI" if re.search(r"\d{3}\.?\d{3}", row[at]) else chooser.choice(["pessoa física", "PF"])
            )

    def write_csv(self, path: Path, delimiter: str) -> Path:
        """Title rows above the header, and each line in an encoding of its own."""
        lines = [
            delimiter.join(["PREFEITURA MUNICIPAL", *[""] * 5]),
            delimiter.join([f"Responsável: {self.name()}", "", self.number()]),
            "",
            delimiter.join(HEADER),
            *(
                delimiter.join(f'"{cell}"' if delimiter in cell else cell for cell in row)
                for row in self.rows
            ),
        ]
        path.write_bytes(
            b"\r\n".join(
                line.encode(self.chooser.choice(["utf-8", "cp1252"]), errors="ignore") for line in lines
            )
        )
        return path

    def write_workbook(self, path: Path) -> Path:
        """Merged titles, and numbers that the workbook keeps as floats."""
        book = openpyxl.Workbook()
        sheet = book.active
        sheet.append([f"Cadastro de {self.name()}"])
        sheet.merge_cells("A1:Q1")
        sheet.append([])
        sheet.append(list(HEADER))
        for row in self.rows:
            cells: list[object] = list(row)
            if re.fullmatch(r"\d{11}", row[14]):
                cells[14] = float(row[14])
            for at, cell in enumerate(row[:14]):
                if re.fullmatch(r"\d{11}", cell):
                    cells[at] = float(cell)  # its leading zeros are gone
            sheet.append(cells)
        book.save(path)
        return path


@pytest.fixture(params=["csv;", "csv,", "csv\t", "xlsx"])
def dirty(request, tmp_path, database):
    dirt = Dirt(seed=sum(map(ord, request.param)), rows=150)
    name = f"cadastro do {dirt.name()} {dirt.number(dotted=False)}"
    folder = tmp_path / "given"
    folder.mkdir()
    if request.param == "xlsx":
        return dirt, dirt.write_workbook(folder / f"{name}.xlsx")
    return dirt, dirt.write_csv(folder / f"{name}.csv", request.param[-1])


def order(**told) -> ImportOrder:
    return ImportOrder(TOWN, date(2026, 11, 30), service=Service.RECREATIONAL, **told)


def whole_database() -> str:
    """Every value of every table, as text."""
    told: list[str] = []
    with unit_of_work() as session:
        for table in metadata().sorted_tables:
            for row in session.execute(select(table)):
                told += [str(value) for value in row if value is not None]
    return "\n".join(told)


def assert_clean(text: str, secrets: set[str]) -> None:
    for word in re.findall(r"[^\W\d_]+", text):
        assert word.casefold() not in {secret.casefold() for secret in secrets}, word
    for secret in secrets:
        if secret.isdigit() and len(secret) > 8:
            assert secret not in text
            dotted = f"{secret[:3]}.{secret[3:6]}.{secret[6:9]}-{secret[9:]}"
            assert dotted not in text


class TestADirtyRegister:
    def test_nothing_of_a_person_is_kept_or_told(self, dirty, caplog):
        dirt, path = dirty
        caplog.set_level(logging.DEBUG)

        run_id = stage_register(path, order(), now=NOW)

        _ = translator("pt_BR")
        with unit_of_work() as session:
            told = publications.read_publication(session, keeper_at(TOWN), run_id)
        sentences = "\n".join(row_problem_sentence(one, _) for one in told.problems)
        assert told.rows_refused > 20
        assert told.added > 40
        assert_clean(whole_database(), dirt.secrets)
        assert_clean(repr(told) + sentences + caplog.text, dirt.secrets)

        publications.publish(keeper_at(TOWN), run_id, skip_bad_rows=True, now=NOW)
        assert_clean(whole_database(), dirt.secrets)

    def test_nor_in_the_free_pages_of_the_database(self, dirty, environment):
        dirt, path = dirty

        import_permits(path, order(skip_bad_rows=True), now=NOW)

        files = [one for one in environment.iterdir() if one.name.startswith("portal.db")]
        if not files:
            return  # PostgreSQL keeps its files elsewhere
        with sqlite3.connect(environment / "portal.db") as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        content = (environment / "portal.db").read_bytes()
        for secret in dirt.secrets:
            if len(secret) > 4:
                assert secret.encode() not in content
                assert secret.upper().encode() not in content

    def test_nor_does_the_command_print_it(self, dirty, monkeypatch):
        dirt, path = dirty
        monkeypatch.setattr(clock, "now", lambda: NOW)

        command = ["import", "permits", str(path), "--municipality", TOWN, "--service", "recreativo"]
        result = CliRunner().invoke(main, [*command, "--dry-run", "--skip-bad-rows"])

        assert result.exit_code == 0, result.output
        assert_clean(result.output, dirt.secrets)

    def test_what_is_sound_is_read_in_every_spelling(self, dirty):
        dirt, path = dirty

        report = import_permits(path, order(skip_bad_rows=True), now=NOW)

        numbers = {row[0] for row in dirt.rows}
        assert report.outcome == "merged"
        assert report.rows_read == len(dirt.rows)
        assert report.added + report.rows_refused >= len(numbers) * 0.9
