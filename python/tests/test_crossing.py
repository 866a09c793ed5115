"""What crosses between Python, Rust and JSON; `tools/figures.py` does the same ten thousand times."""

from __future__ import annotations

import crossing


def test_decisions_are_the_same_on_all_sides() -> None:
    crossing.decisions(1000)


def test_answers_are_the_same_as_json_and_as_objects() -> None:
    crossing.answers(200)


def test_messages_are_handed_over_as_they_were_sent() -> None:
    crossing.lines(60)
