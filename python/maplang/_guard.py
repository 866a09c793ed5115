"""A guard between agents in this process: it lets through only what a dialogue allows."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Optional, Sequence, Union

from . import _errors
from ._conform import _ENCODE

__all__ = ["Acceptance", "Guard", "Offer", "Received", "Suggestion"]


@dataclass(frozen=True)
class Suggestion:
    """A message that an agent may send. ``args`` say what each argument may be, such as ``{"is": 40}`` or
    ``{"any": True}``; ``exact`` if every message that fits is accepted."""

    performative: str
    args: tuple[dict[str, Any], ...]
    to: tuple[str, ...]
    exact: bool
    place: str


@dataclass(frozen=True)
class Offer:
    """What an agent may do now: send one of ``may``; rest, if it ``may_rest``. It ``owes`` a message if it may not."""

    may: tuple[Suggestion, ...]
    owes: bool
    may_rest: bool
    waits_for: tuple[str, ...]
    json: dict[str, Any]

    @classmethod
    def from_json(cls, it: dict[str, Any]) -> Offer:
        may = (
            Suggestion(one["performative"], tuple(one["args"]), tuple(one["to"]), one["exact"], one["place"])
            for one in it["may"]
        )
        return cls(tuple(may), it["owes"], it["may_rest"], tuple(it.get("waits_for_messages", ())), it)


@dataclass(frozen=True)
class Acceptance:
    """A message was accepted, as number ``seq``. It is not ``certain`` if it rests on values that nobody has seen, and
    ``unguarded`` if it was not judged."""

    seq: Optional[int]
    certain: bool
    unguarded: bool


@dataclass(frozen=True)
class Received:
    """A message that was handed over, or, with ``timeout`` (a place in the text), that time has run out."""

    seq: int
    sender: Optional[str]
    performative: Optional[str]
    args: tuple[Any, ...]
    timeout: Optional[str]


class Guard:
    """Stands between the agents of conversations. Several threads, and tasks of asyncio, may use one.

    Names of agents are those of the text, with ``!``, or those that ``open`` or the configuration gives a meaning.
    Times are those of ``clock``, in seconds since 1970.

    >>> import maplang
    >>> talk = maplang.Protocol.from_text('''
    ... talk[
    ...     agent(!A, %a) = hello(1) => agent(!B, %b)
    ...     agent(!B, %b) = waitfor hello($x) <= agent(_, %a)
    ... ]''')
    >>> guard = talk.guard()
    >>> [it.performative for it in guard.offer("!A").may]
    ['hello']
    >>> guard.send("!A", "hello", [2])
    Traceback (most recent call last):
    ...
    maplang._errors.GuardRefusal: ...
    >>> guard.send("!A", "hello", [1]).certain
    True
    >>> guard.receive("!B")[0].args
    (1,)
    """

    def __init__(self, native: Any, clock: Callable[[], float] = time.time) -> None:
        self._native = native
        self._clock = clock
        self._changed = threading.Condition()
        self._waiters: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []
        self._seen: dict[tuple[str, str], int] = {}

    def open(self, conversation: str = "", cast: Optional[Mapping[str, str]] = None) -> None:
        """Opens a conversation. ``cast`` gives names a meaning: ``{"alice": "!Bidder1"}``. The first message of a
        conversation opens it, too.

        Raises:
            GuardRefusal: if it is open already, or a name means nobody. So it is below.
        """
        self._ask({"do": "open", "conversation": conversation, "cast": dict(cast or {})}, "opened")

    def offer(self, agent: str, conversation: str = "") -> Offer:
        """What an agent may do now."""
        answer = self._ask({"do": "offer", "conversation": conversation, "as": agent}, "offer")
        return Offer.from_json(answer)

    def send(
        self,
        agent: str,
        performative: str,
        args: Sequence[Any] = (),
        to: Union[str, Sequence[str], None] = None,
        *,
        conversation: str = "",
        key: Optional[str] = None,
    ) -> Acceptance:
        """Sends a message: it is delivered, or refused.

        Args:
            agent: the sender.
            performative: the performative.
            args: the arguments, as JSON has them; also `Constant` and the like.
            to: the recipients; may be left out if there is only one choice.
            conversation: the conversation.
            key: a second call with the same key gets the same answer, and sends nothing.

        Raises:
            GuardRefusal: if it breaks the protocol; ``details["may"]`` has what the agent may say instead.
        """
        answer = self._ask(self._message("send", agent, performative, args, to, conversation, key), "accepted")
        self._wake()
        return Acceptance(answer.get("seq"), answer["certain"], answer.get("unguarded", False))

    def may_send(
        self,
        agent: str,
        performative: str,
        args: Sequence[Any] = (),
        to: Union[str, Sequence[str], None] = None,
        *,
        conversation: str = "",
    ) -> bool:
        """Whether `send` would accept the message. Nothing changes."""
        try:
            self._ask(self._message("may_i", agent, performative, args, to, conversation, None), "accepted")
        except _errors.GuardRefusal as refusal:
            if refusal.details.get("is_misuse"):
                raise
            return False
        return True

    def receive(
        self, agent: str, *, conversation: str = "", rest: bool = False, timeout: float = 0.0
    ) -> list[Received]:
        """The messages and events for an agent that it has not been handed yet. With this call it acknowledges those
        that it was handed before.

        Args:
            agent: the recipient.
            conversation: the conversation.
            rest: whether it has nothing to send until something arrives or time runs out.
            timeout: how many seconds to wait if there is nothing.
        """
        until = self._clock() + timeout
        while True:
            with self._changed:
                received = self._fetch(agent, conversation, rest)
                left = until - self._clock()
                if received is None and left > 0:
                    self._changed.wait(self._pause(left))
                    continue
            if received:
                return received
            if received is not None or left <= 0:
                return []

    async def receive_async(
        self, agent: str, *, conversation: str = "", rest: bool = False, timeout: Optional[float] = None
    ) -> list[Received]:
        """`receive` for tasks of asyncio: waits for as long as nothing arrives, or for ``timeout`` seconds.

        It ends with nothing, too, if nothing can be waited for: the agent owes a message itself, or all is over.
        """
        until = None if timeout is None else self._clock() + timeout
        waiter = (asyncio.get_running_loop(), asyncio.Event())
        with self._changed:
            self._waiters.append(waiter)
        try:
            while True:
                waiter[1].clear()
                received = self._fetch(agent, conversation, rest)
                if received is not None:
                    return received
                left = 3600.0 if until is None else until - self._clock()
                if left <= 0:
                    return []
                try:
                    await asyncio.wait_for(waiter[1].wait(), self._pause(left))
                except asyncio.TimeoutError:
                    pass
        finally:
            with self._changed:
                self._waiters.remove(waiter)

    def rest(self, agent: str, *, conversation: str = "") -> None:
        """The agent has nothing to send until something arrives or time runs out."""
        self._ask({"do": "rest", "conversation": conversation, "as": agent}, "rested")
        self._wake()

    def debts(self, agent: str, *, conversation: str = "") -> dict[str, Any]:
        """What an agent owes (``mine``), and what others owe it (``to_me``)."""
        return self._ask({"do": "owe", "conversation": conversation, "as": agent}, "owed")

    def status(self, conversation: str = "") -> dict[str, Any]:
        """How a conversation stands: its ``state``, and its ``agents``."""
        return self._ask({"do": "status", "conversation": conversation}, "status")

    def events(self) -> list[dict[str, Any]]:
        """What became known by itself since this was last asked: who is silent, what is over."""
        self._native.advance(self._now())
        return [json.loads(event) for event in self._native.events()]

    def journal(self) -> list[dict[str, Any]]:
        """The records of what happened since this was last asked, if the guard keeps them."""
        return [json.loads(record) for record in self._native.journal()]

    def _message(
        self,
        do: str,
        agent: str,
        performative: str,
        args: Sequence[Any],
        to: Union[str, Sequence[str], None],
        conversation: str,
        key: Optional[str],
    ) -> dict[str, Any]:
        if isinstance(args, str):
            raise TypeError(f"args is a sequence of values, such as [{args!r}], and not a str")
        request: dict[str, Any] = {
            "do": do,
            "conversation": conversation,
            "as": agent,
            "performative": performative,
            "args": args,
        }
        if to is not None:
            request["to"] = [to] if isinstance(to, str) else list(to)
        if key is not None:
            request["key"] = key
        return request

    def _fetch(self, agent: str, conversation: str, rest: bool) -> Optional[list[Received]]:
        """What there is; ``None`` if it can be waited for."""
        after = self._seen.get((conversation, agent), 0)
        request = {
            "do": "receive",
            "conversation": conversation,
            "as": agent,
            "after": after,
            "wait_ms": 1,
            "rest": rest,
        }
        answer = self._native.request(self._now(), _ENCODE(request))
        if answer is None:
            return None
        items = self._read(answer, "received").get("items", ())
        received = [
            Received(it["seq"], it.get("from"), it.get("performative"), tuple(it.get("args", ())), it.get("timeout"))
            for it in items
        ]
        if received:
            self._seen[conversation, agent] = received[-1].seq
        return received

    def _pause(self, left: float) -> float:
        due = self._native.advance(self._now())
        return left if due is None else max(0.0, min(left, due / 1e9 - self._clock()))

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()
            for loop, event in self._waiters:
                loop.call_soon_threadsafe(event.set)

    def _now(self) -> int:
        return int(self._clock() * 1e9)

    def _ask(self, request: dict[str, Any], wanted: str) -> dict[str, Any]:
        return self._read(self._native.request(self._now(), _ENCODE(request)), wanted)

    def _read(self, line: str, wanted: str) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(line)
        found = answer.get(wanted)
        if found is not None:
            return found if isinstance(found, dict) else {}
        refused = answer.get("refused") or {**answer.get("error", {}), "is_misuse": True}
        raise _errors.GuardRefusal(refused.get("text", line), refused.get("kind", "unknown"), refused)
