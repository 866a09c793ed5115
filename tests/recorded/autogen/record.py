"""Records AutoGen's structured log (logger autogen_core.events) of a small system, right or with a planted fault.

    python record.py FAULT > log.jsonl        FAULT: none, or one of FAULTS

From outside comes a goal for the planner. It publishes the work for two workers, and asks a critic directly for each
result; then it answers the goal.
"""

import asyncio
import logging
import sys
from dataclasses import dataclass, field

from autogen_core import (
    EVENT_LOGGER_NAME,
    AgentId,
    DefaultTopicId,
    MessageContext,
    RoutedAgent,
    SingleThreadedAgentRuntime,
    TypeSubscription,
    message_handler,
    rpc,
)

FAULTS = ["twice", "no-review", "wrong-verdict"]


@dataclass
class Message:
    performative: str
    args: list = field(default_factory=list)


@dataclass
class Work:
    task: str
    performative: str = "work"
    args: list = field(default_factory=list)


@dataclass
class Review:
    performative: str
    args: list = field(default_factory=list)


class Planner(RoutedAgent):
    def __init__(self, fault):
        super().__init__("plans")
        self.fault = fault
        self.drafts = []
        self.all_in = asyncio.Event()

    @rpc(match=lambda message, _: message.performative == "goal")
    async def goal(self, message: Message, ctx: MessageContext) -> Message:
        work = Work("draft", args=[len(message.args)])
        await self.publish_message(work, DefaultTopicId("work", self.id.key))
        await self.all_in.wait()
        for draft in sorted(self.drafts, key=lambda it: it["by"]):
            if self.fault == "no-review" and draft is self.drafts[-1]:
                continue
            await self.send_message(Review("review", [draft]), AgentId("critic", self.id.key))
        if self.fault == "no-review":
            return Message("answer", [0.5])
        return Message("answer", [sum(it["score"] for it in self.drafts) / 2])

    @message_handler(match=lambda message, _: message.performative == "result")
    async def result(self, message: Message, ctx: MessageContext) -> None:
        self.drafts.append(message.args[0])
        if len(self.drafts) == 2:
            self.all_in.set()


class Worker(RoutedAgent):
    def __init__(self, fault):
        super().__init__("works")
        self.fault = fault

    @message_handler
    async def work(self, message: Work, ctx: MessageContext) -> None:
        score = {"worker1": 0.75, "worker2": 0.5}[self.id.type]
        draft = {"by": self.id.type, "score": score, "sources": ["a", None]}
        times = 2 if self.fault == "twice" and self.id.type == "worker2" else 1
        for _ in range(times):
            await self.send_message(Message("result", [draft]), AgentId("planner", self.id.key))


class Critic(RoutedAgent):
    def __init__(self, fault):
        super().__init__("judges")
        self.fault = fault
        self.judged = 0

    @message_handler
    async def review(self, message: Review, ctx: MessageContext) -> Message:
        self.judged += 1
        seen = dict(message.args[0])
        if self.fault == "wrong-verdict" and self.judged == 2:
            seen["score"] = 0.25
        return Message("good", [seen])


async def main(fault):
    logger = logging.getLogger(EVENT_LOGGER_NAME)
    logger.setLevel(logging.INFO)
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(logging.Formatter("%(message)s"))
    logger.addHandler(handler)
    runtime = SingleThreadedAgentRuntime()
    await Planner.register(runtime, "planner", lambda: Planner(fault))
    await Critic.register(runtime, "critic", lambda: Critic(fault))
    for name in ["worker1", "worker2"]:
        await Worker.register(runtime, name, lambda: Worker(fault))
        await runtime.add_subscription(TypeSubscription("work", name))
    runtime.start()
    await runtime.send_message(Message("goal", ["report"]), AgentId("planner", "report-1"))
    await runtime.stop_when_idle()


asyncio.run(main(sys.argv[1] if sys.argv[1] != "none" else None))
