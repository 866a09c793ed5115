"""Whether the messages of a real system keep to a dialogue."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from datetime import datetime, timezone
from enum import Enum
from pathlib import Path
from typing import Any, AsyncIterable, AsyncIterator, Iterable, Mapping, Optional, Union

from ._doubted import note
from ._flags import as_arguments
from ._values import Agent, Constant, Fresh, Message, Role, Unknown

__all__ = ["Breach", "Conformance", "Conversation", "Log", "Monitor", "Standing", "line_of", "log_of"]

#: The path of a log, its text, or its messages.
Log = Union[str, "os.PathLike[str]", Iterable[Union[Message, Mapping[str, Any]]]]


class Standing(str, Enum):
    """The verdict on a conversation."""

    CONFORMS = "conforms"
    CONFORMS_SO_FAR = "conforms_so_far"
    STUCK = "stuck"
    VIOLATED = "violated"
    INCONCLUSIVE = "inconclusive"

    def __str__(self) -> str:
        return self.value.replace("_", " ")


@dataclass(frozen=True)
class Breach:
    """How somebody broke the protocol.

    ``kind`` is a word such as ``out_of_turn``; ``agent`` is who is to blame, as in the text, and ``name`` what the
    system calls it. ``possibly`` if it rests on what the log does not show. ``json`` has everything else, such as what
    could have been sent instead. ``str(breach)`` is what the command line says.
    """

    conversation: str
    kind: str
    line: int
    agent: Optional[str]
    name: Optional[str]
    possibly: bool
    json: dict[str, Any]
    text: str

    def __str__(self) -> str:
        return self.text

    @classmethod
    def of(cls, conversation: str, it: dict[str, Any], text: str) -> Breach:
        return cls(
            conversation=conversation,
            kind=it["kind"],
            line=it["at"]["line"],
            agent=it.get("agent"),
            name=it.get("name"),
            possibly=it["possibly"],
            json=it,
            text=text.rstrip("\n"),
        )


@dataclass(frozen=True)
class Conversation:
    """A conversation that was judged. It is true if it conforms, at least so far."""

    name: str
    verdict: Standing
    possibly: bool
    messages: int
    breaches: tuple[Breach, ...]
    json: dict[str, Any]

    def __bool__(self) -> bool:
        return self.verdict in (Standing.CONFORMS, Standing.CONFORMS_SO_FAR)

    @classmethod
    def of(cls, it: dict[str, Any]) -> Conversation:
        name = it["conversation"]
        return cls(
            name=name,
            verdict=Standing(it["verdict"]),
            possibly=it["possibly"],
            messages=it["messages"],
            breaches=tuple(Breach.of(name, one, _short(one)) for one in it["violations"]),
            json=it,
        )


def _short(it: dict[str, Any]) -> str:
    agent = it.get("agent")
    return f"line {it['at']['line']}{f' by !{agent}' if agent else ''}: {it['kind'].replace('_', ' ')}"


class Conformance:
    """What was found out about a log.

    It is true if every line could be used, and every conversation conforms, at least so far.

    >>> import maplang
    >>> talk = maplang.Protocol.from_text('''
    ... talk[
    ...     agent(!A, %a) = hello(1) => agent(!B, %b)
    ...     agent(!B, %b) = waitfor hello(_) <= agent(_, %a)
    ... ]''')
    >>> bool(talk.conform([maplang.Message("!A", "!B", "hello", [1])]))
    True
    >>> talk.conform([maplang.Message("!A", "!B", "hello", [2])]).breaches[0].kind
    'wrong_content'
    """

    def __init__(self, told: str, text: str, well: bool) -> None:
        #: Everything, as ``map conform --format json`` prints it.
        self.json: dict[str, Any] = json.loads(told)
        self._text = text
        self._well = well

    def __bool__(self) -> bool:
        well = self._well
        if not well:
            note(self)
        return well

    @property
    def conversations(self) -> tuple[Conversation, ...]:
        """The conversations, in the order in which they began."""
        return tuple(map(Conversation.of, self.json["conversations"]))

    @property
    def breaches(self) -> tuple[Breach, ...]:
        """How the protocol was broken, in all conversations."""
        return tuple(breach for conversation in self.conversations for breach in conversation.breaches)

    def __str__(self) -> str:
        return as_arguments(self._text)

    def __repr__(self) -> str:
        return f"<Conformance: {', '.join(str(it.verdict) for it in self.conversations) or 'nothing judged'}>"


class Monitor:
    """Follows the messages of a system as they come, and says at once who breaks the protocol.

    Several threads may use one.

    >>> import maplang
    >>> monitor = maplang.library("send-info").monitor()
    >>> monitor.feed(maplang.Message("!Nobody", "!Else", "hello"))
    Traceback (most recent call last):
    ...
    maplang._errors.MapError: ...
    """

    def __init__(self, native: Any) -> None:
        self._native = native

    def feed(self, message: Union[Message, Mapping[str, Any]]) -> list[Union[Breach, Conversation]]:
        """Judges the next message. Returns what became known: breaches, and conversations that have ended.

        Raises:
            MapError: if the message cannot be used: nobody in the dialogue has that name, for example. Nothing is
                certain of the agents from there on that it may concern.
        """
        told = self._native.feed(line_of(message))
        return [_told(*it) for it in told] if told else []

    def finish(self) -> list[Union[Breach, Conversation]]:
        """At the end of all messages: the conversations that are still open."""
        return [_told(*it) for it in self._native.finish()]

    async def watch(
        self, messages: AsyncIterable[Union[Message, Mapping[str, Any]]]
    ) -> AsyncIterator[Union[Breach, Conversation]]:
        """What becomes known while messages come, and at their end.

        >>> import asyncio, maplang
        >>> talk = maplang.Protocol.from_text("talk[ agent(!A, %a) = hello() => agent(!B, %b) agent(!B, %b) = waitfor hello() <= agent(!A, %a) ]")
        >>> async def messages():
        ...     yield maplang.Message("!A", "!B", "hello")
        ...     yield maplang.Message("!B", "!A", "hello")
        >>> async def breaches():
        ...     return [it.kind async for it in talk.monitor().watch(messages()) if isinstance(it, maplang.Breach)]
        >>> asyncio.run(breaches())
        ['not_its_word']
        """
        async for message in messages:
            for told in self.feed(message):
                yield told
        for told in self.finish():
            yield told


def _told(line: str, text: str) -> Union[Breach, Conversation]:
    it = json.loads(line)
    if it["event"] == "violation":
        return Breach.of(it["conversation"], it["violation"], text)
    return Conversation.of(it["report"])


def _value(value: Any) -> Any:
    if isinstance(value, Constant):
        return {"constant": value.name}
    if isinstance(value, Agent):
        return {"agent": value.name}
    if isinstance(value, Role):
        return {"role": value.name}
    if isinstance(value, (Unknown, Fresh)):
        return {"fresh": value.name}
    raise TypeError(f"a {type(value).__name__} cannot be an argument of a message; its JSON can")


_ENCODE = json.JSONEncoder(default=_value, ensure_ascii=False, separators=(",", ":")).encode


def line_of(message: Union[Message, Mapping[str, Any]]) -> str:
    """A message as a line of a log."""
    if isinstance(message, Message):
        line: dict[str, Any] = {
            "from": message.sender,
            "to": message.to,
            "performative": message.performative,
            "args": message.args,
        }
        if message.conversation:
            line["conversation"] = message.conversation
        if message.id is not None:
            line["id"] = message.id
        if message.time is not None:
            line["time"] = datetime.fromtimestamp(message.time, timezone.utc).isoformat()
        if message.event != "send":
            line["event"] = message.event
        return _ENCODE(line)
    if not isinstance(message, Mapping):
        raise TypeError(f"a message is a Message or a mapping, not {type(message).__name__}")
    return _ENCODE(dict(message))


def log_of(log: Log) -> str:
    """A log as text."""
    if isinstance(log, os.PathLike):
        return Path(log).read_text("utf-8")
    if isinstance(log, str):
        return log if "\n" in log or log.lstrip().startswith(("{", "[")) else Path(log).read_text("utf-8")
    return "".join(f"{line_of(message)}\n" for message in log)
