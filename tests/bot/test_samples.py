"""Updates as Telegram really sends them, of every kind: none raises, and what a person writes is answered."""

import json

from tests.telegram.driving import running

ANSWERED = ("text", "photo", "document", "sticker", "location", "contact", "voice", "video", "poll")


def test_every_sample_is_answered_or_ignored_without_an_error(shared, world, either_way, caplog):
    samples = sorted((shared / "data" / "telegram" / "atualizacoes").glob("*.json"))
    assert samples
    with running(either_way, world):
        for number, path in enumerate(samples, start=1000):
            update = {
                name: value for name, value in json.loads(path.read_text()).items() if name != "update_id"
            }
            before = len(world.sent("sendMessage"))
            world.push(update, number)
            world.settle(number)
            message = update.get("message") or {}
            if message.get("chat", {}).get("type") == "private" and any(kind in message for kind in ANSWERED):
                assert len(world.sent("sendMessage")) > before, f"{path.name}: nobody was answered"
    errors = [record.getMessage() for record in caplog.records if record.levelname in ("ERROR", "CRITICAL")]
    assert errors == []
