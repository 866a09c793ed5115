"""What the bridges share: messages of a library pass a guard."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Optional, Sequence

from .._guard import Acceptance, Guard

__all__ = ["Gate"]


class Gate:
    """Tells a guard of messages that arrive as soon as they are sent.

    Args:
        guard: the guard.
        conversation: the conversation; a function of whatever a bridge calls it by, where there are several.
        names: what agents are called in the dialogue, where a library calls them otherwise: ``{"triage": "!Triage"}``.
    """

    def __init__(
        self, guard: Guard, conversation: str = "", names: Optional[Mapping[str, str]] = None
    ) -> None:
        self.guard = guard
        self.conversation = conversation
        self.names = dict(names or {})

    def name(self, agent: str) -> str:
        """What an agent is called in the dialogue: as ``names`` say, or with a capital and ``!``."""
        return self.names.get(agent) or "!" + "".join(part[:1].upper() + part[1:] for part in agent.split("_") if part)

    def pass_on(
        self,
        sender: str,
        performative: str,
        args: Sequence[Any],
        to: str,
        conversation: Optional[str] = None,
    ) -> Acceptance:
        """Sends a message, which its recipient has received when this returns.

        Raises:
            GuardRefusal: if it breaks the protocol.
        """
        name = self.conversation if conversation is None else conversation
        recipient = self.name(to)
        accepted = self.guard.send(self.name(sender), performative, list(args), recipient, conversation=name)
        self.guard.receive(recipient, conversation=name)
        return accepted


Arguments = Callable[[Any], Sequence[Any]]
