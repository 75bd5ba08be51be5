import csv
import random
from datetime import UTC, date, datetime
from pathlib import Path

import openpyxl
import pytest
from sqlalchemy import func, select

from portal.domain.permits import Service, Status
from portal.domain.plates import twin
from portal.i18n import translator
from portal.services.register.permit_import import import_permits
from portal.services.register.staging import PLATFORM, ImportOrder
from portal.services.unit_of_work import unit_of_work
from portal.services.verdicts.verification import verify_permit
from portal.storage.imports import ImportRunRow, StagedPermitRow
from portal.storage.permits import PermitRow
from portal.wording.register_import import row_problem_sentence
from portal.wording.verdicts import verdict_sentence

TOWN = "caraguatatuba-sp"
NOW = datetime(2026, 11, 30, 15, tzinfo=UTC)
TODAY = date(2026, 11, 30)

HEADER = "numero;ano;titular_tipo;nome_fantasia;placa;posicao;papel;lotacao;itinerario;velocidade_max;emissao"
TRAIN = [
    "2026/0001;2026;empresa;Trenzinho da Orla;BRA-2E19;1;trator;0;centro;30;10/12/2025",
    "2026/0001;2026;empresa;Trenzinho da Orla;bra 3e19;2;reboque;20;centro;30;10/12/2025",
    "2026/0001;2026;empresa;Trenzinho da Orla;BRA.4E19;3;reboque;20;centro;30;10/12/2025",
]


@pytest.fixture
def files(tmp_path, database):
    def write(*lines: str, name="cadastro.csv", encoding="utf-8", end="\n") -> Path:
        path = tmp_path / name
        path.write_bytes(end.join(lines).encode(encoding))
        return path

    return write


def bring(path, *, mapping=None, events=None, now=NOW, **told):
    order = ImportOrder(
        municipality=told.pop("municipality", TOWN),
        as_of=told.pop("as_of", TODAY),
        service=told.pop("service", Service.RECREATIONAL),
        **told,
    )
    return import_permits(path, order, now=now, mapping=mapping, events=events)


def ask(query, on=TODAY, municipality=TOWN):
    with unit_of_work() as session:
        return verify_permit(session, municipality, query, on=on, now=NOW)


def count(row) -> int:
    with unit_of_work() as session:
        return session.scalar(select(func.count()).select_from(row))


def reasons(report):
    return {(problem.line, problem.code) for problem in report.problems}


class TestReadingARegister:
    def test_rows_of_one_permit_are_its_vehicles(self, files):
        report = bring(files(HEADER, *TRAIN))

        assert (report.outcome, report.rows_read, report.added) == ("merged", 3, 1)
        verdict = ask("BRA3E19")
        assert verdict.status is Status.AUTHORIZED
        assert [(unit.plate, unit.role) for unit in verdict.units] == [
            ("BRA2E19", "tractor"),
            ("BRA3E19", "trailer"),
            ("BRA4E19", "trailer"),
        ]
        (permit,) = verdict.permits
        assert (permit.capacity, permit.max_speed_kmh, permit.itinerary) == (40, 30, "centro")
        assert permit.trade_name == "Trenzinho da Orla"
        assert verdict.lists[0].source == "Cadastro municipal"
        assert count(StagedPermitRow) == 0

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
    @pytest.mark.parametrize("delimiter", [";", ",", "\t", "|"])
    def test_any_delimiter_and_encoding(self, files, encoding, delimiter):
        lines = ["Nº da Autorização;Placa;Lotação;Nome fantasia", "2026/0007;BRA2E19;20;Praça é Nossa"]
        path = files(*(line.replace(";", delimiter) for line in lines), encoding=encoding, end="\r\n")

        assert bring(path).outcome == "merged"
        assert ask("BRA2E19").permits[0].trade_name == "Praça é Nossa"

    def test_titles_above_the_header_are_passed_over(self, files):
        path = files("PREFEITURA MUNICIPAL;;", "Relação de autorizações, 2026;;", "", HEADER, *TRAIN)

        assert bring(path).added == 1

    def test_a_workbook_is_read_as_the_clerk_sees_it(self, tmp_path, database):
        book = openpyxl.Workbook()
        sheet = book.active
        sheet.append(["Autorizações de transporte recreativo"])
        sheet.append([])
        sheet.append(["Prefixo", "Placa", "Ano", "Emissão", "Lotação", "Validade"])
        sheet.append([12, "bra2e19", 2026, date(2025, 12, 10), 20.0, date(2026, 12, 31)])
        path = tmp_path / "cadastro.xlsx"
        book.save(path)

        report = bring(path)

        assert report.outcome == "merged"
        verdict = ask("12/2026")
        assert verdict.status is Status.AUTHORIZED
        assert verdict.permits[0].capacity == 20

    def test_events_in_columns_and_in_a_second_file_give_the_status(self, files):
        register = files(HEADER, *TRAIN)
        acts = files(
            "numero,evento,data,ate,placa,ato",
            "2026/0001,emissao,10/12/2025,,,Portaria 7",
            "2026/0001,vistoria_reprovada,03/11/2026,,BRA4E19,",
            name="atos.csv",
        )

        assert bring(register, events=acts).outcome == "merged"

        assert ask("BRA2E19", on=date(2026, 11, 2)).status is Status.AUTHORIZED
        verdict = ask("BRA2E19")
        assert verdict.status is Status.BARRED
        assert [unit.status for unit in verdict.units][-1] is Status.BARRED

    def test_a_mapping_names_the_columns_of_another_file(self, files, tmp_path):
        mapping = tmp_path / "poa.toml"
        mapping.write_text('[columns]\nnumero = "Código"\n[values]\ntitular_tipo = "empresa"\n')
        path = files("Código;Chapa;Placa", "7;x;BRA2E19")

        report = bring(path, mapping=mapping)

        assert report.outcome == "merged"
        assert report.columns_ignored == ("B (Chapa)",)
        assert ask("7").units[0].plate == "BRA2E19"


class TestRefusingRows:
    BAD = (
        "2026/0002;2026;empresa;X;BRA12;1;;20;;30;10/12/2025",
        "2026/0003;2026;empresa;X;BRA2E29;1;;vinte;;30;10/12/2025",
        "2026/0004;2026;empresa;X;BRA2E39;1;;20;;30;31/02/2026",
        ";2026;empresa;X;BRA2E49;1;;20;;30;10/12/2025",
        "ABC1234;2026;empresa;X;BRA2E59;1;;20;;30;10/12/2025",
    )

    def test_each_is_told_with_its_line_column_and_reason_and_nothing_changes(self, files):
        report = bring(files(HEADER, *TRAIN, *self.BAD))

        assert report.outcome == "refused"
        assert reasons(report) == {
            (5, "no_plate"),
            (6, "no_number"),
            (7, "no_date"),
            (8, "missing_value"),
            (9, "no_permit_number"),
        }
        said = row_problem_sentence(report.problems[0], translator("pt_BR"))
        assert said == "cadastro.csv, linha 5, campo placa: “BRA12” não é uma placa."
        assert count(PermitRow) == 0
        assert count(ImportRunRow) == 1

    def test_the_clerk_may_leave_them_out(self, files):
        report = bring(files(HEADER, *TRAIN, *self.BAD), skip_bad_rows=True)

        assert (report.outcome, report.added, report.rows_refused) == ("merged", 1, 5)

    def test_half_a_combination_is_never_merged(self, files):
        path = files(HEADER, *TRAIN[:2], TRAIN[2].replace("BRA.4E19", "???"))

        report = bring(path, skip_bad_rows=True)

        assert report.added == 0

    def test_a_cpf_or_a_persons_name_never_leaves_the_importer(self, files):
        path = files(
            HEADER + ";nome;cpf",
            "123.456.789-09;2026;empresa;;BRA2E29;1;;20;;30;10/12/2025;Fulano;123.456.789-09",
            "2026/0002;2026;mei;FULANO DE TAL 12345678909;BRA2E39;1;;20;;30;10/12/2025;Fulano;",
            "2026/0003;2026;pessoa;Fulano de Tal;BRA2E49;1;;20;;30;10/12/2025;Fulano;",
        )

        report = bring(path, skip_bad_rows=True)

        told = repr(report)
        assert "Fulano" not in told.replace("FULANO", "")
        assert "789" not in told
        assert (2, "personal_number") in reasons(report)
        assert report.added == 2
        assert ask("BRA2E39").permits[0].trade_name is None
        assert ask("BRA2E49").permits[0].trade_name is None

    def test_rows_of_a_permit_may_not_contradict_each_other(self, files):
        report = bring(files(HEADER, TRAIN[0], TRAIN[1].replace(";30;", ";40;")))

        assert (3, "contradicts_permit") in reasons(report)

    def test_a_doubled_row_is_said_and_counts_once(self, files):
        report = bring(files(HEADER, *TRAIN, TRAIN[1]))

        assert report.outcome == "merged"
        assert (5, "doubled_row") in reasons(report)

    @pytest.mark.parametrize(
        ("lines", "code"),
        [
            (("nome;idade", "a;1"), "no_header"),
            (("numero;lotacao", "1;2"), "missing_column"),
            (("",), "empty_file"),
            (("PK\x03\x04 broken",), "unreadable_file"),
        ],
    )
    def test_a_file_without_a_table_is_refused_whole(self, files, lines, code):
        report = bring(files(*lines))

        assert report.outcome == "refused"
        assert code in {problem.code for problem in report.problems}

    def test_a_nul_is_a_refused_row_and_no_failure(self, files):
        report = bring(files(HEADER, TRAIN[0].replace("Orla", "Or\0la")))

        assert (2, "null_character") in reasons(report)


class TestImportingAgain:
    def test_the_same_file_twice_changes_nothing(self, files):
        path = files(HEADER, *TRAIN)
        bring(path)

        again = bring(path)

        assert again.outcome == "unchanged"
        assert count(ImportRunRow) == 1

    def test_a_dry_run_says_the_same_and_keeps_nothing(self, files):
        path = files(HEADER, *TRAIN)

        report = bring(path, dry_run=True)

        assert (report.outcome, report.added) == ("dry_run", 1)
        assert count(PermitRow) == count(ImportRunRow) == 0

    def test_a_changed_row_is_a_new_wording_and_the_old_one_can_still_be_asked(self, files):
        bring(files(HEADER, *TRAIN), now=datetime(2026, 11, 1, tzinfo=UTC))
        revised = [line.replace("Trenzinho da Orla", "Trem da Orla") for line in TRAIN]
        report = bring(files(HEADER, *revised))

        assert (report.changed, report.added) == (1, 0)
        with unit_of_work() as session:
            then = verify_permit(
                session, TOWN, "BRA2E19", on=TODAY, now=NOW, known_at=datetime(2026, 11, 15, tzinfo=UTC)
            )
        assert then.permits[0].trade_name == "Trenzinho da Orla"
        assert ask("BRA2E19").permits[0].trade_name == "Trem da Orla"

    def test_a_vehicle_that_the_list_no_longer_names_has_left(self, files):
        bring(files(HEADER, *TRAIN), as_of=date(2026, 11, 1))
        bring(files(HEADER, *TRAIN[:2]), as_of=date(2026, 11, 20))

        assert ask("BRA4E19", on=date(2026, 11, 19)).status is Status.AUTHORIZED
        after = ask("BRA4E19", on=date(2026, 11, 20))
        assert after.status is Status.NOT_FOUND
        assert "left_permit" in {note.code for note in after.notes}

    def test_a_corrected_event_replaces_the_old_one(self, files):
        header = HEADER + ";suspensao_de;suspensao_ate"
        bring(files(header, TRAIN[0] + ";10/11/2026;20/11/2026"))
        assert ask("BRA2E19").status is Status.SUSPENDED

        bring(files(header, TRAIN[0] + ";;"))

        assert ask("BRA2E19").status is Status.AUTHORIZED

    def test_a_permit_missing_from_the_list_stays_unless_told_to_retire_it(self, files):
        other = "2026/0002;2026;empresa;Outro;BRA5E19;1;;20;;30;10/12/2025"
        bring(files(HEADER, *TRAIN, other), as_of=date(2026, 11, 1))

        bring(files(HEADER, *TRAIN), as_of=date(2026, 11, 10))
        assert ask("BRA5E19").status is Status.AUTHORIZED

        report = bring(
            files(HEADER, *TRAIN), as_of=date(2026, 11, 20), retire_missing=True, source="Cadastro municipal"
        )
        assert report.outcome == "unchanged"  # the same file: the clerk is told so
        report = bring(files(HEADER, *TRAIN, ""), as_of=date(2026, 11, 20), retire_missing=True)
        assert report.retired == 1
        assert ask("BRA5E19").status is Status.NOT_FOUND
        assert ask("BRA5E19", on=date(2026, 11, 19)).status is Status.AUTHORIZED

    def test_a_retired_permit_that_is_named_again_is_back(self, files):
        bring(files(HEADER, *TRAIN), as_of=date(2026, 11, 1))
        bring(
            files(HEADER, "2026/0002;2026;empresa;Outro;BRA5E19;1;;20;;30;10/12/2025"),
            as_of=date(2026, 11, 10),
            retire_missing=True,
        )
        assert ask("BRA2E19").status is Status.NOT_FOUND

        report = bring(files(HEADER, *TRAIN, ""), as_of=date(2026, 11, 20))

        assert report.changed == 1
        assert ask("BRA2E19").status is Status.AUTHORIZED

    def test_no_permit_is_retired_while_rows_are_refused(self, files):
        bring(files(HEADER, *TRAIN), as_of=date(2026, 11, 1))
        path = files(HEADER, "2026/0002;2026;empresa;X;???;1;;20;;30;10/12/2025")

        report = bring(path, as_of=date(2026, 11, 10), retire_missing=True, skip_bad_rows=True)

        assert report.retirement_withheld
        assert ask("BRA2E19").status is Status.AUTHORIZED

    def test_a_platforms_list_is_another_list_with_its_own_day(self, files):
        bring(files(HEADER, *TRAIN))
        path = files("numero;placa", "900;BRA7E19")
        bring(
            path,
            service=Service.RIDE_HAILING,
            kind=PLATFORM,
            source="Aplicativo Exemplo",
            as_of=date(2026, 6, 30),
        )

        verdict = ask("BRA9A99")

        assert verdict.status is Status.UNKNOWN
        assert "Aplicativo Exemplo" in verdict_sentence(verdict, translator("pt_BR"))

    def test_a_platforms_list_never_changes_a_permit_of_the_register(self, files):
        bring(files(HEADER, *TRAIN))

        report = bring(files("numero;placa", "2026/0001;BRA7E19"), kind=PLATFORM, source="Aplicativo Exemplo")

        assert (report.changed, report.unchanged) == (0, 1)
        assert ask("BRA3E19").status is Status.AUTHORIZED


def spellings(plate: str) -> list[str]:
    return [
        plate.lower(),
        f"{plate[:3]}-{plate[3:]}",
        f" {plate[:3].lower()} {plate[3:]} ",
        f"{plate[:3]}.{plate[3:]}\u200b",
        "".join(chr(ord(c) + 0xFEE0) for c in plate),
    ]


class TestARealRegister:
    """Porto Alegre's taxi fleet, brought in as the list of a town."""

    MAPPING = (
        '[columns]\nnumero = "prefixo"\nano_modelo = "ano_fabricacao"\n[values]\ntitular_tipo = "empresa"\n'
    )

    @pytest.mark.parametrize(
        ("name", "rows"), [("frota_taxi_poa.csv", 2510), ("frota_taxi_poa_portal_latin1.csv", 800)]
    )
    def test_a_hundred_plates_in_five_spellings_are_found_and_a_hundred_absent_are_not(
        self, shared, tmp_path, database, name, rows
    ):
        path = shared / "data" / "registros" / name
        mapping = tmp_path / "taxi.toml"
        mapping.write_text(self.MAPPING)

        report = bring(path, mapping=mapping, service=Service.RIDE_HAILING)

        assert (report.outcome, report.rows_read, report.added) == ("merged", rows, rows)
        text = path.read_bytes().decode("cp1252" if "latin1" in name else "utf-8")
        known = [
            row["placa"]
            for row in csv.DictReader(text.splitlines(), delimiter=";" if "latin1" in name else ",")
        ]
        chosen = random.Random(7)
        for plate in chosen.sample(known, 100):
            for typed in spellings(plate):
                verdict = ask(typed)
                assert verdict.status is Status.AUTHORIZED, typed
                assert verdict.asked == plate
            other = twin(plate)
            if other:
                assert ask(other).status is Status.AUTHORIZED
        keys = set(known)
        absent = 0
        while absent < 100:
            plate = "".join(chosen.choice("ABCDEFGHIJ") for _ in range(3)) + f"{chosen.randrange(10_000):04d}"
            if plate in keys or twin(plate) in keys:
                continue
            absent += 1
            assert ask(plate).status is Status.NOT_FOUND, plate
