"""The command line: one module a subject, listed here."""

import os
from typing import Any

import click
from pydantic import ValidationError

from portal.cli import (
    backup,
    desk,
    doctor,
    export_gtfs,
    import_gtfs,
    import_permits,
    keys,
    metrics,
    permit,
    purge,
    rules,
    run,
    schema,
    verify,
)
from portal.config import state_folder
from portal.i18n import negotiate, translator


class _Commands(click.Group):
    """Says in words which settings a command misses."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except ValidationError as wrong:
            if not wrong.title.endswith("Settings"):
                raise
            # Their names and never their values.
            names = sorted({str(fault["loc"][0]).upper() for fault in wrong.errors() if fault["loc"]})
            _ = translator(negotiate(os.environ.get("LC_ALL"), os.environ.get("LANG")))
            raise click.ClickException(
                _("Falta ou está errado, no ambiente ou na pasta %(folder)s: %(names)s.")
                % {"folder": state_folder(), "names": ", ".join(names)}
            ) from None


@click.group(cls=_Commands)
def main() -> None:
    """Embarque Legal: verify, find where to board, be heard."""


@click.group("import")
def import_group() -> None:
    """Bring a register or a feed in: staged first, shown in one step, the same file twice changes nothing."""


for command in (import_gtfs.gtfs, import_gtfs.itineraries, import_gtfs.lines, import_gtfs.places):
    import_group.add_command(command)
import_group.add_command(import_permits.permits)

main.add_command(run.run)
main.add_command(backup.backup)
main.add_command(backup.restore)
main.add_command(doctor.doctor)
main.add_command(desk.desk)
main.add_command(import_group)
main.add_command(export_gtfs.export_group)
main.add_command(keys.keys)
main.add_command(metrics.metrics)
main.add_command(permit.permit)
main.add_command(purge.purge)
main.add_command(rules.rules)
main.add_command(schema.migrate)
main.add_command(schema.revision)
main.add_command(verify.verify)
