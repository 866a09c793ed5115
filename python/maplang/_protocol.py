"""Dialogues, and what can be asked of them."""

from __future__ import annotations

import json
import os
import random
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Mapping, Optional, Sequence, Union

from . import _native
from ._answers import Answer
from ._conform import Conformance, Log, Monitor, log_of
from ._deciders import Deciders, table_of
from ._diagnostics import Diagnostic
from ._errors import MapError
from ._flags import AgentCount, flags
from ._guard import Guard
from ._pictures import Picture, Pictured
from ._progress import progress_of
from ._runs import Columns, Run, natural

__all__ = ["Procedure", "Protocol", "library"]

Progress = Union[bool, Callable[[dict[str, int]], object], None]


@dataclass(frozen=True)
class Procedure:
    """A procedure or decision. ``how`` it answers: ``open`` (anything), ``domain``, ``fresh`` or ``computed``."""

    name: str
    parameters: int
    may_refuse: bool
    how: str


class Protocol(Pictured):
    """A dialogue in the language MAP, without errors, with a cast.

    Names of roles are written with or without ``%``. An argument that is wrong raises `MapError`, whose text says what
    there is instead.
    """

    def __init__(
        self,
        text: str,
        name: str = "<text>",
        scene: Optional[str] = None,
        agents: Optional[Mapping[str, AgentCount]] = None,
    ) -> None:
        self._scene = scene
        self._agents = dict(agents or {})
        self._dialogue = _native.Dialogue(name, text, flags(scene, agents))
        #: The text.
        self.source: str = text
        #: The name of the file, for diagnostics.
        self.name: str = name

    @classmethod
    def from_text(
        cls,
        text: str,
        *,
        name: str = "<text>",
        scene: Optional[str] = None,
        agents: Optional[Mapping[str, AgentCount]] = None,
    ) -> Protocol:
        """Makes a dialogue of a text.

        Args:
            text: the text.
            name: what diagnostics call it.
            scene: which scene, if there are several.
            agents: how many agents play a role, where it is not as many as the text says.

        Raises:
            MapError: if the text has errors; they are its ``diagnostics``.

        >>> Protocol.from_text('''
        ... talk[
        ...     agent(!A, %a) = hello() => agent(!B, %b)
        ...     agent(!B, %b) = waitfor hello() <= agent(_, %a)
        ... ]''').agents
        {'A': 'a', 'B': 'b'}
        """
        if not isinstance(text, str):
            raise TypeError(f"the text of a dialogue is a str, not {type(text).__name__}")
        return cls(text, name, scene, agents)

    @classmethod
    def from_file(
        cls,
        path: Union[str, os.PathLike[str]],
        *,
        scene: Optional[str] = None,
        agents: Optional[Mapping[str, AgentCount]] = None,
    ) -> Protocol:
        """Reads a dialogue from a file. See `from_text`.

        Raises:
            OSError: if the file cannot be read.
            MapError: if it has errors, or is not UTF-8.
        """
        return cls(text_of(path), os.fspath(path), scene, agents)

    def with_agents(self, **agents: AgentCount) -> Protocol:
        """The same with other numbers of agents.

        >>> library("english-auction").with_agents(bidder=2).agents
        {'Auctioneer': 'auctioneer', 'Bidder1': 'bidder', 'Bidder2': 'bidder'}
        """
        return type(self)(self.source, self.name, self._scene, {**self._agents, **agents})

    @property
    def scene(self) -> str:
        """The name of the scene."""
        return str(self._dialogue.parts()[0])

    @property
    def agents(self) -> dict[str, str]:
        """The agents of the cast, each with its role, without ``!`` and ``%``."""
        return dict(self._dialogue.parts()[1])

    @property
    def procedures(self) -> dict[str, Procedure]:
        """The procedures by name."""
        return {it[0]: Procedure(*it) for it in self._dialogue.parts()[2]}

    @property
    def messages(self) -> tuple[tuple[str, int], ...]:
        """The messages: performatives with their numbers of arguments."""
        return tuple(self._dialogue.parts()[3])

    def check(self) -> list[Diagnostic]:
        """The warnings about the text, in its order; without errors, or there would be no dialogue."""
        _, found = self._dialogue.check(flags(self._scene, self._agents))
        return [Diagnostic.from_json(it) for it in json.loads(found)]

    def verify(
        self,
        agents: Optional[Mapping[str, AgentCount]] = None,
        *,
        rounds: Union[int, Mapping[str, int], None] = None,
        depth: Optional[int] = None,
        mailbox: Optional[int] = None,
        timeouts: Optional[str] = None,
        network: Optional[str] = None,
        only: Sequence[str] = (),
        properties: Union[bool, Sequence[str]] = True,
        collect: Sequence[str] = (),
        fairness: Optional[str] = None,
        keep_going: bool = False,
        max_states: Optional[int] = None,
        max_memory: Optional[int] = None,
        time_limit: Optional[float] = None,
        threads: Optional[int] = None,
        reductions: Optional[str] = None,
        progress: Progress = None,
    ) -> Answer:
        """Searches every dialogue that can happen, and judges the properties.

        The lock of the interpreter is released meanwhile. Ctrl-C raises `KeyboardInterrupt`.

        Args:
            agents: how many agents play a role: a number, or `any_number` for a proof.
            rounds: the most calls of an agent, or, by constant, those with it as first argument.
            depth: the most calls that a thread may have open.
            mailbox: the most messages in a mailbox; one more is a violation.
            timeouts: when time may run out: ``quiescent`` (everybody waits) or ``any``.
            network: what the network does, such as ``unordered`` or ``lossy:1,crash:1``.
            only: the names of the properties that are judged; all if there are none.
            properties: formulas that are judged, too; or ``False`` to judge termination only.
            collect: the names of measures, and of costs that every text has (``steps``, ``messages``, ``rounds``), that
                are added up as well as the costs of the text.
            fairness: the runs in which properties have to hold: ``fair``, ``weak`` or ``none``.
            keep_going: whether to search on after a violation.
            max_states: how many states are searched at most.
            max_memory: how many bytes the search may hold; three quarters of the machine's memory by default.
            time_limit: how many seconds it may take.
            threads: how many threads search, at most 256; one for each core by default.
            reductions: ``all`` or ``none``.
            progress: a function that is called with a dictionary (``states``, ``transitions``, ``depth``, ``frontier``,
                ``memory`` in bytes) up to twenty times a second; or ``True`` for a bar of ``tqdm``, if it is installed.

        Raises:
            MapError: if an argument is wrong.

        >>> library("english-auction").verify({"bidder": 2})
        <Answer: terminates...>
        """
        if properties is True or properties is False:
            formulas: Sequence[str] = ()
        else:
            formulas = [properties] if isinstance(properties, str) else properties
        words = flags(
            self._scene,
            {**self._agents, **(agents or {})},
            rounds=rounds,
            depth=depth,
            mailbox=mailbox,
            timeouts=timeouts,
            network=network,
            only=[only] if isinstance(only, str) else only,
            no_properties=properties is False,
            property=formulas,
            collect=[collect] if isinstance(collect, str) else collect,
            fairness=fairness,
            keep_going=keep_going,
            max_states=max_states,
            max_memory=_bytes(max_memory),
            time_limit=_milliseconds(time_limit),
            threads=threads,
            reductions=reductions,
        )
        with progress_of(progress, "states") as told:
            return Answer(self._dialogue.verify(words, told))

    async def verify_async(self, agents: Optional[Mapping[str, AgentCount]] = None, **arguments: Any) -> Answer:
        """`verify` in a thread, for callers that must not wait. If the task is cancelled, the search ends soon.

        >>> import asyncio
        >>> bool(asyncio.run(library("send-info").verify_async()))
        True
        """
        import asyncio
        import threading

        stopped = threading.Event()
        told = arguments.pop("progress", None)

        def progress(figures: dict[str, int]) -> None:
            if stopped.is_set():
                raise _Cancelled
            if callable(told):
                told(figures)

        loop = asyncio.get_running_loop()
        work = loop.run_in_executor(None, lambda: self.verify(agents, progress=progress, **arguments))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            stopped.set()
            work.add_done_callback(lambda it: it.cancelled() or it.exception())
            raise

    def run(
        self,
        seed: Optional[int] = None,
        deciders: Optional[Deciders] = None,
        *,
        agents: Optional[Mapping[str, AgentCount]] = None,
        yes: Union[float, Mapping[str, float], None] = None,
        truthful: bool = False,
        loss: Optional[float] = None,
        crash: Optional[float] = None,
        rounds: Union[int, Mapping[str, int], None] = None,
        depth: Optional[int] = None,
        mailbox: Optional[int] = None,
        timeouts: Optional[str] = None,
        network: Optional[str] = None,
        max_steps: int = 10_000,
    ) -> Run:
        """Plays the dialogue once.

        Args:
            seed: determines the run, as long as deciders do the same again; drawn if it is not given.
            deciders: who decides, by ``!Agent``, ``%role`` or procedure: an object with a method for each procedure
                (also in snake case), or for a procedure a function. Its arguments are values; it returns a value,
                ``None`` or ``False`` for "no", ``True`` for a "yes" of which nothing more is known, or `CHANCE`.
            agents: how many agents play a role.
            yes: the probability that a decision does not say no; for one of them by its name.
            truthful: whether agents are honest, that is, answer as the truths of the text say, unless a decider does.
            loss: the probability that a copy of a message is lost, as far as the network loses any.
            crash: the probability that the next thing is a crash, as far as agents may crash.
            rounds, depth, mailbox, timeouts, network: see `verify`.
            max_steps: the most steps.

        Raises:
            DecisionError: if a decider raises something, or what it answers is no answer.
            MapError: if an argument is wrong.

        >>> auction = library("english-auction").with_agents(bidder=2)
        >>> auction.run(seed=7).end
        <End.DONE: 'done'>
        """
        cast = {**self._agents, **(agents or {})}
        words = flags(
            self._scene,
            cast,
            yes=yes,
            truthful=truthful,
            loss=loss,
            crash=crash,
            rounds=rounds,
            depth=depth,
            mailbox=mailbox,
            timeouts=timeouts,
            network=network,
            max_steps=max_steps,
        )
        drawn = random.SystemRandom().getrandbits(63) if seed is None else natural("seed", seed)
        return Run(self._dialogue.run(words, drawn, self._table(cast, deciders)))

    def runs(
        self,
        count: int,
        *,
        seed: int = 1,
        collect: Sequence[str] = ("seed", "steps", "verdict", "messages"),
        deciders: Optional[Deciders] = None,
        agents: Optional[Mapping[str, AgentCount]] = None,
        threads: Optional[int] = None,
        progress: Progress = None,
        max_steps: int = 10_000,
        **arguments: Any,
    ) -> Columns:
        """Plays the dialogue many times.

        Args:
            count: how many times.
            seed: determines all runs; the column ``seed`` has that of each, with which `run` plays it again.
            collect: the columns: ``seed``, ``steps``, ``verdict``, ``messages`` (copies that were sent), ``decisions``
                (questions that deciders were asked), ``violated:PROPERTY`` (0 or 1), ``sent:PERFORMATIVE`` (copies),
                ``last:PERFORMATIVE.ARGUMENT`` (the integer in the last such message, arguments from 0), a cost or
                measure that the text declares, or whatever ``map run --collect`` takes (an expression, or an event whose
                variables become columns such as ``$price``), as far as it is an integer. Others come behind the columns listed first.
            deciders, agents, max_steps, **arguments: see `run`.
            threads: how many threads play, at most 256; one for each core by default, and one where deciders are asked.
            progress: a function that is called with the numbers of runs played and wanted, where deciders are asked; or
                ``True`` for a bar of ``tqdm``, if it is installed.

        >>> columns = library("english-auction").runs(50, agents={"bidder": 3}, collect=["steps", "sent:bid"])
        >>> len(columns["steps"])
        50
        """
        cast = {**self._agents, **(agents or {})}
        words = flags(self._scene, cast, max_steps=max_steps, **arguments)
        table = self._table(cast, deciders)
        names = [collect] if isinstance(collect, str) else list(collect)
        count, seed = natural("count", count), natural("seed", seed)
        many = os.cpu_count() or 1 if threads is None else natural("threads", threads, least=1)
        with progress_of(progress, "runs") as told:
            return Columns(*self._dialogue.runs(words, seed, count, table, names, many, told))

    def conform(
        self,
        log: Log,
        *,
        agents: Optional[Mapping[str, AgentCount]] = None,
        arrivals: Optional[str] = None,
        conversation: Optional[str] = None,
        ignore_unknown: bool = False,
        max_conversations: int = 10_000,
        complete: bool = False,
        lossy: int = 0,
    ) -> Conformance:
        """Whether the messages of a real system keep to the dialogue.

        Args:
            log: the path of a log, its text (a message a line, as JSON), or its messages.
            agents: how many agents play a role.
            arrivals: when messages arrive: ``logged``, ``sent``, ``late`` or ``unordered``; by default what the log
                shows, or else late.
            conversation: only this one is judged.
            ignore_unknown: whether messages that nobody in the dialogue sends are passed over.
            max_conversations: how many are followed at once, at most.
            complete: whether the log is whole, so that whoever owes something at its end is to blame.
            lossy: how many messages may be lost.

        Raises:
            MapError: if an argument is wrong.
            OSError: if the log cannot be read.
        """
        words = flags(self._scene, {**self._agents, **(agents or {})})
        told = self._dialogue.conform(
            words,
            log_of(log),
            arrivals,
            conversation,
            ignore_unknown,
            natural("max_conversations", max_conversations),
            complete,
            natural("lossy", lossy, 32),
        )
        return Conformance(*told)

    def monitor(
        self,
        *,
        agents: Optional[Mapping[str, AgentCount]] = None,
        arrivals: Optional[str] = None,
        ignore_unknown: bool = False,
        max_conversations: int = 10_000,
        lossy: int = 0,
    ) -> Monitor:
        """Follows messages as they come. The arguments are those of `conform`."""
        words = flags(self._scene, {**self._agents, **(agents or {})})
        most, losses = natural("max_conversations", max_conversations), natural("lossy", lossy, 32)
        return Monitor(self._dialogue.monitor(words, arrivals, ignore_unknown, most, losses))

    def guard(
        self,
        *,
        agents: Optional[Mapping[str, AgentCount]] = None,
        config: str = "",
        accept_unsure: bool = False,
        journal: bool = False,
        clock: Callable[[], float] = time.time,
    ) -> Guard:
        """Stands between the agents, and lets through only what the dialogue allows.

        Args:
            agents: how many agents play a role.
            config: who plays what, when messages arrive, how long answers and waits take, as TOML: the text of what
                ``map guard --config`` reads.
            accept_unsure: whether a message is delivered of which it is not known whether it fits.
            journal: whether `Guard.journal` has records.
            clock: the time, in seconds since 1970.

        Raises:
            MapError: if an argument is wrong.
        """
        words = flags(self._scene, {**self._agents, **(agents or {})})
        return Guard(self._dialogue.guard(words, config, accept_unsure, journal), clock)

    def _table(self, cast: Mapping[str, AgentCount], deciders: Optional[Deciders]) -> list[list[Any]]:
        if not deciders:
            return []
        (_, agents, procedures, _), asked = self._dialogue.asked(flags(self._scene, cast))
        return table_of(deciders, agents, procedures, dict(asked))

    def role_chart(self, role: Optional[str] = None) -> Picture:
        """What the roles do, or one of them, as graphs.

        Raises:
            MapError: if there is no such role, or its graph is too large.
        """
        self._dialogue.role_chart("text", role)
        return Picture(lambda language: self._dialogue.role_chart(language, role), ("svg", "text", "mermaid", "dot"))

    _picture = role_chart

    def state_chart(self, agents: Optional[Mapping[str, AgentCount]] = None, *, most: int = 500, **bounds: Any) -> Picture:
        """Every state of a small dialogue, as a graph. ``bounds`` are those of `verify`.

        Raises:
            MapError: if there are more than ``most`` states.
        """
        words = flags(self._scene, {**self._agents, **(agents or {})}, **bounds)
        most = natural("most", most)
        self._dialogue.state_chart(words, most, "mermaid")
        draw: Callable[[str], str] = lambda language: self._dialogue.state_chart(words, most, language)
        return Picture(draw, ("svg", "text", "mermaid", "dot"))

    def __repr__(self) -> str:
        return f"<Protocol {self.scene}: {', '.join('!' + it for it in self.agents)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.source, self.name, self._scene, self._agents))


def text_of(path: Union[str, os.PathLike[str]]) -> str:
    """The text of a file. Raises `MapError` if it is not UTF-8."""
    try:
        return Path(path).read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise MapError(f"{os.fspath(path)}: the file is not UTF-8: {error.reason} at byte {error.start}") from None


class _Cancelled(Exception):
    pass


def _milliseconds(seconds: Optional[float]) -> Optional[str]:
    if seconds is not None and not isinstance(seconds, (int, float)):
        raise TypeError(f"time_limit is a number of seconds, not {type(seconds).__name__}")
    if seconds is not None and not 0 <= seconds < 1e15:
        raise MapError(f"time_limit is a number of seconds from 0 on, not {seconds}")
    return None if seconds is None else f"{round(seconds * 1000)}ms"


def _bytes(most: Optional[int]) -> Optional[int]:
    if most is not None:
        return most
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 4 * 3
    except (AttributeError, OSError, ValueError):
        return None


def library(name: str, version: Optional[str] = None, **arguments: Any) -> Protocol:
    """A dialogue of the library that comes with MAP; ``library_names()`` has the names.

    ``version`` is one with a defect, for example. The other arguments are those of `Protocol.from_text`.

    Raises:
        LookupError: if there is no such dialogue.

    >>> library("english-auction", "published").scene
    'english_auction'
    """
    return Protocol.from_text(_native.library(name, version), name=f"{name}.map", **arguments)
