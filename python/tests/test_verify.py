"""Checking and verifying: what Python gets is what the command line says."""

from __future__ import annotations

import asyncio
import copy
import json
import pickle
import signal
import threading
import time

import pytest

import maplang
from maplang import MapError, PropertyVerdict, Protocol, Verdict, any_number, library

TALK = """talk[
    agent(!A, %asker) = question() => agent(!B, %answerer) then (waitfor answer() <= agent(_, %answerer))
    agent(!B, %answerer) =
        (waitfor question() <= agent(_, %asker)) then ((speaks() then answer() => agent(!A, %asker)) or skip)
] decision speaks()
property answered: eventually !A receives answer() from _
property silent: never !B sends answer() to _"""

ENDLESS = """forever[
    agent(!A, %a) = waitfor (ping() <= agent(_, %b) then pong() => agent(!B, %b) then agent())
    agent(!B, %b) = ping() => agent(!A, %a) then (waitfor (pong() <= agent(_, %a) then agent()))
]"""


def test_costs_have_the_most_the_least_and_a_run() -> None:
    tokens = library("agent-handoff").verify(agents={"worker": 1}).costs["tokens"]
    assert (tokens.least, tokens.most, tokens.bounded) == (2200, 4200, True)
    assert tokens.roles == {"planner": 1200, "worker": 2400, "critic": 600}
    assert tokens.trace is not None and tokens.trace.repeated_from is None
    assert [it.procedure for it in tokens.trace].count("draft") == 3
    # The chart is that of this run, and not that of a violation.
    assert "rejected()" in str(tokens.trace) and tokens.trace.chart().svg.startswith("<svg")
    endless = library("agent-handoff", "endless-revision").verify().costs["tokens"]
    assert (endless.least, endless.most, endless.bounded, endless.each_time) == (2200, None, False, 1000)
    assert endless.trace is not None and endless.trace.repeated_from == 11
    # A limit that comes first leaves nothing known, but what was seen.
    cut_short = library("agent-handoff").verify(agents={"worker": 2}, max_states=200).costs["tokens"]
    assert (cut_short.searched, cut_short.most, cut_short.bounded) == (False, None, False)
    assert cut_short.seen is not None and cut_short.seen <= 6400
    assert not tokens.measure


def test_measures_that_add_up_are_among_the_costs() -> None:
    measures = "measure asked = count(_ sends question() to _)\nmeasure other = 3 - measure(asked)\n"
    protocol = Protocol.from_text(f"cost calls {{ _ sends answer() to _ = 2 }}\n{measures}{TALK}")
    costs = protocol.verify(collect=["asked", "other"]).costs
    assert {name: (it.measure, it.most) for name, it in costs.items()} == {
        "calls": (False, 2),
        "asked": (True, 1),
        "other": (True, None),
    }
    assert costs["other"].reasons and not costs["asked"].reasons
    assert protocol.verify(collect="steps").costs["steps"].most == 5
    with pytest.raises(MapError, match="no such cost or measure; did you mean asked"):
        protocol.verify(collect=["aksed"])


def test_an_answer_has_its_evidence() -> None:
    answer = Protocol.from_text(TALK).verify()
    assert not answer and answer.verdict is Verdict.DEADLOCK
    trace = answer.counterexample
    assert trace is not None and len(trace) == answer.violations[0].steps
    assert trace[0].performative == "question" and trace[0].to == ("B",)
    assert {name: it.verdict for name, it in answer.properties.items()} == {
        "answered": PropertyVerdict.VIOLATED,
        "silent": PropertyVerdict.VIOLATED,
    }
    shown = answer.properties["silent"].trace
    assert shown is not None and shown[-1].performative == "answer"
    assert answer.figures.states > 0 and not answer.is_complete
    assert "deadlock" in str(answer) and "DEADLOCK" not in repr(answer)


def test_what_is_well_is_true() -> None:
    answer = library("agent-handoff").verify({"worker": 2})
    assert answer and answer.verdict is Verdict.TERMINATES and answer.counterexample is None
    assert all(answer.properties.values()) and answer.chart() is None
    assert library("agent-handoff", "endless-revision").verify().endless_run is not None


def test_a_livelock_goes_on_for_ever() -> None:
    answer = Protocol.from_text(ENDLESS).verify()
    trace = answer.counterexample
    assert answer.verdict is Verdict.LIVELOCK and trace is not None and trace.repeated_from is not None
    assert trace.repeated_from < len(trace)


def test_any_number_is_proved() -> None:
    answer = library("agent-handoff").verify({"worker": any_number}, properties=False)
    assert answer and answer.is_complete and answer.verdict is Verdict.TERMINATES
    judged = library("agent-handoff").verify({"worker": any_number}).properties["every_draft_is_judged"]
    assert judged.verdict is PropertyVerdict.NOT_JUDGED and "in the end" in judged.reasons[0]
    wrong = library("english-auction", "published").verify({"bidder": any_number(3)})
    assert not wrong and wrong.counterexample is not None


def test_formulas_of_the_caller_are_judged() -> None:
    answer = Protocol.from_text(TALK).verify(properties=["always mailbox(!A) <= 1"], only=["silent"])
    assert sorted(it.verdict.value for it in answer.properties.values()) == ["holds", "violated"]
    with pytest.raises(MapError) as raised:
        Protocol.from_text(TALK).verify(properties=["eventually !C receives answer() from _"])
    assert raised.value.diagnostics


def test_an_error_is_that_of_the_command_line() -> None:
    with pytest.raises(MapError) as raised:
        Protocol.from_text("talk[\n  agent(!A, %a) = hello() => agent(!B, %c)\n]", name="talk.map")
    error = raised.value
    assert "talk.map:2:" in str(error) and error.diagnostics[0].code in str(error)
    span = error.diagnostics[0].span
    assert span is not None and span.line == 2 and error.diagnostics[0].is_error
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.diagnostics == error.diagnostics


def test_warnings_are_told() -> None:
    codes = [it.code for it in library("send-info", "unused-message").check()]
    assert codes and all(code.startswith("MAP") for code in codes)
    assert library("send-info").check() == []


def test_files_are_read(tmp_path: object, root: object) -> None:
    path = root / "protocols/english-auction/auction.map"  # type: ignore[operator]
    auction = Protocol.from_file(path, agents={"%bidder": 2})
    assert auction.agents["Bidder2"] == "bidder" and auction.name == str(path)
    with pytest.raises(FileNotFoundError):
        Protocol.from_file("nowhere.map")
    broken = tmp_path / "broken.map"  # type: ignore[operator]
    broken.write_bytes(b"\xff")
    with pytest.raises(MapError, match="UTF-8"):
        Protocol.from_file(broken)


def test_pictures_are_shown() -> None:
    protocol = Protocol.from_text(TALK)
    answer = protocol.verify()
    for shown in (protocol, answer.counterexample, answer.chart(), protocol.role_chart("asker")):
        bundle = shown._repr_mimebundle_()  # type: ignore[union-attr]
        assert bundle["image/svg+xml"].startswith("<svg") and "<svg" in bundle["text/html"]
    assert "<svg" in answer._repr_html_() and "&lt;" not in answer._repr_svg_()  # type: ignore[operator]
    assert "question" in str(answer.chart()) and answer.chart("silent") is not None
    assert "sequenceDiagram" in answer.chart().mermaid  # type: ignore[union-attr]
    assert protocol.state_chart().to("dot").startswith("digraph")
    with pytest.raises(ValueError, match="no language"):
        protocol.role_chart().to("gif")


def test_dialogues_can_be_copied() -> None:
    protocol = library("english-auction").with_agents(bidder=3)
    for other in (copy.copy(protocol), pickle.loads(pickle.dumps(protocol))):
        assert other.agents == protocol.agents and other.source == protocol.source


def large() -> Protocol:
    return library("english-auction").with_agents(bidder=9)


def test_ctrl_c_ends_a_search() -> None:
    # Whoever started the tests may have had the signal ignored, as shells do with what runs in the background.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.4, signal.raise_signal, [signal.SIGINT])
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            large().verify(reductions="none", time_limit=300)
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)


def test_progress_is_told_and_ends_a_search() -> None:
    class Enough(Exception):
        pass

    told = []

    def progress(figures: dict[str, int]) -> None:
        told.append(figures)
        raise Enough

    with pytest.raises(Enough):
        large().verify(reductions="none", progress=progress)
    assert told[0]["states"] > 0 and set(told[0]) == {"states", "transitions", "depth", "frontier", "memory"}


def test_limits_are_kept() -> None:
    answer = large().verify(max_states=1000, threads=1)
    assert not answer and answer.verdict is Verdict.INCONCLUSIVE and answer.limit == "states"
    assert large().verify(reductions="none", time_limit=0.05).limit == "time"


def test_the_lock_is_released() -> None:
    stop = threading.Event()
    turns = 0

    def turn() -> None:
        nonlocal turns
        while not stop.is_set():
            turns += 1
            time.sleep(0.001)

    thread = threading.Thread(target=turn)
    thread.start()
    large().verify(reductions="none", time_limit=0.3)
    stop.set()
    thread.join()
    assert turns > 10


def test_threads_verify_at_once() -> None:
    protocol = library("agent-handoff")
    answers: list[maplang.Answer] = []
    threads = [threading.Thread(target=lambda: answers.append(protocol.verify({"worker": 2}))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    states = {answer.figures.states for answer in answers}
    assert len(answers) == 4 and len(states) == 1


def test_tasks_wait_for_answers_and_can_be_cancelled() -> None:
    async def both() -> bool:
        answer = await library("send-info").verify_async()
        task = asyncio.create_task(large().verify_async(reductions="none"))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return bool(answer)

    assert asyncio.run(both())


def test_answers_are_those_of_programs() -> None:
    answer = library("english-auction", "published").verify({"bidder": 2}, rounds={"bidloop": 2})
    assert answer.json["tool"] == "map" and answer.json["command"] == "verify"
    assert json.loads(json.dumps(answer.json)) == answer.json
    assert answer.json["states"] == answer.figures.states


def test_there_are_never_more_threads_than_are_of_use() -> None:
    assert library("send-info").verify(threads=10**12)
    assert library("send-info").runs(2, threads=10**12).counts()
