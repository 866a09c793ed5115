"""Measures what the package promises, and fails where a promise is not kept. Run by ``check``.

Each figure is taken five times: the best and the middle one are printed, and it is the middle one that is promised.
``figures.py feeding sending`` takes only these.
"""

from __future__ import annotations

import os
import resource
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Callable, Optional

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import crossing
from maplang import Message, Protocol, library

ROOT = Path(os.environ.get("MAP_ROOT", Path(__file__).parents[2]))
TIMES = 5
FAILED: list[str] = []

#: Two agents that talk for ever.
TALK = """talk[
    agent(!A, %asker) = agent(loop)
    agent(!A, %asker, loop) = ask(1) => agent(!B, %answerer) then (waitfor told($x) <= agent(_, %answerer)) then agent(loop)
    agent(!B, %answerer) =
        waitfor (ask($x) <= agent($who, %asker) then told(2) => agent($who, %asker) then agent())
]"""

ENDLESS = """s[
    agent(!A, %a) = $x = think(1) then agent(on)
    agent(!A, %a, on) = $x = think(1) then agent(on)
]
procedure think($x)
"""


def tell(what: str, measure: Callable[[], float], most: float, unit: str) -> None:
    """Takes a figure; a smaller one is better, and ``most`` is promised."""
    found = sorted(measure() for _ in range(TIMES))
    best, middle = found[0], found[TIMES // 2]
    kept = middle <= most
    print(f"{what}: best {best:.3g}, middle {middle:.3g} {unit} (at most {most:g}){'' if kept else '  TOO MUCH'}", flush=True)
    if not kept:
        FAILED.append(what)


def median(act: Callable[[int], object], between: Callable[[int], object], times: int) -> float:
    """Microseconds of ``act``; ``between`` is done after it, and not counted."""
    taken = []
    for index in range(times):
        begun = time.perf_counter_ns()
        act(index)
        taken.append((time.perf_counter_ns() - begun) / 1000)
        between(index)
    return statistics.median(taken)


def feeding() -> None:
    said = [Message("!A", "!B", "ask", [1]), Message("!B", "!A", "told", [2])]

    def measure() -> float:
        monitor = Protocol.from_text(TALK).monitor()
        return median(lambda index: monitor.feed(said[index % 2]), lambda _: None, 20_000)

    tell("Monitor.feed, median", measure, 20, "us")


def sending() -> None:
    said: list[tuple[str, str, list[Any]]] = [("!A", "ask", [1]), ("!B", "told", [2])]

    def measure() -> float:
        guard = Protocol.from_text(TALK).guard()
        return median(
            lambda index: guard.send(*said[index % 2]),
            lambda index: guard.receive("!A" if index % 2 else "!B"),
            20_000,
        )

    tell("Guard.send, median", measure, 50, "us")


class Bidder:
    """Offers what is asked, up to its limit."""

    def start_bidding(self, asking: int) -> Optional[int]:
        return asking if asking <= 15 else None

    keep_bidding = start_bidding


def deciding() -> None:
    auction = library("english-auction")

    def runs() -> float:
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
        assert sum(columns["decisions"]) > 10_000 and len(columns.counts()) == 1, columns.counts()
        return time.perf_counter() - begun

    tell("1,000 runs of an auction of three with a decider", runs, 1.0, "s")
    asks = Protocol.from_text(ENDLESS)

    def decisions() -> float:
        begun = time.perf_counter()
        run = asks.runs(1, max_steps=200_000, deciders={"think": lambda x: x}, collect=["decisions"], depth=10**9)
        return 1e6 * (time.perf_counter() - begun) / run["decisions"][0]

    tell("a decision", decisions, 10, "us")


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

    def measure() -> float:
        before = cpu(resource.RUSAGE_CHILDREN)
        subprocess.run([command, "verify", str(name), *words], stdout=subprocess.DEVNULL, check=False)
        theirs = cpu(resource.RUSAGE_CHILDREN) - before
        before = cpu(resource.RUSAGE_SELF)
        Protocol.from_file(name).verify({"bidder": 4}, rounds={"bidloop": 2}, keep_going=True, threads=1)
        return (cpu(resource.RUSAGE_SELF) - before) / max(theirs, 0.01)

    tell("verify of the paper's case against the command line", measure, 1.05, "times its CPU")


def memory() -> None:
    protocol = library("send-info")

    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def measure() -> float:
        before = resident()
        for _ in range(10_000 // TIMES):
            protocol.verify(threads=1)
        return (resident() - before) / 2**20

    # What is allocated once is allocated by now.
    measure()
    tell("memory that stays of 2,000 verifications, of 10,000 in all", measure, 1, "MiB")


def equal() -> None:
    count = int(os.environ.get("MAP_ANSWERS", "10000"))
    crossing.decisions(count)
    crossing.answers(count)
    print(f"the same in Rust, JSON and Python: {count} decisions, {count} runs, {count // 100} verifications")


ALL: list[Callable[[], None]] = [feeding, sending, deciding, verifying, memory, equal]

for one in ALL:
    if len(sys.argv) == 1 or one.__name__ in sys.argv:
        one()
if FAILED:
    raise SystemExit(f"not kept: {', '.join(FAILED)}")
