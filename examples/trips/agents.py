"""The agents: a desk that plans trips, and its suppliers. They speak A2A 1.0 (JSON-RPC over HTTP): a request is a message
to an agent, the answer is a task whose status holds the message back."""

import itertools
import zlib
from concurrent.futures import ThreadPoolExecutor

from wire import post, serve

# The state of the task after a message of its agent.
STATES = {"booked": "COMPLETED", "cancelled": "CANCELED"}


def model(prompt, choices):
    """Stands for a language model: the same answer to the same question, on every machine, at once."""
    return zlib.crc32(prompt.encode()) % choices


class Agent:
    def __init__(self, name):
        self.name = name
        self.peers = {}
        self.numbers = itertools.count(1)
        self.url = serve(self.receive)

    def message(self, trip, role, performative, args):
        return {
            "messageId": f"{self.name}-{next(self.numbers)}",
            "contextId": trip,
            "role": role,
            "metadata": {"performative": performative},
            "parts": [{"data": it} for it in args],
        }

    def request(self, trip, performative, *args):
        message = self.message(trip, "ROLE_USER", performative, args)
        return {"jsonrpc": "2.0", "id": message["messageId"], "method": "SendMessage", "params": {"message": message}}

    def ask(self, peer, request):
        """Sends a request; the performative and the arguments of the answer, if there is one."""
        answer = post(self.name, self.peers[peer], request)
        if answer is None:
            return None
        message = answer["result"]["task"]["status"]["message"]
        return message["metadata"]["performative"], [it["data"] for it in message["parts"]]

    def receive(self, sender, _path, request):
        heard = request["params"]["message"]
        trip = heard["contextId"]
        args = [it["data"] for it in heard["parts"]]
        said = self.hear(sender, trip, heard["metadata"]["performative"], *args)
        if said is None:
            return None
        performative, *args = said
        status = {
            "state": "TASK_STATE_" + STATES.get(performative, "INPUT_REQUIRED"),
            "message": self.message(trip, "ROLE_AGENT", performative, args),
        }
        task = {"id": f"{trip}-{self.name}", "contextId": trip, "status": status}
        return {"jsonrpc": "2.0", "id": request["id"], "result": {"task": task}}

    def hear(self, sender, trip, performative, *args):
        """What it says to a message: a performative and arguments. By default it says nothing."""

    def afterwards(self, trip):
        """Is called when the desk is through with a trip."""


class Supplier(Agent):
    """Sells something, such as flights or rooms. Prices are in hundreds."""

    def __init__(self, name):
        super().__init__(name)
        self.settled = set()

    def hear(self, sender, trip, performative, *args):
        if performative == "quote":
            return self.quote(trip, *args)
        if performative in ("book", "cancel") and trip not in self.settled:
            self.settled.add(trip)
            return ("booked",) if performative == "book" else ("cancelled",)
        return None

    def quote(self, trip, budget):
        price = 1 + model(f"You are {self.name}. What does a trip to {trip} cost?", 4)
        is_sold_out = model(f"You are {self.name}. Is there anything left for {trip}?", 4) == 0
        return ("soldOut",) if is_sold_out or price > budget else ("offer", price)


class Desk(Agent):
    """Plans trips: everything is booked, or nothing."""

    def plan(self, trip, budget):
        answers = self.ask_all(self.request(trip, "quote", budget) for _ in self.peers)
        if not all(it in ("offer", "soldOut") for it, _ in answers):
            return "given up"
        prices = [args[0] for it, args in answers if it == "offer"]
        is_good = len(prices) == len(self.peers) and self.fits(sum(prices), budget)
        return self.finish(trip, "book" if is_good else "cancel", "booked" if is_good else "cancelled")

    def finish(self, trip, order, confirmation):
        answers = self.ask_all(self.request(trip, order) for _ in self.peers)
        return confirmation if all(it == confirmation for it, _ in answers) else "given up"

    def fits(self, price, budget):
        return price <= budget

    def ask_all(self, requests):
        """Asks all peers at the same time; their answers."""
        with ThreadPoolExecutor() as pool:
            return list(pool.map(self.ask, self.peers, requests))
