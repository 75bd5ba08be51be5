import json
import stat

import pytest

from portal.config import PRIVATE_SETTINGS
from portal.sealing.boxes import seal
from portal.sealing.folder import SecretsExist, add_municipalities, make_folder, read_env
from portal.sealing.keys import read_public_keys
from portal.sealing.opening import open_sealed, read_identity_keys, read_notice_keys

TOWNS = ("exemplo-sp", "outra-mt")


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "secrets"
    make_folder(made, TOWNS)
    return made


class TestTheFolderOfSecrets:
    def test_only_its_owner_reads_it(self, folder):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}

    def test_it_is_never_overwritten(self, folder):
        before = {path.name: path.read_text() for path in folder.iterdir()}

        with pytest.raises(SecretsExist):
            make_folder(folder, TOWNS)

        assert {path.name: path.read_text() for path in folder.iterdir()} == before

    def test_the_public_portal_is_given_no_private_key(self, folder):
        values = read_env(folder / "portal.env")

        assert not set(PRIVATE_SETTINGS) & set(values)
        text = (folder / "portal.env").read_text() + (folder / "public_keys.json").read_text()
        for entries in json.loads((folder / "identity_private_keys.json").read_text()).values():
            assert all(entry["key"] not in text for entry in entries)

    def test_what_is_sealed_to_a_town_opens_with_its_key_alone(self, folder):
        public = read_public_keys(folder / "public_keys.json")
        private = read_identity_keys(folder / "identity_private_keys.json")
        box = seal(b"Ana", public.identity["exemplo-sp"], record="r")

        assert open_sealed(box, private["exemplo-sp"], record="r") == b"Ana"
        with pytest.raises(ValueError, match="no key"):
            open_sealed(box, private["outra-mt"], record="r")

    def test_the_worker_opens_what_is_sealed_to_the_notice_key(self, folder):
        public = read_public_keys(folder / "public_keys.json").notice
        private = read_notice_keys(read_env(folder / "worker.env")["NOTICE_PRIVATE_KEY"])

        assert (
            open_sealed(seal(b"ana@exemplo.com", public, record="r"), private, record="r")
            == b"ana@exemplo.com"
        )

    def test_a_municipality_that_joins_gets_a_key_and_the_others_keep_theirs(self, folder):
        before = read_public_keys(folder / "public_keys.json").identity["exemplo-sp"].id

        assert add_municipalities(folder, (*TOWNS, "nova-pb")) == ("nova-pb",)

        after = read_public_keys(folder / "public_keys.json").identity
        assert set(after) == {*TOWNS, "nova-pb"}
        assert after["exemplo-sp"].id == before
        assert "nova-pb" in read_identity_keys(folder / "identity_private_keys.json")
