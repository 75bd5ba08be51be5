"""What every handler gets beside the update: the person's language, their town, and the way to the services."""

import asyncio
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import replace
from typing import Any, Concatenate, ParamSpec, TypeVar

from sqlalchemy.orm import Session
from telegram import Update
from telegram.ext import Application, CallbackContext, ExtBot

from portal import clock
from portal.i18n import PSEUDO, Translator, negotiate, translator
from portal.services.messages import telegram as conversation
from portal.services.unit_of_work import reading, unit_of_work

P = ParamSpec("P")
T = TypeVar("T")
Data = dict[Any, Any]


class AlreadyDone(Exception):
    """This update had its effect before a restart: the person is only told where they are."""


class BotContext(CallbackContext[ExtBot[None], Data, Data, Data]):
    """One update being answered. Nothing is kept here between updates: what lasts is in the database."""

    def __init__(self, application: "BotApplication", chat_id: int | None = None, user_id: int | None = None):
        super().__init__(application=application, chat_id=chat_id, user_id=user_id)
        self.remembered = conversation.Chat()
        self._update: Update | None = None
        self._worked = False

    @classmethod
    def from_update(cls, update: object, application: "BotApplication") -> "BotContext":
        made = super().from_update(update, application)
        made._update = update if isinstance(update, Update) else None
        return made

    async def refresh_data(self) -> None:
        """Read what is remembered of the chat; the library calls this before any handler."""
        if self._chat_id is None:
            return
        known = KNOWN_CHAT.get()
        KNOWN_CHAT.set(None)
        self.remembered = known if known is not None else await self.look(_read_chat, self._chat_id)

    @property
    def translator(self) -> Translator:
        """The language chosen in this chat, else the one of the person's Telegram, else Portuguese."""
        if self.remembered.language == PSEUDO:
            return translator(PSEUDO)
        user = self._update.effective_user if self._update else None
        return translator(negotiate(self.remembered.language, user.language_code if user else None))

    @property
    def municipality(self) -> str | None:
        """Slug of the town this chat last spoke about."""
        return self.remembered.municipality

    async def remember(self, **what: Any) -> None:
        """Keep some fields of what is remembered of this chat."""
        assert self._chat_id is not None  # only updates with a chat come this far
        if all(getattr(self.remembered, name) == value for name, value in what.items()):
            return
        self.took(**what)
        waiting = REMEMBERED.get()
        if waiting is None:
            await self.write(conversation.remember, self._chat_id, what)
        else:
            waiting.setdefault(self._chat_id, {}).update(what)

    def took(self, **what: Any) -> None:
        """Note here what a service has just stored of this chat."""
        self.remembered = replace(self.remembered, **what)

    async def run(self, service: Callable[Concatenate[Session, P], T], *args: P.args, **kw: P.kwargs) -> T:
        """Run a service that only reads, off the event loop, so that a query never stalls other chats."""

        def work() -> T:
            with unit_of_work() as session:
                return service(session, *args, **kw)

        return await asyncio.to_thread(work)

    async def look(self, service: Callable[P, T], *args: P.args, **kw: P.kwargs) -> T:
        """Run what opens its own look at the database, off the event loop."""

        return await asyncio.to_thread(service, *args, **kw)

    async def change(self, service: Callable[Concatenate[Session, P], T], *args: P.args, **kw: P.kwargs) -> T:
        """Run a service that writes; its effect and the note that this update had it are one transaction.

        Raises:
            AlreadyDone: the update had its effect before, and only its answer was lost.
        """
        update_id = self._update.update_id if self._update and not self._worked else None

        def work() -> T:
            with unit_of_work(writes=True) as session:
                _write_remembered(session)
                if update_id is not None and not conversation.mark_worked(
                    session, update_id, now=clock.now()
                ):
                    raise AlreadyDone
                return service(session, *args, **kw)

        result = await asyncio.to_thread(work)
        _forget_remembered()
        self._worked = True
        return result

    async def write(self, service: Callable[Concatenate[Session, P], T], *args: P.args, **kw: P.kwargs) -> T:
        """Run a service that writes what may be written twice without harm."""

        def work() -> T:
            with unit_of_work(writes=True) as session:
                _write_remembered(session)
                return service(session, *args, **kw)

        result = await asyncio.to_thread(work)
        _forget_remembered()
        return result


REMEMBERED: ContextVar[dict[int, dict[str, Any]] | None] = ContextVar("remembered", default=None)
"""What is to be remembered of a chat once the update is done, written with the note that it is: one commit for both.

The inbox opens it; without one everything is written at once. A later update of the chat waits for that note, and
whatever else this one writes carries it along, so that nobody reads the older state.
"""


MORE_OF_ALBUM: ContextVar[bool] = ContextVar("more_of_album", default=False)
"""The next update of this chat, known already, is of the same album: the last of it answers for all."""


KNOWN_CHAT: ContextVar[conversation.Chat | None] = ContextVar("known_chat", default=None)
"""What is remembered of the update's chat, where the inbox has read it in the transaction that stored the update."""


def _write_remembered(session: Session) -> None:
    conversation.remember_all(session, list((REMEMBERED.get() or {}).items()))


def _forget_remembered() -> None:
    if waiting := REMEMBERED.get():
        waiting.clear()


def _read_chat(chat_id: int) -> conversation.Chat:
    with reading() as reader:
        return conversation.read_chat(reader, chat_id)


BotApplication = Application[ExtBot[None], BotContext, Data, Data, Data, None]
