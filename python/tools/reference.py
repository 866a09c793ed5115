"""Writes the API reference of the book out of signatures and docstrings: ``docs/book/src/maplang-reference.md``."""

from __future__ import annotations

import dataclasses
import enum
import inspect
import os
import re
from pathlib import Path

import maplang
from maplang import pytest_plugin

ROOT = Path(os.environ.get("MAP_ROOT", Path(__file__).resolve().parents[2]))
PAGE = ROOT / "docs/book/src/maplang-reference.md"


def words(it: object) -> str:
    """A docstring as Markdown."""
    lines = (inspect.getdoc(it) or "").splitlines()
    text: list[str] = []
    is_program = False
    for line in lines:
        starts = line.startswith((">>>", "..."))
        if starts and not is_program:
            text.append("```python")
        elif is_program and not line.strip():
            text.append("```")
            starts = False
        is_program = starts or (is_program and bool(line.strip()))
        text.append(re.sub(r"``([^`]+)``", r"`\1`", line) if not is_program else line)
    if is_program:
        text.append("```")
    told: list[str] = []
    inside = False
    for line in text:
        if re.fullmatch(r"(Args|Raises):", line):
            told += [f"*{line[:-1]}*", ""]
            inside = True
        elif inside and re.match(r"    \S", line):
            name, _, rest = line.strip().partition(": ")
            told.append(f"- `{name}`: {rest}")
        elif inside and line.startswith("        "):
            told[-1] += " " + line.strip()
        else:
            inside = False if line.strip() and not line.startswith(" ") else inside
            told.append(line)
    return "\n".join(told).strip()


def signature(name: str, it: object) -> str:
    """As it is called."""
    try:
        text = str(inspect.signature(it))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return name
    return name + re.sub(r"\(self(, )?", "(", text).replace("'", "")


def of_class(name: str, it: type) -> list[str]:
    """A class with what is public in it."""
    lines = [f"## `{name}`", "", words(it), ""]
    if dataclasses.is_dataclass(it):
        fields = ", ".join(f"`{field.name}: {field.type}`" for field in dataclasses.fields(it) if field.name[0] != "_")
        lines += [f"*Fields:* {fields}.", ""]
    if issubclass(it, enum.Enum):
        return [*lines, ", ".join(f"`{member.name}` ({member.value})" for member in it) + ".", ""]
    for method, value in vars(it).items():
        if method.startswith("_") or method in ("from_json", "of"):
            continue
        function = value.__func__ if isinstance(value, classmethod) else value
        if isinstance(value, property):
            lines += [f"### `{name}.{method}`", "", words(value), ""]
        elif inspect.isfunction(function):
            kind = "async " if inspect.iscoroutinefunction(function) else ""
            shown = signature(f"{kind}{name}.{method}", function).replace("(cls, ", "(")
            lines += [f"### `{name}.{method}`", "", f"```text\n{shown}\n```", "", words(function), ""]
    return lines


def page() -> str:
    """The whole page."""
    lines = [
        "# The package maplang",
        "",
        "Every public name of the Python package, out of its docstrings. [MAP in Python](how-to/maplang.md) is where to begin.",
        "",
    ]
    for name in maplang.__all__:
        it = getattr(maplang, name)
        if inspect.isclass(it):
            lines += of_class(name, it)
        elif inspect.isfunction(it):
            lines += [f"## `{name}`", "", f"```text\n{signature(name, it)}\n```", "", words(it), ""]
    lines += ["## The plugin for pytest", "", words(pytest_plugin), ""]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in "\n".join(lines).splitlines())).rstrip() + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
