"""Selects of the hottest path, compiled once and run on the driver's own cursor.

SQLAlchemy's execution of a select that is already in its cache costs ten times what SQLite takes to answer it
from an index. The statement, its parameters and its columns stay SQLAlchemy's: only the execution is ours.
"""

from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from sqlalchemy import Engine, Select
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import Session

_Convert = Callable[[Any], Any] | None


class Reader:
    """A look at the database through prepared selects alone, all of them at one state of it; opened by ``with``.

    To open and close a `Session` and its connection costs three times what the whole look-up asks of SQLite.
    """

    def __init__(self, engine: Engine) -> None:
        self.dialect = engine.dialect
        self._connection = engine.raw_connection()
        self.cursor = self._connection.cursor

    def __enter__(self) -> Self:
        if self.dialect.name == "sqlite":  # the other drivers begin by themselves
            self._connection.driver_connection.execute("BEGIN")  # type: ignore[union-attr]
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _frames: TracebackType | None
    ) -> None:
        self._connection.close()  # back to the pool, which rolls back


class Prepared:
    """A select with named parameters; none of them may be a list, as the text is written once."""

    def __init__(self, statement: Select[Any]) -> None:
        self.statement = statement
        self._plans: dict[str, _Plan] = {}

    def rows(self, source: Session | Reader, parameters: Mapping[str, Any]) -> Sequence[Any]:
        """Every row, its columns converted as their types ask; in the transaction of ``source``."""
        if isinstance(source, Reader):
            dialect, new_cursor = source.dialect, source.cursor
        else:
            connection = source.connection()
            dialect, new_cursor = connection.dialect, connection.connection.cursor
        plan = self._plans.get(dialect.name)
        if plan is None:
            plan = self._plans[dialect.name] = _Plan(self.statement, dialect)
        cursor = new_cursor()
        try:
            cursor.execute(plan.sql, plan.bind(parameters))
            found = cursor.fetchall()
        finally:
            cursor.close()
        return plan.convert(found)


class _Plan:
    """A statement as one kind of database takes it."""

    def __init__(self, statement: Select[Any], dialect: Dialect) -> None:
        compiled = statement.compile(dialect=dialect)
        self.sql = str(compiled)
        self._order = list(compiled.positiontup) if compiled.positional and compiled.positiontup else None
        self._binds: dict[str, _Convert] = {
            name: bind.type.dialect_impl(dialect).bind_processor(dialect)
            for name, bind in compiled.binds.items()
        }
        converters = [
            column.type.dialect_impl(dialect).result_processor(dialect, None)
            for column in statement.selected_columns
        ]
        self._converters = [(at, convert) for at, convert in enumerate(converters) if convert is not None]

    def bind(self, parameters: Mapping[str, Any]) -> Any:
        values = {
            name: convert(parameters[name]) if convert else parameters[name]
            for name, convert in self._binds.items()
        }
        return values if self._order is None else [values[name] for name in self._order]

    def convert(self, found: Sequence[Any]) -> Sequence[Any]:
        if not self._converters:
            return found
        rows = []
        for row in found:
            cells = list(row)
            for at, convert in self._converters:
                if cells[at] is not None:
                    cells[at] = convert(cells[at])
            rows.append(tuple(cells))
        return rows
