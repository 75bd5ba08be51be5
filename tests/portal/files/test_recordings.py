from io import BytesIO

import av
import pytest

from portal.domain.evidence import EvidenceKind
from portal.files.made import Refusal
from portal.files.workshop import make_anew
from tests.factories.evidence import recording, stubborn, voice


def tags_of(data: bytes) -> dict[str, str]:
    with av.open(BytesIO(data)) as opened:
        found = dict(opened.metadata)
        for stream in opened.streams:
            found |= stream.metadata
        return {key.lower(): value for key, value in found.items()}


def frames_of(data: bytes) -> int:
    with av.open(BytesIO(data)) as opened:
        return sum(1 for _frame in opened.decode(opened.streams[0]))


SENT = [
    ("mp4", "libx264", "aac", "video/mp4"), ("mov", "libx264", "pcm_s16le", "video/mp4"),
    ("mp4", "libx265", "aac", "video/mp4"), ("3gp", "libx264", "aac", "video/mp4"),
    ("webm", "libvpx", "libopus", "video/webm"), ("matroska", "libx264", "libopus", "video/x-matroska"),
    ("ogg", None, "libopus", "audio/ogg"), ("mp3", None, "libmp3lame", "audio/mpeg"),
    ("ogg", None, "flac", "audio/ogg"),
    ("wav", None, "pcm_s16le", "audio/wav"), ("ipod", None, "aac", "audio/mp4"), ("adts", None, "aac", "audio/aac"),
]  # fmt: skip
"""What telephones and Telegram send."""


class TestARecording:
    @pytest.mark.parametrize(("container", "video", "audio", "media_type"), SENT)
    def test_is_copied_without_anything_it_says_of_itself(self, container, video, audio, media_type):
        sent = recording(container, video, audio)
        made = make_anew(sent)
        assert made.clean
        assert made.media_type == media_type
        assert made.kind is (EvidenceKind.VIDEO if video else EvidenceKind.AUDIO)
        assert made.seconds == 1
        for told in (b"TELLTALE", b"23.62", b"x264", b"x265", b"2026"):
            assert told not in made.data, told
        assert not {"title", "artist", "comment", "location", "creation_time"} & set(tags_of(made.data))
        assert frames_of(made.data) == frames_of(sent)

    def test_says_to_the_person_when_and_where_it_was_made(self):
        made = make_anew(recording())
        assert made.taken_at == "2026-11-28T17:02:00+00:00"
        assert made.position == (-23.6205, -45.4131)

    def test_without_a_date_says_none(self):
        made = make_anew(recording(tells={}))
        assert (made.taken_at, made.position) == (None, None)

    def test_whose_pictures_carry_text_is_left_as_it_is_and_marked(self):
        sent = stubborn()
        made = make_anew(sent)
        assert (made.clean, made.data, made.kind) == (False, sent, EvidenceKind.VIDEO)

    @pytest.mark.parametrize("sent", [recording, voice])
    def test_cut_in_half_is_refused(self, sent):
        data = sent()
        with pytest.raises(Refusal) as refusal:
            make_anew(data[: len(data) // 2])
        assert refusal.value.why == "unreadable"

    def test_of_nothing_is_refused(self):
        with pytest.raises(Refusal):
            make_anew(b"\x00\x00\x00\x18ftypisom" + bytes(200))
