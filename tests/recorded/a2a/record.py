"""Records the JSON-RPC between an A2A client and an A2A server, right or with a planted fault.

    python record.py blocking|streaming FAULT > log.jsonl        FAULT: none, or one of FAULTS

A planner asks a worker for two reports, one after the other. The worker accepts each task, works on it, hands in the
report as an artifact in two chunks, and completes it. What passes is written as a proxy would: a line for each request,
answer and event. Client and server meet in memory; nothing goes over a network.
"""

import asyncio
import json
import sys
import time

import httpx
from a2a.client import ClientConfig, ClientFactory
from a2a.helpers import new_task_from_user_message
from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import (
    AgentCapabilities,
    AgentCard,
    AgentInterface,
    Message,
    Part,
    Role,
    SendMessageRequest,
)
from starlette.applications import Starlette

FAULTS = ["rejects-late", "asks-again", "empty-handed", "fails"]
URL = "http://worker.invalid/"


class Worker(AgentExecutor):
    def __init__(self, fault):
        self.fault = fault
        self.tasks = 0

    async def execute(self, context, event_queue):
        self.tasks += 1
        task = new_task_from_user_message(context.message)
        await event_queue.enqueue_event(task)
        updater = TaskUpdater(event_queue, task.id, task.context_id)
        await updater.start_work()
        if self.fault == "rejects-late" and self.tasks == 2:
            await updater.reject()
            return
        if self.fault == "fails" and self.tasks == 2:
            await updater.failed()
            return
        if not (self.fault == "empty-handed" and self.tasks == 1):
            for number, text in enumerate(["draft of ", "report"]):
                await updater.add_artifact(
                    [Part(text=text)],
                    artifact_id="draft",
                    append=number > 0,
                    last_chunk=number == 1,
                )
        await updater.complete()

    async def cancel(self, context, event_queue):
        raise NotImplementedError


def tell(body):
    line = {"time": time.time_ns(), "client": "planner", "server": "worker", "body": json.loads(body)}
    print(json.dumps(line))


class Proxy(httpx.AsyncBaseTransport):
    """Writes down what passes."""

    def __init__(self, inner):
        self.inner = inner

    async def handle_async_request(self, request):
        tell(await request.aread())
        response = await self.inner.handle_async_request(request)
        body = await response.aread()
        if response.headers["content-type"].startswith("text/event-stream"):
            for line in body.decode().splitlines():
                if line.startswith("data:"):
                    tell(line[len("data:") :])
        else:
            tell(body)
        return httpx.Response(response.status_code, headers=response.headers, content=body)


async def main(mode, fault):
    card = AgentCard(
        name="worker",
        version="1",
        capabilities=AgentCapabilities(streaming=True),
        supported_interfaces=[AgentInterface(url=URL, protocol_binding="JSONRPC", protocol_version="1.0")],
    )
    handler = DefaultRequestHandler(
        agent_executor=Worker(fault), task_store=InMemoryTaskStore(), agent_card=card
    )
    app = Starlette(routes=create_jsonrpc_routes(handler, "/"))
    http = httpx.AsyncClient(transport=Proxy(httpx.ASGITransport(app)))
    config = ClientConfig(httpx_client=http, streaming=mode == "streaming")
    client = ClientFactory(config).create(card)
    context = None
    for number in range(2):
        text = f"write report {number}"
        message = Message(role=Role.ROLE_USER, message_id=f"m{number}", parts=[Part(text=text)])
        if fault == "asks-again" and number == 1:
            # Goes on in the conversation that is over.
            message.context_id = context
        async for event in client.send_message(SendMessageRequest(message=message)):
            if event.HasField("task"):
                context = event.task.context_id


asyncio.run(main(sys.argv[1], sys.argv[2] if sys.argv[2] != "none" else None))
