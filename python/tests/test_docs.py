"""The chapter of the book: its programs print what stands below them, and the notebook has the same programs."""

from __future__ import annotations

import contextlib
import doctest
import io
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

BLOCK = re.compile(r"(<!-- not run[^\n]*-->\n)?```(python|text)\n(.*?)```\n", re.DOTALL)


def programs(page: str) -> list[tuple[str, str]]:
    """The programs of a page, each with what it prints."""
    found: list[tuple[str, str]] = []
    for skipped, language, content in BLOCK.findall(page):
        if language == "python" and not skipped:
            found.append((content, ""))
        elif language == "text":
            found[-1] = (found[-1][0], content)
    return found


@pytest.fixture
def page(root: Path) -> str:
    return (root / "docs/book/src/how-to/maplang.md").read_text("utf-8")


def test_the_chapter_says_what_is_printed(page: str, root: Path) -> None:
    """MAP_UPDATE=1 writes what is printed; read the diff."""
    names: dict[str, Any] = {}
    written = page
    for program, expected in programs(page):
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(program, "maplang.md", "exec"), names)
        written = written.replace(f"{program}```\n\n```text\n{expected}", f"{program}```\n\n```text\n{printed.getvalue()}")
        if os.environ.get("MAP_UPDATE"):
            continue
        same = doctest.OutputChecker().check_output(expected, printed.getvalue(), doctest.ELLIPSIS)
        assert same, f"{program}\nprints\n{printed.getvalue()}\nand not\n{expected}"
    if written != page and os.environ.get("MAP_UPDATE"):
        (root / "docs/book/src/how-to/maplang.md").write_text(written, "utf-8")


def test_the_notebook_has_the_programs_of_the_chapter(page: str, root: Path) -> None:
    notebook = json.loads((root / "python/examples/handoff.ipynb").read_text("utf-8"))
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    own = [program.strip("\n") for program, _ in programs(page)]
    assert [cell for cell in cells if cell in own] == own


def test_the_reference_is_that_of_the_docstrings(root: Path) -> None:
    """MAP_UPDATE=1 writes it; read the diff."""
    module: dict[str, Any] = {"__name__": "reference", "__file__": str(root / "python/tools/reference.py")}
    exec(compile((root / "python/tools/reference.py").read_text("utf-8"), "reference.py", "exec"), module)
    if os.environ.get("MAP_UPDATE"):
        module["PAGE"].write_text(module["page"](), "utf-8")
    assert module["PAGE"].read_text("utf-8") == module["page"]()
