"""A2A: the executor of a server that does only what the dialogue allows.

>>> handler = DefaultRequestHandler(agent_executor=guarded(executor, guard), ...)  # doctest: +SKIP
"""

from __future__ import annotations

from typing import Any, Mapping, Optional

from .._guard import Guard
from ._gate import Gate

__all__ = ["NOT_KNOWN", "guarded"]

#: What this bridge cannot know.
NOT_KNOWN = (
    "which client it is that asks: all are one agent, called `client`",
    "what is asked besides messages, such as to look at a task or to cancel it",
)


def guarded(
    executor: Any,
    guard: Guard,
    *,
    client: str = "client",
    server: str = "server",
    names: Optional[Mapping[str, str]] = None,
    conversation: Optional[str] = None,
) -> Any:
    """An executor around another one. A request or event that breaks the protocol raises `GuardRefusal`, which ends the
    task.

    The client says ``message(TEXT)``; the server ``artifact(TEXT)`` for each piece, and the word of each state that a
    task gets to: ``submitted()``, ``working()``, ``completed()`` and so on. The conversation is the id of the context,
    unless one is given.
    """
    from a2a.server.agent_execution import AgentExecutor

    gate = Gate(guard, names=names)

    class Executor(AgentExecutor):
        async def execute(self, context: Any, event_queue: Any) -> None:
            name = conversation if conversation is not None else context.context_id or ""
            gate.pass_on(client, "message", [_text(context.message.parts)], server, name)
            await executor.execute(context, _Queue(event_queue, gate, (server, client), name))

        async def cancel(self, context: Any, event_queue: Any) -> None:
            await executor.cancel(context, event_queue)

    return Executor()


class _Queue:
    """A queue whose events pass a guard."""

    def __init__(self, inner: Any, gate: Gate, names: tuple[str, str], conversation: str) -> None:
        self._inner = inner
        self._gate = gate
        self._names = names
        self._conversation = conversation

    async def enqueue_event(self, event: Any) -> None:
        server, client = self._names
        artifact = getattr(event, "artifact", None)
        status = getattr(event, "status", None)
        if artifact is not None:
            self._gate.pass_on(server, "artifact", [_text(artifact.parts)], client, self._conversation)
        elif status is not None:
            self._gate.pass_on(server, _word(status.state), [], client, self._conversation)
        await self._inner.enqueue_event(event)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def _text(parts: Any) -> str:
    return "\n".join(part.text for part in parts if getattr(part, "text", ""))


def _word(state: Any) -> str:
    from a2a.types import TaskState

    name = TaskState.Name(state) if isinstance(state, int) else str(getattr(state, "value", state))
    return name.replace("TASK_STATE_", "").lower()
