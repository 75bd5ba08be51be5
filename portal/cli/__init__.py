"""The command line: one module a subject, listed here."""

import click

from portal.cli import (
    desk,
    export_gtfs,
    import_gtfs,
    import_permits,
    keys,
    permit,
    purge,
    rules,
    run,
    schema,
    verify,
)


@click.group()
def main() -> None:
    """Embarque Legal: verify, find where to board, be heard."""


@click.group("import")
def import_group() -> None:
    """Bring a register or a feed in: staged first, shown in one step, the same file twice changes nothing."""


for command in (import_gtfs.gtfs, import_gtfs.itineraries, import_gtfs.lines, import_gtfs.places):
    import_group.add_command(command)
import_group.add_command(import_permits.permits)

main.add_command(run.run)
main.add_command(desk.desk)
main.add_command(import_group)
main.add_command(export_gtfs.export_group)
main.add_command(keys.keys)
main.add_command(permit.permit)
main.add_command(purge.purge)
main.add_command(rules.rules)
main.add_command(schema.migrate)
main.add_command(schema.revision)
main.add_command(verify.verify)
