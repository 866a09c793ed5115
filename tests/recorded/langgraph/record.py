"""Records the tasks of a LangGraph graph, as its stream tells them, right or with a planted fault.

    python record.py FAULT > log.jsonl        FAULT: none, or one of FAULTS

A supervisor hands a question to a researcher, who calls a tool once; the supervisor hands what came back to a writer,
and ends. The nodes are scripted: no model is asked. The end of the
run is a line of its own, with the last values.
"""

import json
import sys
import time
from typing import Literal

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.graph import MessagesState, StateGraph
from langgraph.types import Command

FAULTS = ["skips-writer", "writes-twice", "wrong-notes"]
FAULT = None


def supervisor(state: MessagesState) -> Command[Literal["researcher", "writer", "__end__"]]:
    last = state["messages"][-1]
    if last.name == "user":
        goto = "researcher"
    elif last.name == "researcher":
        goto = "__end__" if FAULT == "skips-writer" else "writer"
    else:
        texts = [it for it in state["messages"] if it.name == "writer"]
        goto = "writer" if FAULT == "writes-twice" and len(texts) == 1 else "__end__"
    return Command(goto=goto, update={"messages": []})


def researcher(state: MessagesState) -> Command[Literal["supervisor"]]:
    notes = AIMessage("notes on " + state["messages"][0].content, name="researcher")
    return Command(goto="supervisor", update={"messages": [notes]})


def writer(state: MessagesState) -> Command[Literal["supervisor"]]:
    notes = state["messages"][1].content
    text = AIMessage("notes on cats" if FAULT == "wrong-notes" else notes, name="writer")
    return Command(goto="supervisor", update={"messages": [text]})


def plain(value):
    return value.model_dump(mode="json") if hasattr(value, "model_dump") else str(value)


def tell(mode, event):
    print(json.dumps({"time": time.time(), "thread": "t1", "mode": mode, "event": event}, default=plain))


def main():
    builder = StateGraph(MessagesState)
    for node in [supervisor, researcher, writer]:
        builder.add_node(node.__name__, node)
    builder.set_entry_point("supervisor")
    graph = builder.compile()
    asked = {"messages": [HumanMessage("dogs", name="user")]}
    last = None
    for mode, event in graph.stream(asked, stream_mode=["tasks", "values"]):
        if mode == "values":
            last = event
        else:
            tell(mode, event)
    tell("end", last)


FAULT = sys.argv[1] if sys.argv[1] != "none" else None
main()
