"""Who decides for agents in runs: the functions by agent and procedure."""

from __future__ import annotations

import re
from typing import Any, Callable, Mapping, Optional

from ._errors import MapError

__all__ = ["Deciders", "table_of"]

#: By agent (``"!Bidder1"``), by role (``"%bidder"``) or by procedure (``"keepBidding"``): an object with a method for
#: each procedure, a mapping, or, for a procedure, a function.
Deciders = Mapping[str, Any]

Function = Callable[..., Any]


def table_of(
    deciders: Optional[Deciders],
    cast: list[tuple[str, str]],
    procedures: list[tuple[str, int, bool, str]],
    asked: Mapping[str, list[int]],
) -> list[list[Optional[Function]]]:
    """The function for each agent and procedure; an agent's own come before those of its role, and these before those
    for a procedure."""
    if not deciders:
        return []
    names = [name for name, _, _, _ in procedures]
    agents = {name for name, _ in cast}
    roles = {role for _, role in cast}
    for key in deciders:
        if not isinstance(key, str):
            raise TypeError(f"deciders: a key is a str, not {type(key).__name__}")
        known = {"!": agents, "%": roles}.get(key[:1], set(names))
        if key.lstrip("!%") not in known:
            there_are = ", ".join([f"!{it}" for it in sorted(agents)] + [f"%{it}" for it in sorted(roles)] + names)
            raise MapError(f"deciders: there is no {key!r}; there are: {there_are}")
    table: list[list[Optional[Function]]] = []
    for agent, role in cast:
        own = [deciders[key] for key in (f"!{agent}", f"%{role}") if key in deciders]
        row: list[Optional[Function]] = [None] * len(names)
        for index in asked[role]:
            name, _, _, how = procedures[index]
            if how not in ("open", "domain"):
                continue
            found = next((it for it in (_function(one, name) for one in own) if it is not None), None)
            if found is None and name in deciders:
                found = deciders[name]
                if not callable(found):
                    raise TypeError(f"deciders: {name!r} has to be a function, not {type(found).__name__}")
            if found is None and own and how == "open":
                snake = _snake(name)
                method = name if snake == name else f"{name} or {snake}"
                raise MapError(
                    f"deciders: the decider of !{agent} has no method {method}; "
                    "let it answer maplang.CHANCE if the question is to be left to chance"
                )
            row[index] = found
        table.append(row)
    return table


def _function(decider: Any, name: str) -> Optional[Function]:
    for its in (name, _snake(name)):
        found = decider.get(its) if isinstance(decider, Mapping) else getattr(decider, its, None)
        if callable(found):
            return found  # type: ignore[no-any-return]
    return None


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()
