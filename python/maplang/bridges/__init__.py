"""Bridges to libraries for agents. Each is a module of its own, which needs its library: ``langgraph``, ``autogen``,
``openai_agents``, ``mcp``, ``a2a``.

A bridge tells a guard what happens in its library, before it happens; the guard refuses what the dialogue does not
allow, and the library hears a `GuardRefusal`. What a bridge cannot know is in its ``NOT_KNOWN``.
"""

from __future__ import annotations

from ._gate import Gate

__all__ = ["Gate"]
