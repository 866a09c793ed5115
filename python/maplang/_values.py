"""The values of dialogues. An integer is an ``int`` and a string a ``str``; the others are classes of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Union

__all__ = ["CHANCE", "Agent", "Constant", "Fresh", "Message", "Role", "Unknown", "Value"]


@dataclass(frozen=True)
class Constant:
    """A bare constant, such as ``nobody``."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Agent:
    """The name of an agent, without ``!``."""

    name: str

    def __str__(self) -> str:
        return f"!{self.name}"


@dataclass(frozen=True)
class Role:
    """A role, without ``%``."""

    name: str

    def __str__(self) -> str:
        return f"%{self.name}"


@dataclass(frozen=True)
class Unknown:
    """What a procedure answered of which nothing is known: it is named after the procedure, as in ``getValue#1``."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Fresh:
    """A value that equals nothing else, as a ticket: ``ticket#1``."""

    name: str

    def __str__(self) -> str:
        return self.name


Value = Union[int, str, Constant, Agent, Role, Unknown, Fresh]


class _Chance:
    def __repr__(self) -> str:
        return "CHANCE"


#: What a decider answers that leaves a question to chance.
CHANCE = _Chance()


@dataclass(frozen=True)
class Message:
    """A message, as in the log of a real system. Names are those of the system.

    ``to`` may be one name; ``args`` are values as JSON has them (numbers, strings, ..). ``time`` is in seconds since
    1970. Messages of the same ``conversation`` belong together. ``event`` is ``"send"`` or ``"receive"``.
    """

    sender: str
    to: Union[str, tuple[str, ...], list[str]]
    performative: str
    args: tuple[Any, ...] | list[Any] = ()
    conversation: str = ""
    id: str | None = None
    time: float | None = None
    event: str = "send"
