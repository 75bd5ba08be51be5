"""Rows by the thousand, on the driver's own cursor.

SQLAlchemy builds a dictionary and a list for every row of an executemany; for a register of a million rows that
costs more than the database does. The statement, its columns and their types stay SQLAlchemy's.
"""

from collections.abc import Callable, Iterable
from typing import Any

from sqlalchemy import Connection, insert
from sqlalchemy.engine import Dialect


class Bulk:
    """Inserts rows given as lists, whose values stand in the order of ``columns``."""

    def __init__(self, row: type[Any], columns: Iterable[str]) -> None:
        self.table = row.__table__
        self.columns = tuple(columns)
        self._plans: dict[str, tuple[str, list[tuple[int, Callable[[Any], Any]]]]] = {}

    def write(self, connection: Connection, rows: list[list[Any]]) -> None:
        """Write the rows in the transaction of ``connection``; dates in them are changed in place."""
        if not rows:
            return
        name = connection.dialect.name
        if name not in self._plans:
            self._plans[name] = self._plan(connection.dialect)
        sql, converters = self._plans[name]
        for at, convert in converters:
            known: dict[Any, Any] = {None: None}  # days and flags repeat
            for row in rows:
                value = row[at]
                if value in known:
                    row[at] = known[value]
                else:
                    row[at] = known[value] = convert(value)
        cursor = connection.connection.cursor()
        try:
            cursor.executemany(sql, rows)
        finally:
            cursor.close()

    def _plan(self, dialect: Dialect) -> tuple[str, list[tuple[int, Callable[[Any], Any]]]]:
        compiled = insert(self.table).compile(dialect=dialect, column_keys=list(self.columns))
        sql = str(compiled)
        order = compiled.positiontup
        if order is None:  # psycopg: named places, which a list cannot fill
            for column in self.columns:
                sql = sql.replace(f"%({column})s", "%s")
            order = [key for key in compiled.params if key in self.columns]
        assert list(order) == list(self.columns), "columns must stand in the order of the table"
        converters = []
        for at, column in enumerate(self.columns):
            convert = self.table.c[column].type.dialect_impl(dialect).bind_processor(dialect)
            if convert is not None:
                converters.append((at, convert))
        return sql, converters
