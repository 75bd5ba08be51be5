"""A command without its settings says which ones, in one line."""

import pytest
from click.testing import CliRunner

import portal.config
from portal.cli import main


@pytest.mark.parametrize(
    ("language", "said"), [("pt_BR.UTF-8", "Falta ou está errado"), ("en_US.UTF-8", "Missing or wrong")]
)
def test_names_what_is_missing_and_no_value(environment, monkeypatch, tmp_path, language, said):
    monkeypatch.setenv("PORTAL_STATE", str(tmp_path / "none"))
    monkeypatch.delenv("PUBLIC_KEYS")
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.setenv("LANG", language)
    portal.config.settings.cache_clear()
    answer = CliRunner().invoke(main, ["verify", "caraguatatuba-sp", "BRA2E19"])

    assert answer.exit_code == 1
    assert said in answer.output
    assert "PUBLIC_KEYS" in answer.output
    assert "SECRET_KEY" not in answer.output
    assert answer.output.count("\n") == 1
