"""Records the hand-offs and tool calls of a run of the OpenAI Agents SDK, right or with a planted fault.

    python record.py FAULT > log.jsonl        FAULT: none, or one of FAULTS

A triage agent hands a customer over to the refunds agent, which looks the order up, pays, and answers. The model is
scripted: nothing goes over a network. What happens is told by the hooks of the run.
"""

import asyncio
import json
import sys
from datetime import datetime

from agents import Agent, RunConfig, RunHooks, Runner, function_tool
from agents.items import ModelResponse
from agents.models.interface import Model
from agents.usage import Usage
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

FAULTS = ["pays-blindly", "pays-twice", "pays-too-much"]


def call(name, **arguments):
    return ResponseFunctionToolCall(
        type="function_call", call_id=name, name=name, arguments=json.dumps(arguments)
    )


def say(text):
    part = ResponseOutputText(type="output_text", text=text, annotations=[])
    return ResponseOutputMessage(
        type="message", id="m", role="assistant", status="completed", content=[part]
    )


class Script(Model):
    """A model that says what is written."""

    def __init__(self, lines):
        self.lines = list(lines)

    async def get_response(self, *args, **kwargs):
        return ModelResponse(output=[self.lines.pop(0)], usage=Usage(), response_id=None)

    async def stream_response(self, *args, **kwargs):
        raise NotImplementedError


def tell(sender, recipient, performative, *args):
    line = {"time": datetime.now().isoformat(), "conversation": "c1", "from": sender, "to": [recipient]}
    print(json.dumps({**line, "performative": performative, "args": args}))


class Told(RunHooks):
    async def on_handoff(self, context, from_agent, to_agent):
        tell(from_agent.name, to_agent.name, "handoff")

    async def on_tool_start(self, context, agent, tool):
        tell(agent.name, "tools", tool.name, json.loads(context.tool_arguments))

    async def on_tool_end(self, context, agent, tool, result):
        tell("tools", agent.name, "result", result)

    async def on_agent_end(self, context, agent, output):
        tell(agent.name, "customer", "answer", output)


@function_tool
def look_up(order: int) -> dict:
    """Looks an order up."""
    return {"order": order, "paid": 19.5}


@function_tool
def pay(order: int, paid: float) -> dict:
    """Pays back."""
    return {"done": True}


async def main(fault):
    amount = 195 if fault == "pays-too-much" else 19.5
    paid = call("pay", order=7, paid=amount)
    refunds = [call("look_up", order=7), paid, say("done")]
    if fault == "pays-blindly":
        refunds = refunds[1:]
    if fault == "pays-twice":
        refunds.insert(2, paid.model_copy(update={"call_id": "again"}))
    clerk = Agent(name="refunds", tools=[look_up, pay], model=Script(refunds))
    triage = Agent(name="triage", handoffs=[clerk], model=Script([call("transfer_to_refunds")]))
    tell("customer", "triage", "ask", "my money back")
    await Runner.run(triage, "my money back", hooks=Told(), run_config=RunConfig(tracing_disabled=True))


asyncio.run(main(sys.argv[1] if sys.argv[1] != "none" else None))
