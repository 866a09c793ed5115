"""Runs, and functions that decide in them."""

from __future__ import annotations

from typing import Any, Optional

import pytest

import maplang
from maplang import CHANCE, Agent, Constant, DecisionError, End, MapError, Protocol, library

AUCTION = library("english-auction")

ASKS = """asks[
    agent(!A, %a) = $x = pick() then $y = think($x) then tell($x, $y, !B) => agent(!B, %b)
    agent(!B, %b) = waitfor (tell($x, $y, $who) <= agent(_, %a) then $z = check($x, $y, $who))
]
procedure pick() in {1, 2, red}
procedure think($x)
decision check($x, $y, $who)
"""


class Asked:
    def __init__(self) -> None:
        self.questions: list[tuple[Any, ...]] = []

    def pick(self) -> int:
        return 2

    def think(self, x: int) -> Any:
        return Constant("deep") if x == 2 else CHANCE

    def check(self, *arguments: Any) -> bool:
        self.questions.append(arguments)
        return True


def test_a_run_is_that_of_its_seed() -> None:
    one, again = AUCTION.run(seed=7), AUCTION.run(seed=7)
    assert one.json == again.json and one.seed == 7
    assert len(one.steps) == one.json["steps"] and "<svg" in one._repr_html_()
    assert one and one.end is End.DONE


def test_deciders_get_values_of_their_kind() -> None:
    asked = Asked()
    run = Protocol.from_text(ASKS).run(seed=1, deciders={"!A": asked, "%b": asked})
    assert run.end is End.DONE
    assert asked.questions == [(2, Constant("deep"), Agent("B"))]


def test_functions_decide_for_procedures() -> None:
    run = Protocol.from_text(ASKS).run(seed=1, deciders={"check": lambda *_: None, "pick": lambda: Constant("red")})
    assert run.end is End.DEADLOCK
    assert [step.answer for step in run.steps if step.procedure == "pick"] == ["red"]


def test_a_run_with_a_domain_is_replayed_by_its_seed_and_choices() -> None:
    protocol = Protocol.from_text(ASKS)
    decided = protocol.run(seed=3, deciders={"pick": lambda: 1})
    assert [step.answer for step in decided.steps if step.procedure == "pick"] == ["1"]
    # Which of the three it is stands in the step, as if it had been drawn.
    assert any(choice.endswith("/0") or choice.endswith(":0") or choice.endswith("0") for choice in decided.choices)


@pytest.mark.parametrize(
    ("deciders", "words"),
    [
        ({"pick": lambda: 3}, "step 1: pick of !A: 3 is not among its answers, which are 1, 2, red"),
        ({"pick": lambda: True}, "step 1: pick of !A: True is not among its answers"),
        ({"pick": lambda: "red"}, 'step 1: pick of !A: "red" is not among its answers'),
        ({"think": lambda _: None}, "step 2: think of !A: it says no"),
        ({"think": lambda _: 1 << 64}, "step 2: think of !A: an int has at most 64 bits"),
        ({"think": lambda _: 1.5}, "step 2: think of !A: a float is no value"),
        ({"think": lambda _: Constant("no name")}, 'step 2: think of !A: "no name" is not the name of a constant'),
        ({"think": lambda _: Agent("C")}, 'step 2: think of !A: there is no agent "C"'),
        ({"think": lambda _: 1 // 0}, "step 2: think of !A: its function raised an exception"),
        ({"think": lambda: 1}, "step 2: think of !A: its function raised an exception"),
    ],
)
def test_a_wrong_decision_names_procedure_and_step(deciders: dict[str, Any], words: str) -> None:
    with pytest.raises(DecisionError) as raised:
        Protocol.from_text(ASKS).run(seed=1, deciders=deciders)
    assert words in str(raised.value)
    assert raised.value.procedure in ("pick", "think") and raised.value.agent == "A"
    assert "raised" not in words or raised.value.__cause__ is not None


def test_ctrl_c_in_a_decider_is_passed_on() -> None:
    def think(_: int) -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Protocol.from_text(ASKS).run(deciders={"think": think})


def test_who_decides_is_known_beforehand() -> None:
    protocol = Protocol.from_text(ASKS)
    with pytest.raises(MapError, match="there is no '!C'; there are: !A, !B, %a, %b"):
        protocol.run(deciders={"!C": Asked()})
    with pytest.raises(MapError, match="the decider of !A has no method think;"):
        protocol.run(deciders={"!A": object()})
    with pytest.raises(TypeError, match="'think' has to be a function"):
        protocol.run(deciders={"think": 3})


class Bidder:
    """Bids one more, up to a limit."""

    def __init__(self, limit: int) -> None:
        self.limit = limit

    def start_bidding(self, price: Any, *_: Any) -> Optional[int]:
        return price + 1 if isinstance(price, int) and price < self.limit else None

    keep_bidding = start_bidding


def test_many_runs_give_columns() -> None:
    collect = ["seed", "steps", "verdict", "messages", "decisions"]
    columns = AUCTION.runs(64, seed=5, collect=collect, agents={"bidder": 2})
    assert {len(column) for column in columns.values()} == {64}
    assert columns.counts() == {End.DONE: 64}
    for index in (0, 63):
        run = AUCTION.run(seed=columns["seed"][index], agents={"bidder": 2})
        assert len(run.steps) == columns["steps"][index]
    one = AUCTION.runs(64, seed=5, collect=collect, agents={"bidder": 2}, threads=1)
    assert dict(one) == dict(columns)


def test_columns_know_what_there_is() -> None:
    names = [name for name, arity in AUCTION.messages if arity > 0]
    columns = AUCTION.runs(8, collect=[f"sent:{names[0]}", f"last:{names[0]}.0"])
    assert len(columns) == 2
    for wrong in ("x", "sent:x", "last:x.0", f"last:{names[0]}.9", f"last:{names[0]}.x", "violated:x", "y:x"):
        with pytest.raises(MapError, match="collect"):
            AUCTION.runs(1, collect=[wrong])
    assert AUCTION.runs(0, collect=["verdict"]).counts() == {}


def test_runs_with_deciders_are_those_of_their_seeds() -> None:
    asked = Asked()
    columns = Protocol.from_text(ASKS).runs(20, collect=["decisions", "verdict"], deciders={"%b": asked})
    assert columns["decisions"].tolist() == [1] * 20 and len(asked.questions) == 20
    told: list[tuple[int, int]] = []
    protocol = Protocol.from_text(ASKS)
    protocol.runs(64, deciders={"%b": asked}, progress=lambda done, wanted: told.append((done, wanted)))
    assert told[-1] == (64, 64)
    with pytest.raises(DecisionError, match="step 2: think of !A"):
        protocol.runs(20, deciders={"think": lambda _: 1.5})


def test_columns_share_their_memory() -> None:
    numpy = pytest.importorskip("numpy")
    columns = AUCTION.runs(10)
    seen = numpy.frombuffer(columns["steps"], dtype="q")
    assert seen.tolist() == columns["steps"].tolist() and not seen.flags.owndata
    assert maplang.__version__


def test_costs_quantities_and_values_of_events_become_columns() -> None:
    names = ["tokens", "cost(tokens, !Critic)", "seed", "!Worker sends review($draft) to _", "!Critic sends revise($n) to _"]
    columns = library("agent-handoff").runs(200, seed=1, collect=names)
    assert list(columns) == ["seed", "tokens", "cost(tokens, !Critic)", "$draft", "$n"]
    assert set(columns["tokens"]) == {2200, 3200, 4200}
    assert all(own == 200 * ((all_of_it - 1200) // 1000) for all_of_it, own in zip(*map(columns.get, names[:2])))
    # A draft is no integer, and who is never sent back has no number.
    assert set(columns["$draft"]) == {columns.missing} and set(columns["$n"]) == {1, 2, columns.missing}
    decided = library("agent-handoff").runs(3, collect=["tokens"], deciders={"good": lambda draft: draft})
    assert set(decided["tokens"]) == {2200}
