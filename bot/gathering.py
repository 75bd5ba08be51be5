"""Many small writes, one transaction: what comes while one is being committed waits for the next, together."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.orm import Session

from portal.services.unit_of_work import unit_of_work

I = TypeVar("I")  # noqa: E741
O = TypeVar("O")  # noqa: E741

DEADLOCK = "40P01"
"""PostgreSQL's word for two transactions that wait for each other, of which it ended this one."""


class Gathering(Generic[I, O]):
    """``write`` gets all items that wait, in their order, and gives one answer each.

    Before a commit ``before`` is called, and ``after`` with the answers, both in the loop: between the two nothing
    else of this gathering is written.
    """

    def __init__(
        self,
        write: Callable[[Session, Sequence[I]], Sequence[O]],
        *,
        before: Callable[[], None] = lambda: None,
        after: Callable[[Sequence[O]], None] = lambda answers: None,
    ) -> None:
        self._write, self._before, self._after = write, before, after
        self._waiting: list[tuple[I, asyncio.Future[O]]] = []
        self._writing: asyncio.Task[None] | None = None

    async def put(self, item: I) -> O:
        """Returns, or raises, once the item is committed."""
        written: asyncio.Future[O] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, written))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write_all())
        return await written

    async def _write_all(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            if not await self._commit(batch):
                for each in batch:  # one that cannot be written must not take the others with it
                    await self._commit([each])

    async def _commit(self, batch: Sequence[tuple[I, asyncio.Future[O]]]) -> bool:
        """False when it is worth trying one by one."""
        self._before()
        try:
            answers = await asyncio.to_thread(self._transaction, [item for item, _ in batch])
            self._after(answers)
        except Exception as error:
            if len(batch) > 1 and _of_one(error):
                return False
            for _, written in batch:
                if not written.done():
                    written.set_exception(error)
            return True
        for (_, written), answer in zip(batch, answers, strict=True):
            if not written.done():  # whoever waited may have been cancelled
                written.set_result(answer)
        return True

    def _transaction(self, items: Sequence[I]) -> Sequence[O]:
        with unit_of_work(writes=True) as session:
            return self._write(session, items)


def _of_one(error: Exception) -> bool:
    """Whether an error is that of some item, or of two transactions together, and not of the whole database."""
    if not isinstance(error, DBAPIError):
        return True
    return isinstance(error, IntegrityError) or getattr(error.orig, "sqlstate", None) == DEADLOCK
