"""Writes ``examples/handoff.ipynb``: the headings and programs of the chapter, with the charts that a page cannot show."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from test_docs import BLOCK  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
SHOWN = {
    "draft = maplang": "answer.endless_run",
    "proof = bounded": "bounded.role_chart()",
    "endless = answer": "tokens.trace",
    "run = bounded": "run",
}


def main() -> None:
    page = (ROOT / "docs/book/src/how-to/maplang.md").read_text("utf-8")
    cells = []

    def add(kind: str, text: str) -> None:
        cell = {"cell_type": kind, "id": f"cell-{len(cells)}", "metadata": {}, "source": text.strip("\n").splitlines(True)}
        if kind == "code":
            cell.update(execution_count=None, outputs=[])
        cells.append(cell)

    at = 0
    for block in BLOCK.finditer(page):
        words = re.sub(r"<!--.*?-->\n|```console.*?```\n", "", page[at : block.start()], flags=re.DOTALL).strip()
        if words:
            add("markdown", words)
        at = block.end()
        skipped, language, content = block.groups()
        if language == "python" and not skipped:
            add("code", content)
            for start, shown in SHOWN.items():
                if start in content:
                    add("code", shown)
        elif language == "python":
            add("markdown", f"```python\n{content}```")
    add("markdown", page[at:])
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    text = json.dumps(notebook, indent=1, ensure_ascii=False)
    (ROOT / "python/examples/handoff.ipynb").write_text(text + "\n", "utf-8")


main()
