"""The worker: delivers the outbox and keeps the house. The bot runs it in its own process, with its sender.

A row is claimed and committed before it is sent, and forgotten after; so a worker killed at any instruction
loses nothing, and at worst sends one message twice.
"""

import logging
import signal
from collections.abc import Callable, Iterable, Mapping
from datetime import date, timedelta
from threading import Event
from time import monotonic

from portal import clock
from portal.config import Watch, WorkerSettings, worker_settings
from portal.delivery import TryLater, Undeliverable
from portal.delivery.anchors import add_anchor
from portal.delivery.mail import Letter, send_mail
from portal.i18n import SOURCE, translator
from portal.regulations import catalogue
from portal.sealing.opening import open_sealed, read_notice_keys
from portal.services import housekeeping
from portal.services.casework import DESK_MAIL, desk_address
from portal.services.housekeeping import AT_START, CHORES, Chore
from portal.services.messages import outbox
from portal.services.messages.outbox import Delivery
from portal.services.people import anchors
from portal.services.unit_of_work import unit_of_work
from portal.wording.desk import alarm_subject, alarm_text
from portal.wording.notices import anchor_subject, anchor_text, news_subject, news_text

log = logging.getLogger(__name__)

Opener = Callable[[bytes, str], bytes]
"""Opens a box, given the record it is bound to."""

Sender = Callable[[Delivery, bytes | None], None]
"""Sends one delivery; the second argument is its opened box, such as an address. Raises when it could not."""

PAUSE = 1.0
"""Seconds between two looks at an empty outbox; a look only reads."""
PAUSE_AFTER_TROUBLE = 10.0
HOUSEKEEPING_EVERY = 60.0


def work(stop: Event, *, senders: Mapping[str, Sender], open_box: Opener) -> None:
    """Deliver and keep house until ``stop`` is set; outlives every error of a sender and of the database.

    Args:
        senders: what sends each kind of delivery; kinds without a sender wait for a worker that has one.
        open_box: opens what was sealed to the notice key.
    """
    keep_house(AT_START)
    housekeeping_due = monotonic()
    watch = Watch()
    while not stop.is_set():
        try:
            watch.changed()  # keys that were rotated meanwhile
            if monotonic() >= housekeeping_due:
                housekeeping_due = monotonic() + HOUSEKEEPING_EVERY
                keep_house_in_turn()
            delivered = deliver_due(senders=senders, open_box=open_box, stop=stop)
        except Exception as error:  # the database is away, or a bug: the queue keeps until it is mended
            log.error("the worker stumbled: %s", type(error).__name__)
            stop.wait(PAUSE_AFTER_TROUBLE)
            continue
        if not delivered:
            stop.wait(PAUSE)


def keep_house(chores: Iterable[Chore] = CHORES) -> None:
    """Do each chore now, whoever else does; one that fails is tried again the next time, and stops no other."""
    for chore in chores:
        _do(chore)


def keep_house_in_turn() -> None:
    """Do the chores that are due and that no other worker has claimed."""
    for chore in housekeeping.claim(now=clock.now()):
        failure = _do(chore)
        housekeeping.done(chore, now=clock.now(), failure=failure)


def _do(chore: Chore) -> str | None:
    """The type of the error that it failed with; its text may say what was to be erased."""
    try:
        chore(clock.now())
    except Exception as error:
        log.error("the chore %s failed: %s", chore.name, type(error).__name__)
        return type(error).__name__
    return None


def deliver_due(*, senders: Mapping[str, Sender], open_box: Opener, stop: Event | None = None) -> int:
    """Send what is due now, one row a claim; answers how many rows were taken."""
    taken = 0
    while stop is None or not stop.is_set():
        with unit_of_work() as session:
            due = outbox.next_delivery(session, senders.keys())
        if due is None or due > clock.now():
            break
        with unit_of_work(writes=True) as session:
            # One at a time: a slow server must not let the claim of the next row run out.
            claimed = outbox.claim(session, senders.keys(), now=clock.now(), limit=1)
        if not claimed:
            break
        for delivery in claimed:
            _deliver(delivery, senders[delivery.kind], open_box)
            taken += 1
    return taken


def _deliver(delivery: Delivery, send: Sender, open_box: Opener) -> None:
    # An error's text may carry an address, so that its type is all that is kept and logged.
    failure: str | None = None
    wait: timedelta | None = None
    hopeless = False
    try:
        box = delivery.sealed
        send(delivery, open_box(box, delivery.record or "") if box is not None else None)
    except Undeliverable as error:
        failure, hopeless = type(error).__name__, True
    except TryLater as error:
        failure, wait = type(error).__name__, error.wait
    except Exception as error:
        failure = type(error).__name__
    with unit_of_work(writes=True) as session:
        if failure is None:
            outbox.done(session, delivery.id)
        elif hopeless:
            outbox.bury(session, delivery.id, failure=failure)
        else:
            outbox.retry_later(session, delivery.id, now=clock.now(), failure=failure, wait=wait)
    if failure is not None:
        log.warning("delivery %s (%s), try %s: %s", delivery.id, delivery.kind, delivery.attempts, failure)


def mail_sender(*, smtp_url: str, mail_from: str, public_url: str, timeout: float = 30.0) -> Sender:
    """Sends deliveries of the kind ``mail``: payload ``protocol`` and ``language``, box the address."""

    def send(delivery: Delivery, address: bytes | None) -> None:
        if address is None:
            raise Undeliverable
        _ = translator(str(delivery.payload["language"]))
        protocol = str(delivery.payload["protocol"])
        letter = Letter(
            to=address.decode(),
            subject=news_subject(protocol, _),
            text=news_text(protocol, f"{public_url}/acompanhar", _),
        )
        send_mail(letter, smtp_url=smtp_url, mail_from=mail_from, timeout=timeout, now=clock.now())

    return send


def desk_mail_sender(*, smtp_url: str, mail_from: str, desk_url: str, timeout: float = 30.0) -> Sender:
    """Sends deliveries of the kind ``desk_mail``: a due date is near, and nothing of what the complaint is about."""

    def send(delivery: Delivery, _box: bytes | None) -> None:
        address = desk_address(str(delivery.payload["municipality"]))
        if address is None:
            raise Undeliverable
        _ = translator("pt_BR")
        protocol = str(delivery.payload["protocol"])
        due_on = date.fromisoformat(str(delivery.payload["due_on"]))
        letter = Letter(
            to=address,
            subject=alarm_subject(protocol, due_on, _),
            text=alarm_text(protocol, due_on, delivery.payload["of"] == "unit", f"{desk_url}/mesa/", _),
        )
        send_mail(letter, smtp_url=smtp_url, mail_from=mail_from, timeout=timeout, now=clock.now())

    return send


def anchor_sender(configured: WorkerSettings) -> Sender:
    """Tells the head of an audit log outside: in the file that only grows, and in a letter to the town's address."""

    def send(delivery: Delivery, _opened: bytes | None) -> None:
        town, line = (
            catalogue.municipality(str(delivery.payload["municipality"])),
            str(delivery.payload["line"]),
        )
        if configured.audit_anchor_file:
            add_anchor(configured.audit_anchor_file, line)
        if town.privacy.anchor_email and configured.smtp_url and configured.mail_from:
            _ = translator(SOURCE)
            letter = Letter(
                to=town.privacy.anchor_email,
                subject=anchor_subject(town.name, _),
                text=anchor_text(line, _),
            )
            send_mail(
                letter,
                smtp_url=configured.smtp_url,
                mail_from=configured.mail_from,
                timeout=configured.smtp_timeout,
                now=clock.now(),
            )

    return send


def senders_of(configured: WorkerSettings) -> dict[str, Sender]:
    """The senders that settings alone can make; the bot adds ``telegram``."""
    senders = {anchors.KIND: anchor_sender(configured)}
    if configured.smtp_url and configured.mail_from:
        senders["mail"] = mail_sender(
            smtp_url=configured.smtp_url,
            mail_from=configured.mail_from,
            public_url=configured.public_url,
            timeout=configured.smtp_timeout,
        )
        senders[DESK_MAIL] = desk_mail_sender(
            smtp_url=configured.smtp_url,
            mail_from=configured.mail_from,
            desk_url=configured.desk_url.rstrip("/"),
            timeout=configured.smtp_timeout,
        )
    return senders


def opener(configured: WorkerSettings) -> Opener:
    """Opens what was sealed to the notice key, or to one that has come since into the file of settings."""
    keys = dict(read_notice_keys(configured.notice_private_key.get_secret_value()))
    watch = Watch()

    def open_box(box: bytes, record: str) -> bytes:
        if watch.changed():
            keys.update(read_notice_keys(worker_settings().notice_private_key.get_secret_value()))
        return open_sealed(box, keys, record=record)

    return open_box


def main() -> None:
    """Run as a process of its own, for a town without the bot."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(name)s %(levelname)s %(message)s")
    configured = worker_settings()
    stop = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    work(stop, senders=senders_of(configured), open_box=opener(configured))
    log.info("the worker has stopped")


if __name__ == "__main__":
    main()
