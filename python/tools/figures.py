"""Measures what the package promises, and fails where a promise is not kept. Run by ``check``."""

from __future__ import annotations

import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable, Optional

import maplang
from maplang import Message, Protocol, library

ROOT = Path(os.environ.get("MAP_ROOT", Path(__file__).parents[2]))
FAILED: list[str] = []

TALK = """talk[
    agent(!A, %asker) = agent(loop)
    agent(!A, %asker, loop) = ask(1) => agent(!B, %answerer) then (waitfor told($x) <= agent(_, %answerer)) then agent(loop)
    agent(!B, %answerer) =
        waitfor (ask($x) <= agent($who, %asker) then told(2) => agent($who, %asker) then agent())
]"""


def tell(what: str, value: float, most: float, unit: str) -> None:
    kept = value <= most
    print(f"{what}: {value:.3g} {unit} (at most {most:g}){'' if kept else '  TOO MUCH'}")
    if not kept:
        FAILED.append(what)


def median(act: Callable[[int], object], times: int) -> float:
    """Microseconds."""
    taken = []
    for index in range(times):
        begun = time.perf_counter_ns()
        act(index)
        taken.append((time.perf_counter_ns() - begun) / 1000)
    return statistics.median(taken)


def feeding() -> None:
    monitor = Protocol.from_text(TALK).monitor()
    said = [Message("!A", "!B", "ask", [1]), Message("!B", "!A", "told", [2])]
    tell("Monitor.feed, median", median(lambda index: monitor.feed(said[index % 2]), 20_000), 20, "us")


def sending() -> None:
    guard = Protocol.from_text(TALK).guard()

    def send(index: int) -> None:
        if index % 2 == 0:
            guard.send("!A", "ask", [1])
        else:
            guard.send("!B", "told", [2])

    taken = []
    for index in range(20_000):
        begun = time.perf_counter_ns()
        send(index)
        taken.append((time.perf_counter_ns() - begun) / 1000)
        guard.receive("!B" if index % 2 == 0 else "!A")
    tell("Guard.send, median", statistics.median(taken), 50, "us")


class Bidder:
    """Offers what is asked, up to its limit."""

    def start_bidding(self, asking: int) -> Optional[int]:
        return asking if asking <= 15 else None

    keep_bidding = start_bidding


def deciding() -> None:
    auction = library("english-auction")
    begun = time.perf_counter()
    columns = auction.runs(
        1000,
        agents={"bidder": 3},
        deciders={
            "%bidder": Bidder(),
            "openingPrice": lambda: 10,
            "recordBid": lambda offer, asking: offer + 1 if offer >= asking else None,
        },
        collect=["steps", "decisions", "verdict"],
    )
    took = time.perf_counter() - begun
    print(f"  {sum(columns['decisions'])} decisions, {sum(columns['steps'])} steps, {columns.counts()}")
    tell("1,000 runs of an auction of three with a decider", took, 1.0, "s")
    asks = Protocol.from_text("s[ agent(!A, %a) = $x = think(1) then agent(on) agent(!A, %a, on) = $x = think(1) then agent(on) ] procedure think($x)")
    begun = time.perf_counter()
    run = asks.runs(1, max_steps=200_000, deciders={"think": lambda x: x}, collect=["decisions"], depth=10**9)
    rate = run["decisions"][0] / (time.perf_counter() - begun)
    tell("decisions: microseconds each", 1e6 / rate, 10, "us")


def verifying() -> None:
    command = shutil.which("map", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if command is None:
        print("passed over: the command line is not there to compare with")
        return
    name = ROOT / "protocols/english-auction/published.map"
    words = ["--agents", "bidder=4", "--rounds", "bidloop=2", "--keep-going", "--threads", "1"]

    def cpu(who: int) -> float:
        used = resource.getrusage(who)
        return used.ru_utime + used.ru_stime

    ours, theirs = [], []
    for _ in range(3):
        before = cpu(resource.RUSAGE_CHILDREN)
        subprocess.run([command, "verify", str(name), *words], stdout=subprocess.DEVNULL, check=False)
        theirs.append(cpu(resource.RUSAGE_CHILDREN) - before)
        before = cpu(resource.RUSAGE_SELF)
        Protocol.from_file(name).verify({"bidder": 4}, rounds={"bidloop": 2}, keep_going=True, threads=1)
        ours.append(cpu(resource.RUSAGE_SELF) - before)
    print(f"  CPU: {min(ours):.3f} s here, {min(theirs):.3f} s by the command line")
    tell("verify against the command line", min(ours) / max(min(theirs), 0.01), 1.05, "times its CPU")


def memory() -> None:
    protocol = library("send-info")

    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    for _ in range(500):
        protocol.verify(threads=1)
    before = resident()
    for _ in range(int(os.environ.get("MAP_VERIFICATIONS", "10000"))):
        protocol.verify(threads=1)
    tell("memory that 10,000 verifications leave", (resident() - before) / 2**20, 8, "MiB")


def equal() -> None:
    """Random runs of the library (but for the file with several scenes): as JSON and as objects they are the same."""
    names = [it for it in maplang.library_names() if it != "service-patterns"]
    drawn = random.Random(1)
    count = int(os.environ.get("MAP_ANSWERS", "10000"))
    for _ in range(count):
        protocol = library(drawn.choice(names))
        run = protocol.run(seed=drawn.getrandbits(32), max_steps=drawn.randrange(1, 40))
        assert [step.agent for step in run.steps] == [it["agent"] for it in run.json["trace"]]
        assert run.end.value == run.json["verdict"] and len(run.steps) == run.json["steps"], run
    print(f"{count} random runs are the same in all forms")


feeding()
sending()
deciding()
verifying()
memory()
equal()
if FAILED:
    raise SystemExit(f"not kept: {', '.join(FAILED)}")
