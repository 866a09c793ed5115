"""Arguments in the words of the command line, which the native part reads: so both mean the same by them."""

from __future__ import annotations

import re
from typing import Any, Mapping, Optional, Sequence, Union

__all__ = ["AgentCount", "AnyNumber", "any_number", "as_arguments", "flags"]


class AnyNumber:
    """Any number of agents of a role, from ``least`` on."""

    def __init__(self, least: int = 2) -> None:
        self.least = least

    def __call__(self, least: int) -> AnyNumber:
        """Any number from this one on: ``any_number(3)``."""
        return AnyNumber(least)

    def __repr__(self) -> str:
        return "any_number" if self.least == 2 else f"any_number({self.least})"


#: Any number of agents of a role, two or more; ``any_number(3)`` for three or more.
any_number = AnyNumber()

AgentCount = Union[int, AnyNumber]


def flags(
    scene: Optional[str] = None,
    agents: Optional[Mapping[str, AgentCount]] = None,
    **others: Any,
) -> list[str]:
    """The words for arguments; what is ``None`` is left out."""
    words: list[str] = []
    if scene is not None:
        words.append(f"--scene={scene}")
    for role, count in (agents or {}).items():
        words.append(f"--agents={_name(role)}={_count(role, count)}")
    for name, value in others.items():
        flag = "--" + name.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(flag)
        elif isinstance(value, Mapping):
            words.extend(f"{flag}={key}={it}" for key, it in value.items())
        elif isinstance(value, Sequence) and not isinstance(value, str):
            words.extend(f"{flag}={it}" for it in value)
        else:
            words.append(f"{flag}={value}")
    return words


def _name(role: str) -> str:
    if not isinstance(role, str):
        raise TypeError(f"agents: the name of a role is a str, not {type(role).__name__}")
    return role.lstrip("%")


def _count(role: str, count: AgentCount) -> str:
    if isinstance(count, AnyNumber):
        return "any" if count.least == 2 else f"{count.least}..any"
    if isinstance(count, bool) or not isinstance(count, int):
        raise TypeError(f"agents: the number of {role} is an int or any_number, not {type(count).__name__}")
    return str(count)


#: What stands in place of flags with values; of the others, the name does.
_ARGUMENTS = (
    (re.compile(r"--agents (\w+)=any\b"), r'agents={"\1": any_number}'),
    (re.compile(r"--agents (\w+)=(\d+)\.\.any\b"), r'agents={"\1": any_number(\2)}'),
    (re.compile(r"--(agents|rounds) (\w+)=(\d+)"), r'\1={"\2": \3}'),
    (re.compile(r"--scene (\w+)"), r'scene="\1"'),
    (re.compile(r"--property\b"), "properties"),
    (re.compile(r": --joined\b"), ""),
)
_FLAG = re.compile(r'(?<![\w"-])--([a-z][a-z-]*)( (?=\d))?')


def as_arguments(text: str) -> str:
    """A text of the command line, with the names that arguments have here. Charts, and lines of a dialogue, stay."""

    def line(it: str) -> str:
        if "│" not in it:
            for flag, argument in _ARGUMENTS:
                it = flag.sub(argument, it)
            it = _FLAG.sub(lambda found: found[1].replace("-", "_") + ("=" if found[2] else ""), it)
        return it

    return "\n".join(map(line, text.split("\n")))
