"""Answers that cross from Python to Rust, from there to JSON, and back: the same each time."""

from __future__ import annotations

import json
import random
import re
from typing import Any

from maplang import Agent, Constant, Protocol, Role, library, library_names
from maplang._answers import Step

THINKS = """s[
    agent(!A, %a) = $x = think(0) then agent(on, $x)
    agent(!A, %a, on, $x) = $y = think($x) then agent(on, $y)
]
procedure think($x)
"""

TELLS = """s[
    agent(!A, %a) = $x = think() then tell($x) => agent(!B, %b) then agent()
    agent(!B, %b) = waitfor (tell($x) <= agent(_, %a)) then agent()
]
procedure think()
"""

#: Characters that are written in some other way somewhere: in JSON, in texts of the language, on a terminal.
SIGNS = "a Zé\"\\/'\n\t\x00\x1b\u2028\u202e\U0001f600{}$%!@#,"

#: Whose attribute has another name than in JSON.
RENAMED = {"from": "sender"}


def draw(dice: random.Random) -> Any:
    """A value that an answer may be, or no value: ``None`` and ``False`` are "no" only of a decision."""
    kind = dice.randrange(4)
    if kind == 0:
        return dice.choice([0, 1, -1, 2**63 - 1, -(2**63), dice.randrange(-1000, 1000)])
    if kind == 1:
        return "".join(dice.choices(SIGNS, k=dice.randrange(8)))
    if kind == 2:
        return Constant(dice.choice(["red", "green", "aBc9"]))
    return dice.choice([Agent("A"), Role("a")])


def decisions(count: int, seed: int = 1) -> None:
    """What a function answers is what the next question has, and what the JSON of the run has."""
    dice = random.Random(seed)
    given: list[Any] = [0]

    def think(seen: Any) -> Any:
        last = given[-1]
        assert seen == last and type(seen) is type(last), (seen, last)
        given.append(draw(dice))
        return given[-1]

    run = Protocol.from_text(THINKS).run(max_steps=count, deciders={"think": think}, depth=10**9)
    answers = [step["answer"] for step in run.json["trace"]]
    assert len(answers) == count == len(given) - 1
    for answer, value in zip(answers, given[1:]):
        assert written(answer) == (str(value) if not isinstance(value, str) else value), (answer, value)
    steps(run.steps, run.json["trace"])


def written(answer: str) -> str:
    """What a value is that is written as on a terminal: a text as in JSON, but for signs that have no picture."""
    if not answer.startswith('"'):
        return answer
    escaped = re.sub(r"\\u\{([0-9a-f]+)\}", lambda it: json.dumps(chr(int(it[1], 16)))[1:-1], answer)
    return str(json.loads(escaped))


def steps(made: Any, told: Any) -> None:
    """Steps as objects have all that their JSON has."""
    assert len(made) == len(told)
    for step, it in zip(made, told):
        assert isinstance(step, Step)
        for key, value in it.items():
            own = getattr(step, RENAMED.get(key, key))
            if key == "span":
                assert all(getattr(own, name) == part for name, part in value.items()), (own, value)
            else:
                assert own == (tuple(value) if isinstance(value, list) else value), (key, step, it)


def answers(count: int, seed: int = 1) -> None:
    """Random runs and verifications of the library: as JSON and as objects they are the same."""
    dice = random.Random(seed)
    # One of the files has several scenes.
    protocols = [library(name) for name in library_names() if name != "service-patterns"]
    for _ in range(count):
        protocol = dice.choice(protocols)
        run = protocol.run(seed=dice.getrandbits(32), max_steps=dice.randrange(1, 40))
        steps(run.steps, run.json["trace"])
        assert run.end.value == run.json["verdict"] and len(run.steps) == run.json["steps"], run
        assert json.loads(json.dumps(run.json)) == run.json
    for _ in range(count // 100):
        answer = dice.choice(protocols).verify(max_states=dice.randrange(1, 400), threads=1)
        assert answer.verdict.value == answer.json["verdict"]
        assert answer.figures.states == answer.json["states"]
        endless = (answer.json.get("endless") or {}).get("trace", [])
        if answer.violations:
            steps(answer.counterexample or (), answer.json["trace"] + endless)
        steps(answer.endless_run or (), [] if answer.violations else endless)
        for told in answer.json.get("properties", ()):
            steps(answer.properties[told["name"]].trace or (), told.get("trace") or [])


def lines(count: int, seed: int = 1) -> None:
    """Messages with random values: what a guard hands over is what was sent."""
    dice = random.Random(seed)
    guard = Protocol.from_text(TELLS).guard()
    for _ in range(count):
        value = draw(dice)
        value = value if isinstance(value, (int, str)) else str(value)
        guard.send("!A", "tell", [value])
        (received,) = guard.receive("!B")
        assert received.args == (value,), (received, value)
