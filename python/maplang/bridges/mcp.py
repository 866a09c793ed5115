"""The Model Context Protocol: a client whose calls of tools pass a guard.

>>> client = guarded(client, guard, client_name="assistant", server_name="travel")  # doctest: +SKIP
>>> await client.call_tool("search", {"query": "Oslo"})  # doctest: +SKIP
"""

from __future__ import annotations

import json
from typing import Any, Mapping, Optional

from .._guard import Guard
from ._gate import Gate

__all__ = ["NOT_KNOWN", "GuardedClient", "guarded"]

#: What this bridge cannot know.
NOT_KNOWN = (
    "what the server asks back while a call is under way (elicitation, sampling): only calls and their results pass here",
    "that a call was cancelled: no result passes then, and the server owes it",
)


class GuardedClient:
    """A client (or session) of which all but ``call_tool`` is as it was."""

    def __init__(self, client: Any, gate: Gate, client_name: str, server_name: str) -> None:
        self._client = client
        self._gate = gate
        self._names = (client_name, server_name)

    async def call_tool(self, name: str, arguments: Optional[dict[str, Any]] = None, **others: Any) -> Any:
        """Calls a tool if the dialogue allows it: the client says its name with the arguments (as one object), the
        server ``result(TEXT)``, or ``error(TEXT)``.

        Raises:
            GuardRefusal: if the call breaks the protocol (the server has not heard of it then), or what it answers does.
        """
        client, server = self._names
        self._gate.pass_on(client, name, [arguments or {}], server)
        result = await self._client.call_tool(name, arguments, **others)
        is_error = bool(getattr(result, "is_error", getattr(result, "isError", False)))
        self._gate.pass_on(server, "error" if is_error else "result", [_text(result)], client)
        return result

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)


def guarded(
    client: Any,
    guard: Guard,
    *,
    client_name: str = "client",
    server_name: str = "server",
    conversation: str = "",
    names: Optional[Mapping[str, str]] = None,
) -> GuardedClient:
    """A client whose calls of tools pass a guard."""
    return GuardedClient(client, Gate(guard, conversation, names), client_name, server_name)


def _text(result: Any) -> str:
    parts = getattr(result, "content", None) or []
    texts = [part.text for part in parts if getattr(part, "text", None) is not None]
    return "\n".join(texts) if texts or not parts else json.dumps([str(part) for part in parts])
