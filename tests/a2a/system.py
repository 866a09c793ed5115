"""An A2A server and an A2A client, with the SDK, that meet through `map guard`.

    python system.py worker FAULT                        prints its address, and serves until it is stopped
    python system.py planner ADDRESS TOKEN MODE FAULT    MODE: blocking or streaming

The planner asks the worker for two reports, one after the other. The worker hands each in as an artifact in two chunks.
FAULT is none, or one of the worker's (rejects-late, empty-handed, fails: in its second task) or the planner's
(asks-again: goes on in a conversation that is over; repeats: sends its first message twice).
"""

import asyncio
import socket
import sys

import httpx
import uvicorn
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.helpers import new_task_from_user_message
from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import (
    AgentCapabilities,
    AgentCard,
    AgentInterface,
    AgentSkill,
    Message,
    Part,
    Role,
    SendMessageRequest,
    TaskState,
)
from starlette.applications import Starlette


class Worker(AgentExecutor):
    def __init__(self, fault):
        self.fault = fault
        self.tasks = 0

    async def execute(self, context, event_queue):
        self.tasks += 1
        is_faulty = self.tasks == 2
        task = new_task_from_user_message(context.message)
        await event_queue.enqueue_event(task)
        updater = TaskUpdater(event_queue, task.id, task.context_id)
        await updater.start_work()
        if self.fault == "rejects-late" and is_faulty:
            await updater.reject()
            return
        if self.fault == "fails" and is_faulty:
            await updater.failed()
            return
        if not (self.fault == "empty-handed" and is_faulty):
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


class Headers:
    """Tells of refusals that the guard reports."""

    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        for name, value in scope.get("headers", []):
            if name == b"map-refused":
                print("refused:", value.decode(), flush=True)
            if name == b"authorization":
                print("the token of the client has come through", flush=True)
        await self.app(scope, receive, send)


def worker(fault):
    listener = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
    card = AgentCard(
        name="worker",
        description="writes reports",
        version="1",
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain"],
        skills=[AgentSkill(id="write", name="write", description="writes a report", tags=["reports"])],
        capabilities=AgentCapabilities(streaming=True),
        supported_interfaces=[AgentInterface(url=url, protocol_binding="JSONRPC", protocol_version="1.0")],
    )
    handler = DefaultRequestHandler(
        agent_executor=Worker(fault), task_store=InMemoryTaskStore(), agent_card=card
    )
    app = Starlette(routes=create_agent_card_routes(card) + create_jsonrpc_routes(handler, "/"))
    print(url, flush=True)
    uvicorn.Server(uvicorn.Config(Headers(app), log_level="error")).run(sockets=[listener])


def told(event):
    kind = event.WhichOneof("payload")
    value = getattr(event, kind)
    if kind in ("task", "status_update"):
        state = TaskState.Name(value.status.state).removeprefix("TASK_STATE_").lower()
        parts = [part.text for artifact in getattr(value, "artifacts", []) for part in artifact.parts]
        return f"{kind} {state} {''.join(parts)}".rstrip()
    if kind == "artifact_update":
        return f"{kind} {''.join(part.text for part in value.artifact.parts)}"
    return kind


async def planner(address, token, mode, fault):
    http = httpx.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=30)
    card = await A2ACardResolver(http, address).get_agent_card()
    print("card:", [interface.url.replace(address, "ADDRESS") for interface in card.supported_interfaces])
    client = ClientFactory(ClientConfig(httpx_client=http, streaming=mode == "streaming")).create(card)
    context = None
    names = ["m0", "m0", "m1"] if fault == "repeats" else ["m0", "m1"]
    for number, name in enumerate(names):
        message = Message(role=Role.ROLE_USER, message_id=name, parts=[Part(text=f"write {name}")])
        if fault == "asks-again" and number == 1:
            message.context_id = context
        print("asks for", name)
        try:
            async for event in client.send_message(SendMessageRequest(message=message)):
                if event.HasField("task"):
                    context = event.task.context_id
                print(" ", told(event))
        except Exception as error:
            print("  error:", error)
    await http.aclose()


if sys.argv[1] == "worker":
    worker(sys.argv[2])
else:
    asyncio.run(planner(*sys.argv[2:6]))
