"""Records a team of AutoGen AgentChat, right or with a planted fault, in one of two forms.

    python record.py log|spans FAULT > FILE        FAULT: none, or one of FAULTS

`log` is the structured log (logger autogen_core.events), `spans` what OpenTelemetry's SDK collects of the same run, with
the GenAI conventions, as OTLP in JSON. A team of a writer and a critic takes turns: the writer drafts, with the help of
a tool, the critic asks for a change once, and agrees. The agents are scripted: no model is asked.
"""

import asyncio
import json
import logging
import sys

from autogen_agentchat.agents import BaseChatAgent
from autogen_agentchat.base import Response
from autogen_agentchat.conditions import TextMentionTermination
from autogen_agentchat.messages import TextMessage
from autogen_agentchat.teams import RoundRobinGroupChat
from autogen_core import EVENT_LOGGER_NAME, CancellationToken
from autogen_core.tools import FunctionTool
from opentelemetry import trace

sys.path.append("..")
from otlp import print_spans_of  # noqa: E402

FAULTS = ["agrees-at-once", "never-drafts", "looks-twice"]


async def look_up(word: str) -> str:
    return f"meaning of {word}"


class Agent(BaseChatAgent):
    """Says what is written; the writer looks a word up before."""

    def __init__(self, name, lines, looks):
        super().__init__(name, name)
        self.lines = list(lines)
        self.tool = FunctionTool(look_up, "looks a word up")
        self.looks = looks

    @property
    def produced_message_types(self):
        return (TextMessage,)

    async def on_messages(self, messages, token):
        for _ in range(self.looks):
            await self.tool.run_json({"word": "map"}, CancellationToken(), call_id="call-1")
        text = TextMessage(content=self.lines.pop(0), source=self.name)
        return Response(chat_message=text)

    async def on_reset(self, token):
        pass


async def main(form, fault):
    if form == "log":
        handler = logging.StreamHandler(sys.stdout)
        handler.setFormatter(logging.Formatter("%(message)s"))
        logger = logging.getLogger(EVENT_LOGGER_NAME)
        logger.setLevel(logging.INFO)
        logger.addHandler(handler)
    else:
        print_spans_of("team")
    drafts = ["draft", "better draft"]
    judges = ["change it", "AGREED"]
    if fault == "agrees-at-once":
        judges = judges[1:]
    if fault == "never-drafts":
        drafts = ["AGREED"]
    writer = Agent("writer", drafts, 2 if fault == "looks-twice" else 1)
    critic = Agent("critic", judges, 0)
    team = RoundRobinGroupChat([writer, critic], termination_condition=TextMentionTermination("AGREED"))
    with trace.get_tracer("team").start_as_current_span("run"):
        await team.run(task="write")


asyncio.run(main(sys.argv[1], sys.argv[2] if sys.argv[2] != "none" else None))
