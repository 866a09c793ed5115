"""Answers to verifications, as objects. They are made of what ``map verify --format json`` prints."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from enum import Enum
from html import escape
from typing import Any, Callable, Mapping, Optional

from ._diagnostics import Span
from ._doubted import note
from ._flags import as_arguments
from ._pictures import Picture, Pictured

__all__ = ["Answer", "Cost", "Figures", "Property", "PropertyVerdict", "Step", "Trace", "Verdict", "Violation"]


class Verdict(str, Enum):
    """The verdict on termination."""

    TERMINATES = "terminates"
    TERMINATES_IF_FAIR = "terminates if fair"
    FAILURE = "failure"
    DEADLOCK = "deadlock"
    MAILBOX_OVERFLOW = "mailbox overflow"
    RUNAWAY_RECURSION = "runaway recursion"
    RUN_ERROR = "run error"
    LIVELOCK = "livelock"
    INCONCLUSIVE = "inconclusive"
    #: Of any number of agents: nothing goes wrong, but runs may be endless.
    NOTHING_GOES_WRONG = "nothing goes wrong"
    #: Of any number of agents: there is no proof.
    NO_PROOF = "no proof"

    def __str__(self) -> str:
        return self.value


class PropertyVerdict(str, Enum):
    """The verdict on a property."""

    HOLDS = "holds"
    VIOLATED = "violated"
    INCONCLUSIVE = "inconclusive"
    REFUSED = "refused"
    NOT_JUDGED = "not judged"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Step:
    """A step of a run. Names of agents are without ``!``; values are written as in the text.

    ``kind`` is a word such as ``send``; what does not belong to it is ``None`` or empty.
    """

    agent: str
    kind: str
    thread: int
    span: Span
    procedure: Optional[str] = None
    answer: Optional[str] = None
    performative: Optional[str] = None
    arguments: tuple[str, ...] = ()
    to: tuple[str, ...] = ()
    sender: Optional[str] = None
    lost: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    taking: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, it: Mapping[str, Any]) -> Step:
        return cls(
            agent=it["agent"],
            kind=it["kind"],
            thread=it["thread"],
            span=Span.from_json(it["span"]),
            procedure=it.get("procedure"),
            answer=it.get("answer"),
            performative=it.get("performative"),
            arguments=tuple(it.get("arguments") or ()),
            to=tuple(it.get("to") or ()),
            sender=it.get("from"),
            lost=tuple(it.get("lost") or ()),
            refused=tuple(it.get("refused") or ()),
            taking=tuple(it.get("taking") or ()),
        )

    def __str__(self) -> str:
        arguments = ", ".join(self.arguments)
        if self.procedure is not None:
            return f"!{self.agent}: {self.procedure}({arguments}) answers {self.answer}"
        if self.to:
            return f"!{self.agent}: {self.performative}({arguments}) => {', '.join('!' + it for it in self.to)}"
        if self.sender is not None:
            return f"!{self.agent}: {self.performative}({arguments}) <= !{self.sender}"
        return f"!{self.agent}: {self.kind}"


@dataclass(frozen=True)
class Trace(Pictured):
    """A run that shows something. It is a sequence of steps, and shows itself as a chart.

    ``initial`` are the values with which cells start that may start with several. The steps from ``repeated_from`` on
    are repeated for ever; ``None`` if the run ends.
    """

    steps: tuple[Step, ...]
    initial: tuple[str, ...]
    choices: tuple[str, ...]
    repeated_from: Optional[int]
    _draw: Callable[[str], Optional[str]] = field(repr=False, compare=False)

    @classmethod
    def from_json(cls, it: Mapping[str, Any], draw: Callable[[str], Optional[str]]) -> Trace:
        return cls(
            steps=tuple(map(Step.from_json, it["trace"])),
            initial=tuple(it.get("initial", ())),
            choices=tuple(it.get("choices") or ()),
            repeated_from=it.get("repeated_from"),
            _draw=draw,
        )

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Any:
        return iter(self.steps)

    def __getitem__(self, index: int) -> Step:
        return self.steps[index]

    def chart(self) -> Picture:
        """The message sequence chart."""
        return _chart(self._draw)

    _picture = chart

    def __str__(self) -> str:
        return str(self.chart())

    def __repr__(self) -> str:
        return f"<Trace: {len(self)} steps>"


def _chart(draw: Callable[[str], Optional[str]]) -> Picture:
    return Picture(lambda language: draw(language) or "", ("svg", "text", "html", "mermaid", "plantuml"))


@dataclass(frozen=True)
class Violation:
    """A violation that was found. ``possible`` if it rests on what an unknown value may be."""

    kind: Verdict
    steps: int
    possible: bool


@dataclass(frozen=True)
class Property:
    """The verdict on a property. ``trace`` shows that it is violated, or that what is said to be possible is."""

    name: str
    verdict: PropertyVerdict
    trace: Optional[Trace]
    possible: bool
    cut: bool
    instance: Optional[str]
    reasons: tuple[str, ...]

    def __bool__(self) -> bool:
        return self.verdict is PropertyVerdict.HOLDS


@dataclass(frozen=True)
class Cost:
    """What a declared cost comes to, in the unit that it is named after, or a measure that adds up (``measure``).

    ``least`` is what a dialogue costs at least that ends well, ``None`` if none does; ``most`` is what any dialogue costs
    at most, ``None`` if there is no bound (``bounded`` is then false) or if it passes 64 bits. ``trace`` is a shortest
    run that costs most; without bound, its steps from ``repeated_from`` on can be repeated without end, and cost
    ``each_time``. ``roles`` has the most that the agents of each role pay together, if several roles pay.
    ``searched`` is false if a limit came first: then neither number is known, and ``seen`` is the most of a run that was
    seen.
    """

    name: str
    measure: bool
    least: Optional[int]
    most: Optional[int]
    bounded: bool
    searched: bool
    seen: Optional[int]
    cut: bool
    possible: bool
    trace: Optional[Trace]
    each_time: Optional[int]
    roles: Mapping[str, Optional[int]]
    reasons: tuple[str, ...]

    @classmethod
    def from_json(cls, it: Mapping[str, Any], draw: Callable[[str], Optional[str]]) -> Cost:
        return cls(
            name=it["name"],
            measure=bool(it["measure"]),
            least=it.get("least"),
            most=it.get("most"),
            bounded=bool(it.get("bounded")),
            searched=bool(it["searched"]),
            seen=it.get("seen"),
            cut=bool(it["cut"]),
            possible=bool(it["possible"]),
            trace=Trace.from_json(it, draw) if it.get("trace") else None,
            each_time=it.get("each_time"),
            roles={role["role"]: role.get("most") for role in it.get("roles", ())},
            reasons=tuple(it.get("reasons", ())),
        )


@dataclass(frozen=True)
class Figures:
    """What a verification cost. ``memory`` is in bytes: what the search held when it ended."""

    states: int
    transitions: int
    depth: int
    seconds: float
    memory: int


class Answer:
    """The answer to a verification.

    It is true if the dialogue terminates, at least if fair, and all properties hold: where ``map verify`` exits with 0.

    >>> import maplang
    >>> answer = maplang.library("send-info").verify()
    >>> bool(answer), answer.verdict
    (True, <Verdict.TERMINATES_IF_FAIR: 'terminates if fair'>)
    """

    def __init__(self, found: Any) -> None:
        self._found = found
        #: Everything, as ``map verify --format json`` prints it.
        self.json: dict[str, Any] = json.loads(found.json)
        self._shown: dict[str, Any] = self.json if "trace" in self.json else self.json.get("violation") or {}

    def __bool__(self) -> bool:
        well = bool(self._found.well)
        if not well:
            note(self)
        return well

    @property
    def verdict(self) -> Verdict:
        """The verdict on termination."""
        return Verdict(self.json["verdict"])

    @property
    def is_complete(self) -> bool:
        """Whether every reachable state was seen and nothing was cut by a bound, so that the verdict is about all
        dialogues; of any number of agents: whether it is proved."""
        return bool(self.json.get("complete", self.json.get("proved")))

    @property
    def possible(self) -> bool:
        """Whether the violation rests on what an unknown value may be."""
        return bool(self._shown.get("possible"))

    @property
    def limit(self) -> Optional[str]:
        """What ended the search early."""
        limit = self.json.get("limit")
        return None if limit is None else str(limit)

    @property
    def violations(self) -> tuple[Violation, ...]:
        """The violations of termination, the one with the shortest run first."""
        found = self._shown.get("violations", ())
        return tuple(Violation(Verdict(it["kind"]), it["steps"], it["possible"]) for it in found)

    @property
    def counterexample(self) -> Optional[Trace]:
        """The run that shows what is wrong: with termination, or else with the first property that is violated."""
        if self._shown.get("violations"):
            endless = self._shown.get("endless")
            trace = self._trace({**self._shown, "repeated_from": None}, None)
            if not endless:
                return trace
            steps = trace.steps + tuple(map(Step.from_json, endless["trace"]))
            choices = trace.choices + tuple(endless["choices"])
            repeated = len(trace.steps) + endless["repeated_from"]
            return Trace(steps, trace.initial, choices, repeated, self._drawn(None))
        wrong = (it for it in self._shown.get("properties", ()) if it["verdict"] == "violated" and it.get("trace"))
        return next((self._trace(it, it["name"]) for it in wrong), None)

    @property
    def endless_run(self) -> Optional[Trace]:
        """A run that goes on for ever of a dialogue that terminates if fair, if one was found near the start."""
        endless = self._shown.get("endless")
        if not endless or self._shown.get("violations"):
            return None
        return self._trace(endless, None)

    @property
    def properties(self) -> dict[str, Property]:
        """The properties by name, in the order of the text."""
        return {it["name"]: self._property(it) for it in self.json.get("properties", ())}

    @property
    def costs(self) -> dict[str, Cost]:
        """What the costs come to that the text declares, and what else was to be collected, by name. What cannot be
        added up has ``reasons`` and no numbers."""
        def draw(name: str) -> Callable[[str], Optional[str]]:
            return lambda language: self._found.chart_of_cost(language, name)

        return {it["name"]: Cost.from_json(it, draw(it["name"])) for it in self._shown.get("costs", ())}

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the verdict takes for granted."""
        return tuple(self.json["assumptions"])

    @property
    def unused(self) -> dict[str, Any]:
        """What never happened in the part searched, as ``map verify --format json`` has it."""
        return dict(self._shown.get("unused", {}))

    @property
    def figures(self) -> Figures:
        """What it cost."""
        it = self.json
        verified = it.get("verified", ())
        states = it.get("states", sum(one["states"] for one in verified))
        return Figures(
            states, it.get("transitions", 0), it.get("depth", 0), it["seconds"], it.get("states_memory_bytes", 0)
        )

    def chart(self, name: Optional[str] = None) -> Optional[Picture]:
        """The chart of the counterexample, or of the run that shows something of a property; ``None`` if there is none.

        Raises:
            LookupError: if no property of this name was judged.
        """
        draw = self._drawn(name)
        return _chart(draw) if draw("text") is not None else None

    def text(self, full: bool = False) -> str:
        """As the command line says it: short, or in full."""
        return as_arguments(self._found.text(full))

    def _trace(self, it: Mapping[str, Any], name: Optional[str]) -> Trace:
        return Trace.from_json(it, self._drawn(name))

    def _drawn(self, name: Optional[str]) -> Callable[[str], Optional[str]]:
        return lambda language: self._found.chart(language, name)

    def _property(self, it: Mapping[str, Any]) -> Property:
        reason = it.get("reason")
        return Property(
            name=it["name"],
            verdict=PropertyVerdict(it["verdict"]),
            trace=self._trace(it, it["name"]) if it.get("trace") else None,
            possible=bool(it.get("possible")),
            cut=bool(it.get("cut")),
            instance=it.get("instance"),
            reasons=tuple(it.get("reasons", ())) or ((reason,) if reason else ()),
        )

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        properties = "".join(f", {name}: {it.verdict}" for name, it in self.properties.items())
        return f"<Answer: {self.verdict}{properties}>"

    def _repr_svg_(self) -> Optional[str]:
        chart = self.chart()
        return None if chart is None else chart.svg

    def _repr_html_(self) -> str:
        chart = self.chart()
        picture = "" if chart is None else chart._repr_html_()
        return f"<pre>{escape(self.text())}</pre>{picture}"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/html": self._repr_html_(), "text/plain": str(self)}
