"""Time limits for client libraries that have none, and the failures of a test game."""

from __future__ import annotations

import contextlib
import signal
import sys
from typing import Callable, Iterator


class Failure(Exception):
    """The engine broke a rule; the text says which."""


class Stalled(Failure):
    """Nothing came back within the time allowed."""


@contextlib.contextmanager
def deadline(seconds: float, what: str) -> Iterator[None]:
    """Raise `Stalled` in the main thread when the block takes longer than `seconds`."""

    def ring(_signal: int, _frame: object) -> None:
        raise Stalled(f"{what}: no answer within {seconds:.1f} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def report(job: Callable[[], str], trace: Callable[[], list[str]]) -> int:
    """Run `job`, print its result or its failure with the last lines of traffic; the exit code."""
    try:
        print(job())
        return 0
    except Failure as failure:
        print(f"FAILED: {failure}", file=sys.stderr)
        for line in trace():
            print(f"    {line}", file=sys.stderr)
        return 1
