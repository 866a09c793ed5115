"""AutoGen: an intervention handler that asks a guard about each message between agents of a runtime.

>>> from autogen_core import SingleThreadedAgentRuntime  # doctest: +SKIP
>>> runtime = SingleThreadedAgentRuntime(intervention_handlers=[guarded(guard)])  # doctest: +SKIP
"""

from __future__ import annotations

import dataclasses
from typing import Any, Callable, Mapping, Optional, Sequence

from .._guard import Guard
from ._gate import Gate

__all__ = ["NOT_KNOWN", "guarded", "read"]

#: What this bridge cannot know.
NOT_KNOWN = (
    "to whom a message goes that is published: it is for all subscribers of a topic, which `topics` has to name",
    "when an agent reads what arrived: here messages arrive as soon as they are sent",
)


def read(message: Any) -> tuple[str, Sequence[Any]]:
    """Performative and arguments of a message: its fields of these names, or its class and its fields."""
    if isinstance(getattr(message, "performative", None), str):
        return message.performative, list(getattr(message, "args", ()))
    name = type(message).__name__
    if dataclasses.is_dataclass(message) and not isinstance(message, type):
        fields: Sequence[Any] = list(dataclasses.asdict(message).values())
    elif hasattr(message, "model_dump"):
        fields = list(message.model_dump(mode="json").values())
    else:
        fields = [message]
    return name[:1].lower() + name[1:], fields


def guarded(
    guard: Guard,
    *,
    names: Optional[Mapping[str, str]] = None,
    outside: str = "outside",
    topics: Optional[Mapping[str, Sequence[str]]] = None,
    message: Callable[[Any], tuple[str, Sequence[Any]]] = read,
) -> Any:
    """An intervention handler. A message that breaks the protocol is not delivered; its sender hears `GuardRefusal`.

    Args:
        guard: the guard. The key of an agent's id is the conversation.
        names: what types of agents are called in the dialogue.
        outside: the type of whoever sends from outside of the runtime.
        topics: the types of agents that subscribe to a type of topic.
        message: performative and arguments of a message.
    """
    from autogen_core import AgentId, DefaultInterventionHandler, MessageContext

    gate = Gate(guard, names=names)

    def sender(context: Optional[MessageContext], key: str) -> str:
        own = None if context is None else context.sender
        return outside if own is None else own.type

    class Handler(DefaultInterventionHandler):
        async def on_send(self, message_: Any, *, message_context: MessageContext, recipient: AgentId) -> Any:
            performative, args = message(message_)
            key = recipient.key
            gate.pass_on(sender(message_context, key), performative, args, recipient.type, key)
            return message_

        async def on_publish(self, message_: Any, *, message_context: MessageContext) -> Any:
            topic = message_context.topic_id
            if topic is not None and topics is not None and topic.type in topics:
                performative, args = message(message_)
                for recipient in topics[topic.type]:
                    own = sender(message_context, topic.source)
                    gate.pass_on(own, performative, args, recipient, topic.source)
            return message_

        async def on_response(self, message_: Any, *, sender: AgentId, recipient: Optional[AgentId]) -> Any:
            if message_ is not None:
                performative, args = message(message_)
                other = outside if recipient is None else recipient.type
                gate.pass_on(sender.type, performative, args, other, sender.key)
            return message_

    return Handler()
