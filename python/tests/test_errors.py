"""Bad input of every public function: what the exception says. MAP_UPDATE=1 writes `errors.txt`; read the diff."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any, Callable

import maplang
from maplang import GuardRefusal, MapError, Message, Protocol, any_number, library

TEXT = """talk[
    agent(!A, %asker) = $x = think(1) then ask($x) => agent(!B, %answerer)
    agent(!B, %answerer) = waitfor ask($x) <= agent(_, %asker)
]
procedure think($x) in {1, 2}
property asked: eventually !B receives ask(_) from _
"""
TWO = "one[ agent(!A, %a) = skip ] two[ agent(!A, %a) = skip ]"


def cases() -> dict[str, Callable[[], Any]]:
    talk = Protocol.from_text(TEXT, name="talk.map")
    guard, monitor = talk.guard(), talk.monitor()
    return {
        "from_text: no text": lambda: Protocol.from_text(3),  # type: ignore[arg-type]
        "from_text: empty": lambda: Protocol.from_text(""),
        "from_text: syntax": lambda: Protocol.from_text("talk[ agent(!A, %a) = ]", name="talk.map"),
        "from_text: names": lambda: Protocol.from_text("talk[ agent(!A, %a) = hi() => agent(!B, %b) ]", name="talk.map"),
        "from_text: two scenes": lambda: Protocol.from_text(TWO, name="two.map"),
        "from_text: no such scene": lambda: Protocol.from_text(TWO, name="two.map", scene="three"),
        "from_text: no such role": lambda: Protocol.from_text(TEXT, agents={"nobody": 3}),
        "from_text: no number": lambda: Protocol.from_text(TEXT, agents={"asker": "3"}),  # type: ignore[dict-item]
        "from_text: minus one": lambda: Protocol.from_text(TEXT, agents={"asker": -1}),
        "from_file: no file": lambda: Protocol.from_file("no/such/file.map"),
        "library: no such name": lambda: library("nothing"),
        "library: no such version": lambda: library("send-info", "nothing"),
        "with_agents: no such role": lambda: talk.with_agents(nobody=1),
        "verify: timeouts": lambda: talk.verify(timeouts="sometimes"),
        "verify: network": lambda: talk.verify(network="lossy"),
        "verify: rounds": lambda: talk.verify(rounds={"loop": 2}),
        "verify: depth": lambda: talk.verify(depth=0),
        "verify: mailbox": lambda: talk.verify(mailbox=-1),
        "verify: only": lambda: talk.verify(only=["nothing"]),
        "verify: a formula": lambda: talk.verify(properties=["eventually !C receives ask(_) from _"]),
        "verify: fairness": lambda: talk.verify(fairness="very"),
        "verify: reductions": lambda: talk.verify(reductions="some"),
        "verify: max_states": lambda: talk.verify(max_states=-1),
        "verify: threads": lambda: talk.verify(threads=0),
        "verify: time_limit": lambda: talk.verify(time_limit=-1.0),
        "verify: time_limit is a str": lambda: talk.verify(time_limit="5s"),  # type: ignore[arg-type]
        "verify: time_limit is no number": lambda: talk.verify(time_limit=float("nan")),
        "verify: progress": lambda: talk.verify(progress=3),  # type: ignore[arg-type]
        "verify: any number of two roles": lambda: talk.verify({"asker": any_number, "answerer": any_number}),
        "verify: any number under losses": lambda: library("agent-handoff").verify(
            {"worker": any_number}, network="lossy:1"
        ),
        "Answer.chart: no such property": lambda: talk.verify().chart("nothing"),
        "Picture.to: no such language": lambda: talk.role_chart().to("gif"),
        "role_chart: no such role": lambda: talk.role_chart("nobody"),
        "state_chart: most": lambda: talk.state_chart(most=-1),
        "state_chart: too many": lambda: talk.state_chart(most=1),
        "run: seed is negative": lambda: talk.run(seed=-1),
        "run: seed": lambda: talk.run(seed="x"),  # type: ignore[arg-type]
        "run: yes": lambda: talk.run(yes=2.0),
        "run: yes of no decision": lambda: talk.run(yes={"think": 0.5}),
        "run: any number": lambda: talk.run(agents={"asker": any_number}),
        "run: max_steps": lambda: talk.run(max_steps=-1),
        "run: deciders of nobody": lambda: talk.run(deciders={"!C": object()}),
        "run: deciders that are none": lambda: talk.run(deciders={"think": 3}),
        "run: not in the domain": lambda: talk.run(deciders={"think": lambda _: 3}),
        "runs: collect": lambda: talk.runs(1, collect=["nothing"]),
        "runs: collect no event": lambda: talk.runs(1, collect=["!C sends ask(_) to _"]),
        "runs: collect no message": lambda: talk.runs(1, collect=["sent:nothing"]),
        "runs: count": lambda: talk.runs(-1),
        "runs: threads": lambda: talk.runs(1, threads=0),
        "runs: no such argument": lambda: talk.runs(1, colour=1),
        "conform: no log": lambda: talk.conform("no/such/log.ndjson"),
        "conform: no messages": lambda: talk.conform([3]),  # type: ignore[list-item]
        "conform: max_conversations": lambda: talk.conform([], max_conversations=-1),
        "conform: lossy": lambda: talk.conform([], lossy="1"),  # type: ignore[arg-type]
        "conform: arrivals": lambda: talk.conform([], arrivals="now"),
        "monitor: arrivals": lambda: talk.monitor(arrivals="now"),
        "Monitor.feed: nobody": lambda: monitor.feed(Message("!C", "!B", "ask", [1])),
        "Monitor.feed: no message": lambda: monitor.feed({}),
        "Monitor.feed: no value": lambda: talk.monitor().feed(Message("!A", "!B", "ask", [1.5])),
        "guard: config": lambda: talk.guard(config="answers = 3"),
        "guard: config is no TOML": lambda: talk.guard(config="["),
        "Guard.open: nobody": lambda: guard.open("c", {"x": "!C"}),
        "Guard.offer: nobody": lambda: guard.offer("!C"),
        "Guard.send: never said": lambda: guard.send("!A", "hello"),
        "Guard.send: not its turn": lambda: guard.send("!B", "ask", [1]),
        "Guard.send: other content": lambda: guard.send("!A", "ask", [3]),
        "Guard.send: args": lambda: guard.send("!A", "ask", "1"),
        "Guard.send: to nobody": lambda: guard.send("!A", "ask", [1], ["!C"]),
        "Guard.may_send: nobody": lambda: guard.may_send("!C", "ask"),
        "Guard.receive: nobody": lambda: guard.receive("!C"),
        "Guard.receive_async: nobody": lambda: asyncio.run(guard.receive_async("!C")),
        "Guard.rest: owes": lambda: guard.rest("!A"),
        "Guard.debts: nobody": lambda: guard.debts("!C"),
        "Guard.status: no conversation": lambda: guard.status("nowhere"),
    }


def told(act: Callable[[], Any]) -> str:
    try:
        found = act()
    except (MapError, GuardRefusal, LookupError, OSError, OverflowError, TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"
    return f"no error: {found!r}"


def test_what_exceptions_say() -> None:
    text = "".join(f"== {name}\n{told(act)}\n" for name, act in cases().items())
    assert maplang.MapError is MapError
    path = Path(__file__).with_name("errors.txt")
    if os.environ.get("MAP_UPDATE"):
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")
