"""OpenAI Agents: hooks of a run that ask a guard about hand-offs, calls of tools and answers.

>>> await Runner.run(triage, "my money back", hooks=guarded(guard))  # doctest: +SKIP
"""

from __future__ import annotations

import json
from typing import Any, Mapping, Optional

from .._guard import Guard
from ._gate import Gate

__all__ = ["NOT_KNOWN", "guarded"]

#: What this bridge cannot know.
NOT_KNOWN = (
    "what is handed over at a hand-off: the whole history goes along, and the message has no arguments",
    "which of several tools runs first that a model calls at once: they are told in the order in which they start",
    "what a tool does besides: it is one agent with all others, called `tools`",
)


def guarded(
    guard: Guard,
    *,
    conversation: str = "",
    names: Optional[Mapping[str, str]] = None,
    customer: str = "customer",
    tools: str = "tools",
) -> Any:
    """Hooks for ``Runner.run``. What breaks the protocol raises `GuardRefusal` before it happens, and ends the run.

    The customer says ``ask(TEXT)`` to the first agent; agents say ``handoff()`` to each other, the name of a tool with
    its arguments (as one object) to the tools, which say ``result(TEXT)``; the last agent says ``answer(TEXT)``.
    """
    from agents import RunHooks

    gate = Gate(guard, conversation, names)

    class Hooks(RunHooks):
        def __init__(self) -> None:
            self.has_begun = False

        async def on_agent_start(self, context: Any, agent: Any) -> None:
            if not self.has_begun:
                self.has_begun = True
                asked = getattr(context, "turn_input", None) or []
                gate.pass_on(customer, "ask", [_text(asked)], agent.name)

        async def on_handoff(self, context: Any, from_agent: Any, to_agent: Any) -> None:
            gate.pass_on(from_agent.name, "handoff", [], to_agent.name)

        async def on_tool_start(self, context: Any, agent: Any, tool: Any) -> None:
            gate.pass_on(agent.name, tool.name, [json.loads(context.tool_arguments or "{}")], tools)

        async def on_tool_end(self, context: Any, agent: Any, tool: Any, result: Any) -> None:
            gate.pass_on(tools, "result", [_plain(result)], agent.name)

        async def on_agent_end(self, context: Any, agent: Any, output: Any) -> None:
            gate.pass_on(agent.name, "answer", [_plain(output)], customer)

    return Hooks()


def _text(asked: Any) -> str:
    if isinstance(asked, str):
        return asked
    last = asked[-1] if asked else ""
    return str(last.get("content", "") if isinstance(last, dict) else last)


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value, default=str))
