"""Ctrl-C during runs: it is noted, so that steps end and are recorded as a whole."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import Any


class Interrupt:
    """`asked`: whether Ctrl-C was pressed."""

    asked = False


@contextlib.contextmanager
def noted() -> Iterator[Interrupt]:
    """Notes Ctrl-C instead of raising KeyboardInterrupt; the caller asks after each step and raises Interrupted. Signals
    reach the main thread alone, and a program's own handler stays; what such a handler raises is noted as well."""
    interrupt = Interrupt()

    def note(*_signal: Any) -> None:
        interrupt.asked = True

    main = threading.current_thread() is threading.main_thread()
    replaced = main and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if replaced:
        signal.signal(signal.SIGINT, note)
    try:
        yield interrupt
    except KeyboardInterrupt:
        interrupt.asked = True
    finally:
        if replaced:
            signal.signal(signal.SIGINT, signal.default_int_handler)
