import socket
from datetime import UTC, datetime

import pytest
from aiosmtpd.controller import Controller

from portal.delivery import Undeliverable
from portal.delivery.mail import Letter, compose, send_mail

NOW = datetime(2030, 3, 10, 12, 0, tzinfo=UTC)
FROM = "Ouvidoria <ouvidoria@exemplo.sp.gov.br>"


class Postbox:
    """A real SMTP server that keeps what it is given, or answers as told."""

    def __init__(self) -> None:
        self.letters: list[tuple[list[str], str]] = []
        self.answer_to_recipient: str | None = None

    async def handle_RCPT(self, server, session, envelope, address, options):
        if self.answer_to_recipient:
            return self.answer_to_recipient
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        self.letters.append((envelope.rcpt_tos, envelope.content.decode()))
        return "250 OK"


@pytest.fixture
def postbox():
    return Postbox()


@pytest.fixture
def smtp_url(postbox):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    controller = Controller(postbox, hostname="127.0.0.1", port=port)
    controller.start()
    yield f"smtp://127.0.0.1:{port}"
    controller.stop()


def letter(**changes):
    return Letter(**{"to": "ana@exemplo.com", "subject": "Há novidade", "text": "Olá,\nção\n", **changes})


class TestSendingMail:
    def test_it_arrives(self, postbox, smtp_url):
        send_mail(letter(), smtp_url=smtp_url, mail_from=FROM, now=NOW)

        ((recipients, content),) = postbox.letters
        assert recipients == ["ana@exemplo.com"]
        assert "Auto-Submitted: auto-generated" in content
        assert "Date: Sun, 10 Mar 2030 12:00:00 +0000" in content
        assert "exemplo.sp.gov.br>" in content.split("Message-ID:")[1].splitlines()[0]

    def test_an_address_refused_for_good_is_undeliverable(self, postbox, smtp_url):
        postbox.answer_to_recipient = "550 no such user"

        with pytest.raises(Undeliverable):
            send_mail(letter(), smtp_url=smtp_url, mail_from=FROM, now=NOW)

    def test_an_address_refused_for_now_is_tried_again(self, postbox, smtp_url):
        postbox.answer_to_recipient = "451 greylisted"

        with pytest.raises(Exception, match="451") as caught:
            send_mail(letter(), smtp_url=smtp_url, mail_from=FROM, now=NOW)
        assert not isinstance(caught.value, Undeliverable)


class TestComposing:
    @pytest.mark.parametrize(
        "to",
        [
            "",
            "ana",
            "ana@exemplo.com\r\nBcc: todos@exemplo.com",
            "ana@exemplo.com\nBcc: todos@exemplo.com",
            "Ana <ana@exemplo.com>",
            "ana@exemplo.com, bia@exemplo.com",
            "ana@exemplo.com\0",
        ],
    )
    def test_what_is_not_one_plain_address_is_refused(self, to):
        with pytest.raises(Undeliverable):
            compose(letter(to=to), mail_from=FROM, now=NOW)

    @pytest.mark.parametrize("line_break", ["\r\n", "\n", "\r"])
    def test_a_subject_adds_no_header(self, line_break):
        with pytest.raises(Undeliverable):
            compose(letter(subject=f"Oi{line_break}Bcc: todos@exemplo.com"), mail_from=FROM, now=NOW)

    def test_accents_survive(self):
        message = compose(letter(), mail_from=FROM, now=NOW)

        assert message["Subject"] == "Há novidade"
        assert "ção" in message.get_content()
