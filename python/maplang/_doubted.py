"""What was found to be false: the plugin for pytest shows it below an assertion that failed."""

from __future__ import annotations

from typing import Callable, Optional

__all__ = ["note", "watch"]

_observer: Optional[Callable[[object], None]] = None


def note(found: object) -> None:
    """Something is not well, and somebody asked whether it is."""
    if _observer is not None:
        _observer(found)


def watch(observer: Optional[Callable[[object], None]]) -> None:
    """From here on this is told."""
    global _observer
    _observer = observer
