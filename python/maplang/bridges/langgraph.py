"""LangGraph: a sketch of a dialogue from a graph, and a guard inside a graph.

>>> from langgraph.graph import END, START, MessagesState, StateGraph  # doctest: +SKIP
>>> sketch = from_langgraph(graph)  # doctest: +SKIP
>>> protocol = sketch.protocol()  # doctest: +SKIP
>>> guarded(builder, protocol.guard()).compile().invoke(state)  # doctest: +SKIP
"""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterable, Mapping, Optional

from .._guard import Guard
from .._protocol import Protocol
from ._gate import Gate

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableConfig

__all__ = ["NOT_KNOWN", "Sketch", "from_langgraph", "guarded"]

#: What a sketch cannot know.
NOT_KNOWN = (
    "what a node decides by: each of its ways is a decision without a body, which may go either way at any time",
    "what nodes tell each other: that is in the state of the graph, and messages have no arguments",
    "that branches which run at once are waited for together: here a node runs for each message to it",
    "where a node goes by Command or Send, unless its annotation or `ends` says it: such edges are missing",
)

#: Whoever starts a graph, and hears its end.
USER = "User"
USER_ROLE = "user"


@dataclass(frozen=True)
class Sketch:
    """A sketch of a dialogue: a role for each node, and every decision marked. ``notes`` say what is not known."""

    text: str
    decisions: tuple[str, ...]
    notes: tuple[str, ...]

    def protocol(self, **arguments: Any) -> Protocol:
        """The dialogue; the arguments are those of `Protocol.from_text`."""
        return Protocol.from_text(self.text, name="sketch.map", **arguments)

    def __str__(self) -> str:
        return self.text


def from_langgraph(graph: Any, scene: str = "graph") -> Sketch:
    """A sketch of the dialogue of a graph: compiled, or still a ``StateGraph``.

    A node waits for ``go()``, runs, and hands on to the next by ``go()``; if it runs again at once it tells the user
    ``again()``, who says ``on()``. Whoever ends the graph tells all others ``stop()`` and the user ``done()``.
    """
    drawn = (graph if hasattr(graph, "get_graph") else graph.compile()).get_graph()
    nodes = [name for name in drawn.nodes if name not in ("__start__", "__end__")]
    edges: dict[str, list[str]] = {name: [] for name in ["__start__", *nodes]}
    conditional: set[str] = set()
    for edge in drawn.edges:
        edges.setdefault(edge.source, []).append(edge.target)
        if edge.conditional:
            conditional.add(edge.source)
    notes = list(NOT_KNOWN)
    for name in nodes:
        if not edges[name]:
            notes.append(f"where {name} goes: the graph has no edge from it, and it ends the graph here")
            edges[name] = ["__end__"]
    roles = {name: _identifier(name) for name in nodes}
    if len(set(roles.values())) < len(roles):
        raise ValueError("two nodes have the same name but for signs that a name of a role cannot have")
    decisions: list[str] = []
    clauses = [_user(edges, roles, "__start__" in conditional, decisions)]
    clauses += [_node(name, edges, roles, name in conditional, decisions) for name in nodes]
    header = "".join(f"// Not known: {note}.\n" for note in notes)
    declared = "".join(f"decision {it}()   // DECISION: say here when the graph goes this way\n" for it in decisions)
    body = "\n\n".join(clauses)
    return Sketch(f"{header}\n{declared}\n{_identifier(scene)}[\n{body}\n]\n", tuple(decisions), tuple(notes))


def _identifier(name: str) -> str:
    plain = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")
    return plain[:1].lower() + plain[1:] if plain[:1].isalpha() else f"n_{plain}"


def _agent(role: str) -> str:
    return "!" + "".join(part[:1].upper() + part[1:] for part in role.split("_") if part)


def _ways(own: str, targets: list[str], roles: Mapping[str, str], is_conditional: bool, decisions: list[str]) -> str:
    """What a node does when it has run."""
    if not is_conditional:
        all_ways = [_hand_on(own, target, roles) for target in targets]
        return " then ".join(all_ways if own == USER_ROLE or "__end__" in targets else [*all_ways, "agent()"])
    ways = []
    for index, target in enumerate(targets):
        way = _hand_on(own, target, roles)
        if own != USER_ROLE and target != "__end__":
            way += " then agent(run)" if roles[target] == own else " then agent()"
        if index < len(targets) - 1:
            decision = f"{own}_to_{'end' if target == '__end__' else roles[target]}"
            decisions.append(decision)
            way = f"{decision}() then {way}"
        ways.append(f"({way})")
    return "\n            or ".join(ways)


def _hand_on(own: str, target: str, roles: Mapping[str, str]) -> str:
    if target != "__end__":
        role = roles[target]
        if role != own:
            return f"go() => agent({_agent(role)}, %{role})"
        # Agents send nothing to themselves: the user hears that a node runs again, and says so.
        return f"again() => agent(!{USER}, %{USER_ROLE}) then (waitfor on() <= agent(_, %{USER_ROLE}))"
    ends = [f"stop() => agent({_agent(role)}, %{role})" for role in roles.values() if role != own]
    return " then ".join([*ends, f"done() => agent(!{USER}, %{USER_ROLE})"])


def _user(edges: Mapping[str, list[str]], roles: Mapping[str, str], is_conditional: bool, decisions: list[str]) -> str:
    ways = _ways(USER_ROLE, edges["__start__"], roles, is_conditional, decisions)
    again = [
        f"(again() <= agent(_, %{role}) then on() => agent({_agent(role)}, %{role}) then agent(wait))"
        for name, role in roles.items()
        if name in edges[name]
    ]
    done = [f"done() <= agent(_, %{role})" for name, role in roles.items() if "__end__" in edges[name]]
    waits = "\n            or ".join([*again, *done])
    return (
        f"    agent(!{USER}, %{USER_ROLE}) =\n        ({ways})\n        then agent(wait)\n\n"
        f"    agent(!{USER}, %{USER_ROLE}, wait) =\n        waitfor (\n            {waits}\n        )"
    )


def _node(
    name: str, edges: Mapping[str, list[str]], roles: Mapping[str, str], is_conditional: bool, decisions: list[str]
) -> str:
    own = roles[name]
    agent = _agent(own)
    before = [it for it in ["__start__", *roles] if it != name and name in edges[it]]
    senders = [f"go() <= agent(_, %{USER_ROLE if it == '__start__' else roles[it]})" for it in before]
    stops = [f"stop() <= agent(_, %{role})" for it, role in roles.items() if it != name and "__end__" in edges[it]]
    runs = [f"({it} then agent(run))" for it in senders]
    ways = _ways(own, edges[name], roles, is_conditional, decisions)
    return (
        f"    agent({agent}, %{own}) =\n        waitfor (\n            "
        + "\n            or ".join([*runs, *stops])
        + f"\n        )\n\n    agent({agent}, %{own}, run) =\n            {ways}"
    )


def guarded(graph: Any, guard: Guard, conversation: str = "") -> Any:
    """A copy of a ``StateGraph`` (or of that of a compiled graph) whose nodes run only as the dialogue allows: that of
    the graph's sketch, or a better one with the same messages.

    A node that hands on where it may not raises `GuardRefusal`, before the next one runs.
    """
    builder = copy.copy(getattr(graph, "builder", graph))
    gate = Gate(guard, conversation)
    roles = {name: _identifier(name) for name in builder.nodes}
    for name, role in roles.items():
        gate.names[name] = _agent(role)
    gate.names["__start__"] = f"!{USER}"
    static: dict[str, list[str]] = {}
    for source, target in sorted(builder.edges):
        static.setdefault(source, []).append(target)
    handed = _Handing(gate, list(roles))
    builder.nodes = {
        name: _with_runnable(spec, handed.around(name, static.get(name, []), spec.runnable))
        for name, spec in builder.nodes.items()
    }
    branches = type(builder.branches)(dict) if hasattr(builder.branches, "default_factory") else {}
    for source, its in builder.branches.items():
        branches[source] = {name: handed.branch(source, branch) for name, branch in its.items()}
    builder.branches = branches
    handed.first = static.get("__start__", [])
    builder.compiled = False
    return builder


def _with_runnable(spec: Any, runnable: Any) -> Any:
    other = copy.copy(spec)
    other.runnable = runnable
    return other


class _Handing:
    """Tells the guard who hands on to whom."""

    def __init__(self, gate: Gate, nodes: list[str]) -> None:
        self.gate = gate
        self.nodes = nodes
        self.first: list[str] = []
        self.has_begun = False

    def begin(self) -> None:
        if not self.has_begun:
            self.has_begun = True
            self.on("__start__", self.first)

    def on(self, source: str, targets: Iterable[str]) -> None:
        for target in targets:
            if target == "__end__":
                for other in self.nodes:
                    if other != source:
                        self.gate.pass_on(source, "stop", [], other)
                self.gate.pass_on(source, "done", [], "__start__")
            elif target == source:
                self.gate.pass_on(source, "again", [], "__start__")
                self.gate.pass_on("__start__", "on", [], source)
            else:
                self.gate.pass_on(source, "go", [], target)

    def around(self, name: str, static: list[str], runnable: Any) -> Any:
        from langgraph._internal._runnable import RunnableCallable
        from langgraph.types import Command

        def told(result: Any) -> Any:
            self.on(name, static)
            for one in result if isinstance(result, list) else [result]:
                if isinstance(one, Command) and one.goto:
                    goto = one.goto if isinstance(one.goto, (list, tuple)) else [one.goto]
                    self.on(name, [it if isinstance(it, str) else it.node for it in goto])
            return result

        def run(state: Any, config: RunnableConfig) -> Any:
            self.begin()
            return told(runnable.invoke(state, config))

        async def run_async(state: Any, config: RunnableConfig) -> Any:
            self.begin()
            return told(await runnable.ainvoke(state, config))

        return RunnableCallable(run, run_async, name=name, trace=False)

    def branch(self, source: str, branch: Any) -> Any:
        from langgraph._internal._runnable import RunnableCallable

        ends: Optional[Mapping[Any, str]] = branch.ends

        def told(result: Any) -> Any:
            if source == "__start__":
                self.has_begun = True
            chosen = result if isinstance(result, (list, tuple)) else [result]
            names = [it if isinstance(it, str) or ends is not None else it.node for it in chosen]
            self.on(source, [ends[it] if ends else it for it in names])
            return result

        def decide(state: Any, config: RunnableConfig) -> Any:
            return told(branch.path.invoke(state, config))

        async def decide_async(state: Any, config: RunnableConfig) -> Any:
            return told(await branch.path.ainvoke(state, config))

        return branch._replace(path=RunnableCallable(decide, decide_async, name=branch.path.name, trace=False))
