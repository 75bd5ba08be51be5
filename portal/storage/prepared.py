"""Selects of the hottest path, compiled once and run on the driver's own cursor.

SQLAlchemy's execution of a select that is already in its cache costs ten times what SQLite takes to answer it
from an index. The statement, its parameters and its columns stay SQLAlchemy's: only the execution is ours.
"""

import threading
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from sqlalchemy import Engine, Select
from sqlalchemy.engine import Dialect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

_Convert = Callable[[Any], Any] | None


class Reader:
    """A look at the database through prepared selects alone, all of them at one state of it; opened by ``with``.

    To open and close a `Session` and its connection costs three times what the whole look-up asks of SQLite; to
    take a connection out of the pool and give it back still costs as much. So each thread keeps one of SQLite's
    open for its readers, with no transaction between two of them.
    """

    __slots__ = ("_engine", "_lent", "_open", "dialect")

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.dialect = engine.dialect

    def __enter__(self) -> Self:
        try:
            if self.dialect.name == "sqlite":
                self._lent = None
                self._open = _kept_connection(self._engine)
                self._open.execute("BEGIN")
            else:  # the other drivers begin by themselves, and a connection of theirs may be lost: the pool sees to it
                self._lent = self._engine.raw_connection()
                self._open = self._lent.driver_connection
        except self.dialect.loaded_dbapi.Error as error:
            raise _worded(error, self.dialect) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, _error: BaseException | None, _frames: TracebackType | None
    ) -> None:
        if self._lent is not None:
            self._lent.close()  # back to the pool, which rolls back
        elif kind is None:
            self._open.rollback()
            _readers.kept = (self._engine, self._open)
        else:
            self._open.close()  # whatever went wrong, the next reader starts anew

    def fetch(self, sql: str, parameters: Any) -> list[Any]:
        """Every row of a statement, as the driver gives it."""
        try:
            found: list[Any] = self._open.execute(sql, parameters).fetchall()
        except self.dialect.loaded_dbapi.Error as error:
            raise _worded(error, self.dialect) from error
        return found


_readers = threading.local()


def _kept_connection(engine: Engine) -> Any:
    """SQLite's connection of this thread, which nobody else has until it is kept again."""
    owner, connection = getattr(_readers, "kept", None) or (None, None)
    _readers.kept = None
    if owner is engine:
        return connection
    if connection is not None:
        connection.close()
    made = engine.raw_connection()
    driver = made.driver_connection
    made.detach()  # it no longer counts in the pool
    return driver


class Prepared:
    """A select with named parameters; none of them may be a list, as the text is written once."""

    def __init__(self, statement: Select[Any]) -> None:
        self.statement = statement
        self._plans: dict[str, _Plan] = {}

    def rows(self, source: Session | Reader, parameters: Mapping[str, Any]) -> Sequence[Any]:
        """Every row, its columns converted as their types ask; in the transaction of ``source``."""
        if isinstance(source, Reader):
            plan = self._plan(source.dialect)
            return plan.convert(source.fetch(plan.sql, plan.bind(parameters)))
        connection = source.connection()
        plan = self._plan(connection.dialect)
        cursor = connection.connection.cursor()
        try:
            cursor.execute(plan.sql, plan.bind(parameters))
            found = cursor.fetchall()
        except connection.dialect.loaded_dbapi.Error as error:
            raise _worded(error, connection.dialect) from error
        finally:
            cursor.close()
        return plan.convert(found)

    def _plan(self, dialect: Dialect) -> "_Plan":
        plan = self._plans.get(dialect.name)
        if plan is None:
            plan = self._plans[dialect.name] = _Plan(self.statement, dialect)
        return plan


def _worded(error: Exception, dialect: Dialect) -> BaseException:
    """A driver's error as SQLAlchemy would have raised it, so that nobody has to know the drivers."""
    return DBAPIError.instance(
        None, None, error, dialect.loaded_dbapi.Error, hide_parameters=True, dialect=dialect
    )


class _Plan:
    """A statement as one kind of database takes it."""

    def __init__(self, statement: Select[Any], dialect: Dialect) -> None:
        compiled = statement.compile(dialect=dialect)
        self.sql = str(compiled)
        order = list(compiled.positiontup) if compiled.positional and compiled.positiontup else None
        binds: dict[str, _Convert] = {
            name: bind.type.dialect_impl(dialect).bind_processor(dialect)
            for name, bind in compiled.binds.items()
        }
        self._positional = order is not None
        self._binds = [(name, binds[name]) for name in (binds if order is None else order)]
        converters = [
            column.type.dialect_impl(dialect).result_processor(dialect, None)
            for column in statement.selected_columns
        ]
        self._converters = [(at, convert) for at, convert in enumerate(converters) if convert is not None]

    def bind(self, parameters: Mapping[str, Any]) -> Any:
        if self._positional:
            return [
                convert(parameters[name]) if convert else parameters[name] for name, convert in self._binds
            ]
        return {
            name: convert(parameters[name]) if convert else parameters[name] for name, convert in self._binds
        }

    def convert(self, found: Sequence[Any]) -> Sequence[Any]:
        if not self._converters or not found:
            return found
        rows = []
        for row in found:
            cells = list(row)
            for at, convert in self._converters:
                if cells[at] is not None:
                    cells[at] = convert(cells[at])
            rows.append(tuple(cells))
        return rows
