"""Agents that break the protocol, each in its way."""

from agents import Desk, Supplier


class TooExpensive(Supplier):
    """Offers more than the budget."""

    def quote(self, trip, budget):
        return "offer", budget + 1


class TooEager(Supplier):
    """Books what it was only asked about."""

    def quote(self, trip, budget):
        return ("booked",)


class Vague(Supplier):
    """Says what nobody in the protocol says."""

    def quote(self, trip, budget):
        return ("maybe",)


class Talkative(Supplier):
    """Tells its price to the hotels first."""

    def quote(self, trip, budget):
        self.ask("hotels", self.request(trip, "offer", 1))
        return "offer", 1


class Insistent(Supplier):
    """Makes another offer when all is over."""

    def afterwards(self, trip):
        self.ask("desk", self.request(trip, "offer", 1))


class Spendthrift(Desk):
    """Books whatever it costs."""

    def fits(self, price, budget):
        return True


class Stuttering(Desk):
    """Tells the hotels twice what they are to do."""

    def finish(self, trip, order, confirmation):
        for peer in ("hotels", "hotels", "flights"):
            self.ask(peer, self.request(trip, order))
        return confirmation


class Forgetful(Desk):
    """Tells only the flights what they are to do."""

    def finish(self, trip, order, confirmation):
        self.ask("flights", self.request(trip, order))
        return "forgotten"


# By name: the agent that is broken, and how.
FAULTS = {
    "too-expensive": ("flights", TooExpensive),
    "too-eager": ("flights", TooEager),
    "vague": ("flights", Vague),
    "talkative": ("flights", Talkative),
    "insistent": ("flights", Insistent),
    "spendthrift": ("desk", Spendthrift),
    "stuttering": ("desk", Stuttering),
    "forgetful": ("desk", Forgetful),
}
