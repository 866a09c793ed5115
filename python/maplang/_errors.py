"""The exceptions of this package."""

from __future__ import annotations

import json
from typing import Optional, Sequence

from ._diagnostics import Diagnostic
from ._flags import as_arguments

__all__ = ["DecisionError", "GuardRefusal", "MapError"]


class MapError(ValueError):
    """A text is wrong, or what is asked of it.

    Its text is what the command line prints. ``diagnostics`` are the same as objects; there are none if not the text is
    wrong but an argument.

    >>> import maplang
    >>> try:
    ...     maplang.Protocol.from_text("talk[ agent(!A, %a) = nothing ]")
    ... except maplang.MapError as error:
    ...     print(error.diagnostics[0].code)
    MAP001
    """

    def __init__(self, text: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(text)
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (str(self), self.diagnostics))


class DecisionError(MapError):
    """A function that decides for an agent raised something, or answered what no answer can be.

    What it raised is the ``__cause__``. ``agent``, ``procedure`` and ``step`` (a number from 1: the step that was being
    taken) say where.
    """

    def __init__(self, text: str, agent: str, procedure: str, step: int) -> None:
        super().__init__(text)
        self.agent = agent
        self.procedure = procedure
        self.step = step

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (str(self), self.agent, self.procedure, self.step))


class GuardRefusal(MapError):
    """A guard refuses a message, or what is asked of it cannot be understood.

    ``kind`` is a word such as ``out_of_turn`` or ``unknown_agent``; ``details`` is what ``map guard`` answers, as a
    dictionary: ``may`` lists what the agent may say instead, if it is known.
    """

    def __init__(self, text: str, kind: str, details: Optional[dict[str, object]] = None) -> None:
        super().__init__(text)
        self.kind = kind
        self.details: dict[str, object] = details or {}

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (str(self), self.kind, self.details))


# The native part calls these.


def rejected(text: str, diagnostics: str) -> MapError:
    return MapError(as_arguments(text.rstrip("\n")), [Diagnostic.from_json(it) for it in json.loads(diagnostics)])


def misused(text: str) -> MapError:
    return MapError(as_arguments(text))


def undecided(text: str, agent: str, procedure: str, step: int) -> DecisionError:
    return DecisionError(text, agent, procedure, step)
