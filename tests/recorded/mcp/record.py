"""Records what passes between an MCP client and an MCP server, right or with a planted fault.

    python record.py legacy|modern|spans FAULT > log.jsonl        FAULT: none, or one of FAULTS

An assistant searches, with a limit that it may leave out; books what it has found, for which the server asks back
(elicitation); and cancels a report that takes too long. `legacy` is the handshake of 2025-11-25, where the server asks
by a request of its own; `modern` is 2026-07-28, where it answers that input is required, and is called again. Cancelling
a call is part of `legacy` only. Both sides are in one process, over memory. `spans` is `modern` by
the spans that both sides write, as OTLP in JSON.
"""

import json
import sys
import time
from contextlib import asynccontextmanager

import anyio
from mcp.client import Client
from mcp.server.mcpserver import Context, MCPServer
from mcp.shared.memory import create_client_server_memory_streams
from mcp.types import ElicitRequest, ElicitRequestFormParams, ElicitResult, InputRequiredResult
from opentelemetry import trace
from pydantic import BaseModel

sys.path.append("..")
from otlp import print_spans_of  # noqa: E402

FAULTS = ["books-blindly", "books-anyway", "wrong-flight"]


class Sure(BaseModel):
    sure: bool


class Server:
    def __init__(self, fault):
        self.fault = fault
        self.mcp = MCPServer("travel")
        for tool in [self.search, self.book, self.report]:
            self.mcp.add_tool(tool)

    async def search(self, query: str, limit: int = 10) -> str:
        if self.fault == "books-anyway" and query == "Oslo":
            raise ValueError("no flights")
        return f"flight to {query}"

    async def book(self, flight: str, ctx: Context) -> str | InputRequiredResult:
        if ctx.protocol_version < "2026":
            answer = await ctx.elicit("Sure?", Sure)
        elif ctx.input_responses is None:
            asked = ElicitRequestFormParams(message="Sure?", requested_schema=Sure.model_json_schema())
            return InputRequiredResult(input_requests={"sure": ElicitRequest(params=asked)})
        else:
            answer = ctx.input_responses["sure"]
        wrong = self.fault == "wrong-flight"
        return "flight to Rome" if wrong else flight if answer.action == "accept" else "nothing"

    async def report(self) -> str:
        await anyio.sleep(3600)
        return "report"


def tell(sender, message):
    if sys.argv[1] == "spans":
        return
    body = message.message.model_dump(by_alias=True, exclude_none=True, mode="json")
    sides = {"session": "s1", "client": "assistant", "server": "travel", "from": sender}
    print(json.dumps({"time": time.time(), **sides, "body": body}))


class Told:
    """One side's end of a stream, which writes down what is sent there."""

    def __init__(self, inner, sender):
        self.inner = inner
        self.sender = sender

    async def send(self, message):
        tell(self.sender, message)
        await self.inner.send(message)

    async def __aenter__(self):
        await self.inner.__aenter__()
        return self

    async def __aexit__(self, *exc):
        return await self.inner.__aexit__(*exc)

    def __getattr__(self, name):
        return getattr(self.inner, name)


@asynccontextmanager
async def connected(server):
    async with create_client_server_memory_streams() as ((c_read, c_write), (s_read, s_write)):
        async with anyio.create_task_group() as tasks:
            low = server.mcp._lowlevel_server
            tasks.start_soon(low.run, s_read, Told(s_write, "travel"), low.create_initialization_options())
            yield c_read, Told(c_write, "assistant")
            # The server ends when nothing comes any more.


async def agrees(context, params):
    return ElicitResult(action="accept", content={"sure": True})


async def main(mode, fault):
    if mode == "spans":
        print_spans_of("assistant")
    with trace.get_tracer("assistant").start_as_current_span("run"):
        await travel(mode, fault)


async def travel(mode, fault):
    server = Server(fault)
    mode = "legacy" if mode == "legacy" else "2026-07-28"
    async with Client(connected(server), mode=mode, elicitation_callback=agrees) as client:
        if fault != "books-blindly":
            await client.call_tool("search", {"query": "Oslo"})
            if fault != "books-anyway":
                await client.call_tool("search", {"query": "Bergen", "limit": 3})
        await client.call_tool("book", {"flight": "flight to Bergen"})
        if mode == "legacy":
            with anyio.move_on_after(0.1):
                await client.call_tool("report", {})


anyio.run(main, sys.argv[1], sys.argv[2] if sys.argv[2] != "none" else None)
