"""Logs, monitors and guards."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path

import pytest

from maplang import Breach, Constant, Conversation, GuardRefusal, MapError, Message, Protocol, Standing

TALK = """talk[
    agent(!A, %asker) = ask(1) => agent(!B, %answerer) then (waitfor told($x) <= agent(_, %answerer))
    agent(!B, %answerer) =
        waitfor (ask($x) <= agent($who, %asker) then $y = think($x) then told($y) => agent($who, %asker))
]
procedure think($x) in {1, 2, red}
"""

SAID = [Message("!A", "!B", "ask", [1], time=1.5), Message("!B", ["!A"], "told", (2,), time=2.0)]


@pytest.fixture
def talk() -> Protocol:
    return Protocol.from_text(TALK, name="talk.map")


def test_a_log_conforms(talk: Protocol, tmp_path: Path) -> None:
    found = talk.conform(SAID)
    assert found and [it.verdict for it in found.conversations] == [Standing.CONFORMS]
    path = tmp_path / "log.ndjson"
    path.write_text('{"from": "!A", "to": ["!B"], "performative": "ask", "args": [1]}\n')
    for log in (path, str(path), path.read_text()):
        assert talk.conform(log).conversations[0].verdict is Standing.CONFORMS_SO_FAR
    assert not talk.conform([]) and "nothing judged" in repr(talk.conform([]))


def test_who_breaks_the_protocol_is_told(talk: Protocol) -> None:
    found = talk.conform([SAID[0], Message("!B", "!A", "told", [7])])
    (breach,) = found.breaches
    assert not found and breach.kind == "wrong_content" and breach.agent == "B" and breach.line == 2
    assert [it["args"] for it in breach.json["possible"]]
    assert "wrong content" in str(found)
    assert talk.conform([SAID[0], Message("!B", "!A", "told", [Constant("red")])])


def test_a_monitor_tells_at_once(talk: Protocol) -> None:
    monitor = talk.monitor()
    assert monitor.feed(SAID[0]) == []
    (ended,) = monitor.feed(SAID[1])
    assert isinstance(ended, Conversation) and ended and ended.messages == 2
    other = talk.monitor()
    (breach,) = [it for it in other.feed({"from": "!B", "to": "!A", "performative": "told", "args": [1]}) if isinstance(it, Breach)]
    assert breach.agent == "B" and "told" in str(breach)
    assert other.finish() == [] or isinstance(other.finish(), list)


def test_what_cannot_be_used_is_refused(talk: Protocol) -> None:
    monitor = talk.monitor()
    for wrong in ({"from": "!A"}, {"from": "!A", "to": ["!B"], "performative": "ask", "args": 1}):
        with pytest.raises(MapError):
            monitor.feed(wrong)
    with pytest.raises(TypeError, match="a message is a Message or a mapping, not str"):
        monitor.feed("ask")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a set cannot be an argument"):
        monitor.feed(Message("!A", "!B", "ask", [{1}]))
    with pytest.raises(MapError, match='arrivals "now": there are logged, late'):
        talk.monitor(arrivals="now")


def test_threads_feed_one_monitor(talk: Protocol) -> None:
    monitor = talk.monitor()
    told: list[object] = []

    def feed(number: int) -> None:
        for index in range(50):
            for message in SAID:
                told.extend(monitor.feed(Message(message.sender, message.to, message.performative, message.args, f"{number}-{index}")))

    threads = [threading.Thread(target=feed, args=[number]) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(told) == 200 and all(isinstance(it, Conversation) and it for it in told)


def test_a_guard_refuses_what_breaks_the_protocol(talk: Protocol) -> None:
    guard = talk.guard(journal=True)
    (may,) = guard.offer("!A").may
    assert may.performative == "ask" and may.args == ({"is": 1},) and guard.offer("!A").owes
    assert not guard.may_send("!A", "ask", [2]) and guard.may_send("!A", "ask", [1])
    with pytest.raises(GuardRefusal) as raised:
        guard.send("!A", "ask", [2])
    assert raised.value.kind == "wrong_content" and raised.value.details["may"]
    accepted = guard.send("!A", "ask", [1], key="once")
    assert accepted.certain and not accepted.unguarded
    assert guard.send("!A", "ask", [1], key="once") == accepted
    (received,) = guard.receive("!B")
    assert (received.sender, received.performative, received.args) == ("!A", "ask", (1,))
    with pytest.raises(GuardRefusal) as raised:
        guard.rest("!B")
    assert raised.value.kind == "owes"
    assert guard.debts("!A")["to_me"][0]["performatives"] == ["told"]
    guard.send("!B", "told", [Constant("red")], "!A")
    assert guard.receive("!A")[0].args == ({"constant": "red"},)
    assert guard.status()["state"] == "ended"
    assert [it["event"] for it in guard.journal()][:2] == ["opened", "named"] or guard.journal() == []
    with pytest.raises(GuardRefusal, match="!C"):
        guard.offer("!C")


def test_a_guard_has_a_configuration(talk: Protocol) -> None:
    guard = talk.guard(config='[answers]\n"%answerer" = "30s"\n')
    assert guard.offer("!A").json.get("until") is None
    with pytest.raises(MapError, match="config: line 2: "):
        talk.guard(config='[answers]\n"%nobody" = "30s"\n')


def test_names_get_a_meaning(talk: Protocol) -> None:
    guard = talk.guard()
    guard.open("c", {"alice": "!A", "bob": "!B"})
    guard.send("alice", "ask", [1], ["bob"], conversation="c")
    assert guard.receive("bob", conversation="c")[0].sender == "alice"
    with pytest.raises(GuardRefusal, match="open already"):
        guard.open("c")


def test_threads_wait_for_messages(talk: Protocol) -> None:
    guard = talk.guard()
    received: list[object] = []
    thread = threading.Thread(target=lambda: received.extend(guard.receive("!B", timeout=10)))
    thread.start()
    time.sleep(0.05)
    guard.send("!A", "ask", [1])
    thread.join()
    assert len(received) == 1
    assert guard.receive("!B", timeout=0.01) == []


def test_tasks_wait_for_messages(talk: Protocol) -> None:
    async def all() -> list[object]:
        guard = talk.guard()

        async def answerer() -> object:
            (asked,) = await guard.receive_async("!B")
            guard.send("!B", "told", [asked.args[0]])
            return asked.performative

        async def asker() -> object:
            guard.send("!A", "ask", [1])
            (told,) = await guard.receive_async("!A")
            return told.args

        return list(await asyncio.gather(answerer(), asker()))

    assert asyncio.run(all()) == ["ask", (1,)]
