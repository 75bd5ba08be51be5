"""``portal metrics``: what Prometheus asks for, on a port of its own that nobody outside reaches."""

import os
import signal
from collections.abc import Iterator
from threading import Event

import click
from sqlalchemy.exc import SQLAlchemyError

from portal import clock
from portal.pages.metrics import SETTING
from portal.services.checkup import look_over
from portal.services.unit_of_work import unit_of_work


class Service:
    """The state of the whole service, read from the database when somebody asks."""

    def collect(self) -> Iterator[object]:
        from prometheus_client.core import GaugeMetricFamily

        def gauge(name: str, told: str, value: float) -> object:
            return GaugeMetricFamily(f"embarque_{name}", told, value=value)

        now = clock.now()
        try:
            with unit_of_work() as session:
                facts = look_over(session, now=now)
        except SQLAlchemyError:
            yield gauge("database_up", "Whether the database answers.", 0)
            return
        yield gauge("database_up", "Whether the database answers.", 1)
        yield gauge("outbox_due", "Deliveries that wait and are due.", facts.due)
        oldest = (now - facts.due_since).total_seconds() if facts.due_since else 0.0
        yield gauge("outbox_oldest_seconds", "Age of the oldest delivery that is due.", max(0.0, oldest))
        yield gauge("outbox_given_up", "Deliveries that could not be made.", facts.given_up)
        for name, told, at in (
            ("worker_seen", "When a worker last gave a sign of life.", facts.worked_at),
            ("backup", "When the last backup was made.", facts.backed_up_at),
        ):
            if at:
                yield gauge(f"{name}_timestamp_seconds", told, at.timestamp())


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", default=9464, show_default=True)
def metrics(host: str, port: int) -> None:
    """Serve figures of all processes at http://HOST:PORT/metrics, until Ctrl-C.

    They share the folder that PROMETHEUS_MULTIPROC_DIR names.
    """
    from prometheus_client import CollectorRegistry, start_http_server
    from prometheus_client.multiprocess import MultiProcessCollector

    registry = CollectorRegistry()
    registry.register(Service())  # type: ignore[arg-type]
    if os.environ.get(SETTING):
        os.makedirs(os.environ[SETTING], exist_ok=True)
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    else:
        click.echo(f"Without {SETTING} no requests are counted.", err=True)
    stop = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    server, thread = start_http_server(port, addr=host, registry=registry)
    click.echo(f"http://{host}:{server.server_port}/metrics")
    stop.wait()
    server.shutdown()
    thread.join()
