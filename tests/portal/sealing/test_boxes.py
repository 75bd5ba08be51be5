from base64 import b64decode

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey

from portal.sealing.boxes import UnreadableBox, read_header, seal
from portal.sealing.keys import PublicKey, new_key_pair
from portal.sealing.opening import open_sealed, private_key


@pytest.fixture
def pair():
    return new_key_pair()


def public(pair):
    return PublicKey(id=pair.id, key=X25519PublicKey.from_public_bytes(b64decode(pair.public)))


class TestABox:
    def test_opens_with_its_key_for_its_record(self, pair):
        box = seal(b"Nome", public(pair), record="t/1")
        assert open_sealed(box, {pair.id: private_key(pair.private)}, record="t/1") == b"Nome"

    def test_says_its_version_and_key(self, pair):
        header = read_header(seal(b"Nome", public(pair), record="t/1"))
        assert (header.version, header.key_id) == (1, pair.id)

    def test_does_not_open_for_another_record(self, pair):
        box = seal(b"Nome", public(pair), record="t/1")
        with pytest.raises(UnreadableBox):
            open_sealed(box, {pair.id: private_key(pair.private)}, record="t/2")

    def test_does_not_open_with_another_key(self, pair):
        box = seal(b"Nome", public(pair), record="t/1")
        other = new_key_pair()
        with pytest.raises(UnreadableBox):
            open_sealed(box, {other.id: private_key(other.private)}, record="t/1")
        with pytest.raises(UnreadableBox):
            open_sealed(box, {pair.id: private_key(other.private)}, record="t/1")

    def test_opens_after_a_rotation_while_the_old_key_is_held(self, pair):
        box, newer = seal(b"Nome", public(pair), record="t/1"), new_key_pair()
        keys = {newer.id: private_key(newer.private), pair.id: private_key(pair.private)}
        assert open_sealed(box, keys, record="t/1") == b"Nome"

    @pytest.mark.parametrize("box", [b"", b"\x01", b"\x02\x01a", b"\x01\xffab", b"\x01\x02ab", b"\x01\x01\xef"])
    def test_that_is_none_is_said_to_be_none(self, box, pair):
        with pytest.raises(UnreadableBox):
            open_sealed(box, {"ab": private_key(pair.private)}, record="t/1")
