from datetime import UTC, datetime

import pytest
from click.testing import CliRunner

from portal import clock
from portal.cli import main

TABLE = "numero;placa;lotacao;emissao\n2026/0001;BRA-2E19;20;10/12/2025\n"


@pytest.fixture
def run(database, monkeypatch, tmp_path):
    monkeypatch.setattr(clock, "now", lambda: datetime(2026, 11, 30, 15, tzinfo=UTC))

    def bring(text, *words):
        path = tmp_path / "cadastro.csv"
        path.write_text(text)
        arguments = ["import", "permits", str(path), "--municipality", "caraguatatuba-sp"]
        return CliRunner().invoke(main, [*arguments, "--service", "recreativo", *words])

    return bring


class TestImportingAtTheCommandLine:
    def test_what_changed_is_said_and_the_plate_is_found(self, run):
        answer = run(TABLE)

        assert answer.exit_code == 0
        assert "1 novas" in answer.output
        said = CliRunner().invoke(main, ["verify", "caraguatatuba-sp", "bra 2e19"]).output
        assert said.startswith("Autorizado")

    def test_the_same_file_again_is_said_to_change_nothing(self, run):
        run(TABLE)

        assert "nada mudou" in run(TABLE).output

    def test_a_refused_row_is_told_with_line_column_and_reason(self, run):
        answer = run(TABLE + "2026/0002;BRA2E;20;10/12/2025\n")

        assert answer.exit_code == 1
        assert "cadastro.csv, linha 3, campo placa: “BRA2E” não é uma placa." in answer.output

    def test_a_rehearsal_says_so(self, run):
        assert "Ensaio" in run(TABLE, "--dry-run").output

    def test_a_broken_mapping_is_told(self, run, tmp_path):
        mapping = tmp_path / "mapa.toml"
        mapping.write_text('[columns]\nchapa = "x"\n')

        answer = run(TABLE, "--map", str(mapping))

        assert answer.exit_code == 1
        assert "mapa.toml: [columns] chapa" in answer.output

    def test_where_the_service_is_missing_the_option_is_named(self, run, tmp_path):
        run(TABLE)
        path = tmp_path / "p.csv"
        path.write_text(TABLE)
        answer = CliRunner().invoke(
            main, ["import", "permits", str(path), "--municipality", "caraguatatuba-sp"]
        )

        assert answer.exit_code == 1
        assert "p.csv: a planilha não diz o serviço de cada linha: diga-o com --service." in answer.output
        assert "nenhuma linha foi lida" in answer.output
        assert "0 de 0" not in answer.output

    @pytest.mark.parametrize(
        ("name", "shown"),
        [
            ("p.csv", "p.csv"),
            ("lista2.csv", "lista2.csv"),
            ("cadastro_2026-11.csv", "cadastro_2026-11.csv"),
            ("zuleica.csv", "arquivo.csv"),
            ("cadastro 52998224725.csv", "arquivo.csv"),
        ],
    )
    def test_a_file_keeps_its_name_unless_a_person_is_in_it(self, run, tmp_path, name, shown):
        path = tmp_path / name
        path.write_text(TABLE + "2026/0002;nada;20;10/12/2025\n")
        words = [
            "import",
            "permits",
            str(path),
            "--municipality",
            "caraguatatuba-sp",
            "--service",
            "recreativo",
        ]

        assert f"{shown}, linha 3" in CliRunner().invoke(main, words).output
