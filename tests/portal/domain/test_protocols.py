import pytest

from portal.domain.access_keys import fold, keyed_hash, new_access_key, word_list
from portal.domain.protocols import ALPHABET, is_protocol, new_protocol, read_protocol


class TestProtocols:
    def test_are_not_guessed_from_another(self):
        assert len({new_protocol() for _ in range(1000)}) == 1000

    @pytest.mark.parametrize(
        "spelling", [str.lower, lambda p: p.replace("-", ""), lambda p: f" {p.replace('-', ' . ')}\n"]
    )
    def test_are_read_however_typed(self, spelling):
        protocol = new_protocol()
        assert read_protocol(spelling(protocol)) == protocol

    def test_look_alikes_are_read_as_what_they_look_like(self):
        assert read_protocol("OIL0-UZ") == "0110-V2"

    def test_every_single_slip_is_noticed(self):
        protocol = new_protocol().replace("-", "")
        for position, right in enumerate(protocol):
            for wrong in ALPHABET:
                if wrong != right:
                    assert not is_protocol(protocol[:position] + wrong + protocol[position + 1 :])

    def test_swapped_neighbours_are_noticed(self):
        protocol = new_protocol().replace("-", "")
        for i in range(len(protocol) - 1):
            if protocol[i] != protocol[i + 1]:
                assert not is_protocol(protocol[:i] + protocol[i + 1] + protocol[i] + protocol[i + 2 :])


class TestAccessKeys:
    def test_are_six_words_of_a_list_of_2048(self):
        words = new_access_key().split()
        assert len(words) == 6
        assert set(words) <= set(word_list())
        assert len(word_list()) == 2048

    def test_are_folded(self):
        assert fold("Maçã-RIO  ｓｏｌ_1") == "macariosol"

    def test_the_hash_depends_on_protocol_and_pepper(self):
        hashes = {keyed_hash("a b", protocol, pepper) for protocol in ("P", "Q") for pepper in (b"1", b"2")}
        assert len(hashes) == 4
