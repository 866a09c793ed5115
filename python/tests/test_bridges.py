"""The bridges, with the real libraries where they are installed (`check` has them, at pinned versions)."""

import asyncio
import json
from dataclasses import dataclass
from typing import Any, Literal

import pytest

from maplang import GuardRefusal, Protocol, Verdict
from maplang.bridges import Gate

RELAY = """relay[
    agent(!Customer, %customer) = $wish = text() then ask($wish) => agent(!Triage, %triage)
        then (waitfor answer(_) <= agent(!Refunds, %refunds))
    agent(!Triage, %triage) = waitfor (ask(_) <= agent(!Customer, %customer) then handoff() => agent(!Refunds, %refunds))
    agent(!Refunds, %refunds) = (waitfor handoff() <= agent(!Triage, %triage))
        then $order = text() then look_up($order) => agent(!Tools, %tools)
        then (waitfor result($found) <= agent(!Tools, %tools))
        then $text = text() then answer($text) => agent(!Customer, %customer)
    agent(!Tools, %tools) = waitfor (look_up(_) <= agent(!Refunds, %refunds)
        then $found = text() then result($found) => agent(!Refunds, %refunds))
]
procedure text()
"""


def test_a_gate_names_agents() -> None:
    gate = Gate(Protocol.from_text(RELAY).guard(), names={"clerk": "!Refunds"})
    assert (gate.name("triage"), gate.name("clerk"), gate.name("two_words")) == ("!Triage", "!Refunds", "!TwoWords")
    gate.pass_on("customer", "ask", ["x"], "triage")
    with pytest.raises(GuardRefusal):
        gate.pass_on("customer", "ask", ["x"], "triage")


class TestLangGraph:
    @pytest.fixture(autouse=True)
    def _needs(self) -> None:
        pytest.importorskip("langgraph")

    def builder(self, skips: bool = False) -> Any:
        from langchain_core.messages import AIMessage
        from langgraph.graph import END, START, MessagesState, StateGraph

        def researcher(state: MessagesState) -> dict[str, Any]:
            return {"messages": [AIMessage("notes")]}

        def writer(state: MessagesState) -> dict[str, Any]:
            return {"messages": [AIMessage("text")]}

        def critic(state: MessagesState) -> Literal["writer", "__end__"]:
            return "__end__" if skips or len(state["messages"]) > 3 else "writer"

        builder = StateGraph(MessagesState)
        builder.add_node("researcher", researcher)
        builder.add_node("writer", writer)
        builder.add_edge(START, "researcher")
        builder.add_edge("researcher", "writer")
        builder.add_conditional_edges("writer", critic, {"writer": "writer", "__end__": END})
        return builder

    def test_a_sketch_has_a_role_for_each_node(self) -> None:
        from maplang.bridges.langgraph import from_langgraph

        sketch = from_langgraph(self.builder())
        assert sketch.decisions == ("writer_to_end",)
        protocol = sketch.protocol()
        assert protocol.agents == {"User": "user", "Researcher": "researcher", "Writer": "writer"}
        assert protocol.verify().verdict is Verdict.TERMINATES_IF_FAIR
        assert all("Not known: " + note in sketch.text for note in sketch.notes)

    def test_a_graph_keeps_to_its_sketch(self) -> None:
        from maplang.bridges.langgraph import from_langgraph, guarded

        builder = self.builder()
        guard = from_langgraph(builder).protocol().guard()
        result = guarded(builder, guard).compile().invoke({"messages": ["dogs"]})
        assert len(result["messages"]) == 4 and guard.status()["state"] == "ended"

    def test_a_graph_is_held_to_a_better_dialogue(self) -> None:
        from maplang.bridges.langgraph import from_langgraph, guarded

        sketch = from_langgraph(self.builder()).text
        once = sketch.replace("again() => agent(!User, %user) then", "fail then")
        assert once != sketch and Protocol.from_text(once).guard()
        with pytest.raises(GuardRefusal):
            guarded(self.builder(), Protocol.from_text(once).guard()).compile().invoke({"messages": ["dogs"]})


class TestAutoGen:
    @pytest.fixture(autouse=True)
    def _needs(self) -> None:
        pytest.importorskip("autogen_core")

    def test_messages_pass_the_guard(self) -> None:
        from autogen_core import AgentId, MessageContext, RoutedAgent, SingleThreadedAgentRuntime, rpc

        from maplang.bridges.autogen import guarded

        @dataclass
        class Ask:
            number: int

        @dataclass
        class Told:
            number: int

        class Answerer(RoutedAgent):
            def __init__(self) -> None:
                super().__init__("answers")

            @rpc
            async def ask(self, message: Ask, ctx: MessageContext) -> Told:
                return Told(message.number + 1)

        text = """talk[
            agent(!Outside, %o) = ask(1) => agent(!Answerer, %a) then (waitfor told(_) <= agent(_, %a))
            agent(!Answerer, %a) = waitfor (ask($x) <= agent(_, %o) then told(2) => agent(!Outside, %o))
        ]"""

        async def ask(number: int) -> Any:
            runtime = SingleThreadedAgentRuntime(
                intervention_handlers=[guarded(Protocol.from_text(text).guard())], ignore_unhandled_exceptions=False
            )
            await Answerer.register(runtime, "answerer", Answerer)
            runtime.start()
            try:
                return await runtime.send_message(Ask(number), AgentId("answerer", "c"))
            finally:
                await runtime.stop()

        assert asyncio.run(ask(1)).number == 2
        with pytest.raises(Exception, match="ask"):
            asyncio.run(ask(7))


class TestOpenAIAgents:
    @pytest.fixture(autouse=True)
    def _needs(self) -> None:
        pytest.importorskip("agents")

    def run(self, calls: list[str]) -> Any:
        from agents import Agent, RunConfig, Runner, function_tool
        from agents.items import ModelResponse
        from agents.models.interface import Model
        from agents.usage import Usage
        from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

        from maplang.bridges.openai_agents import guarded

        ran: list[int] = []

        def call(name: str, number: int = 0, **arguments: Any) -> Any:
            return ResponseFunctionToolCall(
                type="function_call", call_id=f"{name}{number}", name=name, arguments=json.dumps(arguments)
            )

        class Script(Model):
            def __init__(self, lines: list[Any]) -> None:
                self.lines = list(lines)

            async def get_response(self, *args: Any, **kwargs: Any) -> ModelResponse:
                return ModelResponse(output=[self.lines.pop(0)], usage=Usage(), response_id=None)

            def stream_response(self, *args: Any, **kwargs: Any) -> Any:
                raise NotImplementedError

        part = ResponseOutputText(type="output_text", text="done", annotations=[])
        said = ResponseOutputMessage(type="message", id="m", role="assistant", status="completed", content=[part])

        @function_tool
        def look_up(order: int) -> str:
            """Looks an order up."""
            ran.append(order)
            return "paid"

        refunds = Agent(name="refunds", tools=[look_up], model=Script([*(call(it, number, order=7) for number, it in enumerate(calls)), said]))
        triage = Agent(name="triage", handoffs=[refunds], model=Script([call("transfer_to_refunds")]))
        guard = Protocol.from_text(RELAY).guard()
        config = RunConfig(tracing_disabled=True)
        result = Runner.run(triage, "my money", hooks=guarded(guard), run_config=config)
        try:
            asyncio.run(result)
        except Exception as error:
            return error, ran, guard
        return None, ran, guard

    def test_a_run_keeps_to_its_dialogue(self) -> None:
        error, ran, guard = self.run(["look_up"])
        assert error is None and ran == [7] and guard.status()["state"] == "ended"

    def test_a_tool_that_may_not_be_called_is_not(self) -> None:
        error, ran, _ = self.run(["look_up", "look_up"])
        assert error is not None and "look_up" in f"{error} {error.__cause__}" and ran == [7]


class TestMcp:
    @pytest.fixture(autouse=True)
    def _needs(self) -> None:
        pytest.importorskip("mcp")

    def test_calls_pass_the_guard(self) -> None:
        from mcp.client import Client
        from mcp.server.mcpserver import MCPServer

        from maplang.bridges.mcp import guarded

        called: list[str] = []
        server = MCPServer("travel")

        def search(query: str) -> str:
            called.append(query)
            return f"flight to {query}"

        server.add_tool(search)
        text = """travel[
            agent(!Assistant, %a) = $q = text() then search($q) => agent(!Travel, %t)
                then (waitfor result(_) <= agent(_, %t))
            agent(!Travel, %t) = waitfor (search(_) <= agent(_, %a) then $r = text() then result($r) => agent(!Assistant, %a))
        ]
        procedure text()"""

        async def both() -> Any:
            guard = Protocol.from_text(text).guard()
            async with Client(server) as plain:
                client = guarded(plain, guard, client_name="assistant", server_name="travel")
                found = await client.call_tool("search", {"query": "Oslo"})
                with pytest.raises(GuardRefusal):
                    await client.call_tool("search", {"query": "Rome"})
                return found.content[0].text

        assert asyncio.run(both()) == "flight to Oslo" and called == ["Oslo"]


class TestA2A:
    @pytest.fixture(autouse=True)
    def _needs(self) -> None:
        pytest.importorskip("a2a.server.agent_execution")

    def test_an_executor_keeps_to_its_dialogue(self) -> None:
        from a2a.server.agent_execution import AgentExecutor, RequestContext
        from a2a.types import Message, Part, Role, SendMessageRequest, TaskState, TaskStatus, TaskStatusUpdateEvent
        from maplang.bridges.a2a import guarded

        class Queue:
            events: list[Any] = []

            async def enqueue_event(self, event: Any) -> None:
                self.events.append(event)

        class Worker(AgentExecutor):
            async def execute(self, context: RequestContext, event_queue: Any) -> None:
                for state in (TaskState.TASK_STATE_WORKING, TaskState.TASK_STATE_COMPLETED, TaskState.TASK_STATE_FAILED):
                    await event_queue.enqueue_event(
                        TaskStatusUpdateEvent(task_id="t", context_id="c", status=TaskStatus(state=state))
                    )

            async def cancel(self, context: RequestContext, event_queue: Any) -> None:
                raise NotImplementedError

        text = """work[
            agent(!Client, %c) = $t = text() then message($t) => agent(!Server, %s)
                then (waitfor working() <= agent(_, %s)) then (waitfor completed() <= agent(_, %s))
            agent(!Server, %s) = waitfor (message(_) <= agent(_, %c)
                then working() => agent(!Client, %c) then completed() => agent(!Client, %c))
        ]
        procedure text()"""
        message = Message(role=Role.ROLE_USER, message_id="m", parts=[Part(text="report")], context_id="c")

        class Context:
            context_id = "c"

            def __init__(self) -> None:
                self.message = message

        assert SendMessageRequest(message=message)
        queue = Queue()
        with pytest.raises(GuardRefusal, match="has ended"):
            asyncio.run(guarded(Worker(), Protocol.from_text(text).guard()).execute(Context(), queue))
        assert len(queue.events) == 2
