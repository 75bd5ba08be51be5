"""The threads that ask the database beside the loop that speaks to Telegram."""

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor

from bot.inbox import AT_ONCE

SPARE_THREADS = 4
"""Beside one for each chat that is answered: storing what arrives, the worker's end, a download."""
TURN = 0.001
"""Seconds after which a thread that computes lets the next have its turn.

A look at the database gives up its turn at every row. With Python's own five thousandths it would wait as long, each
time, for a loop that is busy writing messages.
"""


def prepare_threads() -> None:
    """Set up the threads of the running loop's process."""
    sys.setswitchinterval(TURN)
    pool = ThreadPoolExecutor(AT_ONCE + SPARE_THREADS, thread_name_prefix="bot")
    asyncio.get_running_loop().set_default_executor(pool)
