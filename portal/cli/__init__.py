"""The command line: one module a subject, listed here."""

import click


@click.group()
def main() -> None:
    """Embarque Legal: verify, find where to board, be heard."""
