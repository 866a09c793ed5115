"""Decides for the agents of a MAP dialogue: the other end of `map run FILE --procedures 'python3 ..'`.

Write a class for each role, with a method for each procedure that the role asks and the file leaves open:

    import mapagent

    class Bidder(mapagent.Agent):
        def startBidding(self, asking):
            return asking if asking <= 50 else None

    mapagent.serve({"bidder": Bidder})

Each agent of the dialogue gets an object of its own, made when it asks for the first time, so what it has to remember
it keeps in `self`. A method returns a value, or None for "no". Values are

    int                     an integer of the dialogue (64 bits)
    str                     a string
    Constant("nobody")      a bare constant; likewise AgentName("Bidder1") and Role("bidder")
    Unknown("abstract", ..) a value that somebody else was asked for at random; it can be compared and handed on
    UNKNOWN                 to be returned only: some value, nobody knows which

Two of a kind with the same name are equal, and all of them can be keys of a dict. What is printed goes to standard
error, for standard output belongs to the conversation. Only the standard library is used.
"""

import json
import random
import sys
import traceback
from dataclasses import dataclass

PROTOCOL = 1
MANY_RUNS = 2
"""The version of the protocol in which one program answers in many runs."""


@dataclass(frozen=True)
class Constant:
    """A bare constant, such as `nobody`."""

    name: str

    def __str__(self):
        return self.name


@dataclass(frozen=True)
class AgentName:
    """The name of an agent, such as `!Bidder1`, without its sigil."""

    name: str

    def __str__(self):
        return "!" + self.name


@dataclass(frozen=True)
class Role:
    """A role, such as `%bidder`, without its sigil."""

    name: str

    def __str__(self):
        return "%" + self.name


@dataclass(frozen=True)
class Unknown:
    """A value of which no more is known than its name: kind is "abstract" or "fresh"."""

    kind: str
    name: str

    def __str__(self):
        return self.name


UNKNOWN = object()
"""Returned by a method: an answer, but nobody knows which value it is."""


class Agent:
    """What decides for one agent. Methods are called by the names of procedures.

    name: the agent's name; role: its role; scene: the Scene; random: a generator of its own, seeded by the run's seed,
    so that the same command gives the same run.
    """

    def __init__(self, name, role, scene):
        self.name = name
        self.role = role
        self.scene = scene
        self.random = random.Random(f"{scene.seed} {name}")


@dataclass(frozen=True)
class Scene:
    """What is known from the beginning: the scene's name, the seed of the run, the role of each agent by its name."""

    name: str
    seed: int
    agents: dict


class Mistake(Exception):
    """Something the program did not expect; the run ends with this text."""


def serve(classes, requests=None, replies=None):
    """Answers until the dialogue ends. `classes` has a class, or function, for each role: it is called with the name,
    the role and the Scene, and what it returns has the procedures as methods."""
    requests = requests or sys.stdin
    replies = replies or sys.stdout
    if replies is sys.stdout:
        sys.stdout = sys.stderr
    scene = _greet(requests, replies)
    agents = {}
    for line in requests:
        request = json.loads(line)
        if "run" in request:
            # Each run begins anew: nothing in it may depend on earlier ones.
            scene, agents = Scene(scene.name, request["seed"], scene.agents), {}
            continue
        if "end" in request:
            continue
        reply = {"id": request["id"]}
        try:
            reply.update(_answer(classes, scene, agents, request))
        except Mistake as mistake:
            reply["error"] = str(mistake)
        except Exception as error:  # whatever it is, the run should end with it, not with a closed pipe
            traceback.print_exc(file=sys.stderr)
            reply["error"] = f"{type(error).__name__}: {error}"
        _say(replies, reply)


def _greet(requests, replies):
    line = requests.readline()
    if not line:
        sys.exit(0)
    hello = json.loads(line)
    if hello.get("protocol") != PROTOCOL:
        sys.exit(f"this speaks protocol {PROTOCOL}, and map {hello.get('protocol')}")
    _say(replies, {"protocol": MANY_RUNS if "runs" in hello else PROTOCOL})
    roles = {agent["name"]: agent["role"] for agent in hello["agents"]}
    return Scene(hello["scene"], hello["seed"], roles)


def _answer(classes, scene, agents, request):
    name, role, procedure = request["agent"], request["role"], request["procedure"]
    if name not in agents:
        if role not in classes:
            raise Mistake(f"there is no class for the role {role}")
        agents[name] = classes[role](name, role, scene)
    method = getattr(agents[name], procedure, None)
    if method is None:
        raise Mistake(f"{type(agents[name]).__name__} has no method {procedure}")
    value = method(*[_from_json(argument) for argument in request["arguments"]])
    if value is None:
        return {"answer": "no"}
    if value is UNKNOWN:
        return {"answer": "yes"}
    return {"answer": "yes", "value": _to_json(value)}


_KINDS = {"constant": Constant, "agent": AgentName, "role": Role}


def _from_json(value):
    if isinstance(value, (int, str)):
        return value
    ((kind, name),) = value.items()
    return _KINDS[kind](name) if kind in _KINDS else Unknown(kind, name)


def _to_json(value):
    if isinstance(value, bool) or not isinstance(value, (int, str, Constant, AgentName, Role, Unknown)):
        raise Mistake(f"{value!r} is no value of a dialogue")
    if isinstance(value, (int, str)):
        return value
    if isinstance(value, Unknown):
        return {value.kind: value.name}
    kind = next(kind for kind, type_ in _KINDS.items() if isinstance(value, type_))
    return {kind: value.name}


def _say(replies, message):
    replies.write(json.dumps(message) + "\n")
    replies.flush()
