"""What types say of the package: checked by mypy and pyright, and run by nobody in particular."""

from __future__ import annotations

import asyncio
from typing import Optional

from maplang import Answer, Breach, Guard, MapError, Message, Protocol, Verdict, any_number, library


class Bidder:
    def __init__(self, limit: int) -> None:
        self.limit = limit

    def keep_bidding(self, price: int, leader: object) -> Optional[int]:
        return price + 1 if price < self.limit else None


def verified(path: str) -> Verdict:
    protocol: Protocol = Protocol.from_file(path, agents={"bidder": 3})
    answer: Answer = protocol.verify({"bidder": any_number}, timeouts="any", time_limit=1.5)
    trace = answer.counterexample
    if trace is not None:
        print(len(trace), trace[0].agent, trace.chart().svg)
    return answer.verdict


def followed(protocol: Protocol, messages: list[Message]) -> list[Breach]:
    monitor = protocol.monitor()
    return [told for message in messages for told in monitor.feed(message) if isinstance(told, Breach)]


async def talk(guard: Guard) -> None:
    for received in await guard.receive_async("!Critic", timeout=1.0):
        print(received.performative, received.args)


def main() -> None:
    try:
        verified("auction.map")
    except MapError as error:
        print([it.code for it in error.diagnostics])
    steps: int = sum(library("english-auction").runs(10, collect=["steps"])["steps"])
    print(steps)
    asyncio.run(talk(library("agent-handoff").guard()))


if __name__ == "__main__":
    main()
