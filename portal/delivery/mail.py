"""Mail out, over SMTP."""

import smtplib
import ssl
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, make_msgid, parseaddr
from urllib.parse import unquote, urlsplit

from portal.delivery import Undeliverable


@dataclass(frozen=True, slots=True)
class Letter:
    to: str = field(repr=False)
    subject: str
    text: str


def send_mail(letter: Letter, *, smtp_url: str, mail_from: str, timeout: float = 30.0, now: datetime) -> None:
    """Hand one letter to the SMTP server.

    Args:
        smtp_url: ``smtp://user:password@host:587?starttls=1``, ``smtps://host:465`` or ``smtp://localhost:25``.
        timeout: seconds that the server may be silent.

    Raises:
        Undeliverable: the server refuses address or message for good, or the address is none.
        OSError, smtplib.SMTPException: anything that a later try may mend.
    """
    message = compose(letter, mail_from=mail_from, now=now)
    parts = urlsplit(smtp_url)
    host, context = parts.hostname or "localhost", ssl.create_default_context()
    server: smtplib.SMTP
    if parts.scheme == "smtps":
        server = smtplib.SMTP_SSL(host, parts.port or 465, timeout=timeout, context=context)
    else:
        server = smtplib.SMTP(host, parts.port or 25, timeout=timeout)
    with server:
        if parts.scheme == "smtp" and "starttls" in parts.query:
            server.starttls(context=context)
        if parts.username:
            server.login(unquote(parts.username), unquote(parts.password or ""))
        try:
            server.send_message(message)
        except smtplib.SMTPRecipientsRefused as refused:
            if all(500 <= code < 600 for code, _text in refused.recipients.values()):
                raise Undeliverable from None
            raise
        except smtplib.SMTPNotSupportedError:  # an address outside ASCII and a server without SMTPUTF8
            raise Undeliverable from None
        except smtplib.SMTPResponseException as answer:
            if 500 <= answer.smtp_code < 600:
                raise Undeliverable from None
            raise


def compose(letter: Letter, *, mail_from: str, now: datetime) -> EmailMessage:
    """The message as it goes out; an address or a subject that would add a header line is refused."""
    address = parseaddr(letter.to)[1]
    if address != letter.to or "@" not in address or not address.isprintable():
        raise Undeliverable
    message = EmailMessage(policy=SMTP)
    try:
        message["To"] = address
        message["From"] = mail_from
        message["Subject"] = letter.subject
    except ValueError:
        raise Undeliverable from None
    message["Date"] = format_datetime(now)
    message["Message-ID"] = make_msgid(domain=parseaddr(mail_from)[1].rpartition("@")[2] or "localhost")
    message["Auto-Submitted"] = "auto-generated"  # RFC 3834: no holiday reply comes back
    message.set_content(letter.text)
    return message
