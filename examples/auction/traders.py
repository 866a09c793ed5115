"""Two strategies in an English auction: `eager` bidders jump ahead, `patient` ones offer just what is asked.

    map run protocols/english-auction/auction.map --agents bidder=3 --seed 1 \\
        --procedures 'python3 examples/auction/traders.py'
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import mapagent  # noqa: E402  (it lies one folder up)


class Auctioneer(mapagent.Agent):
    """Opens at 100 and takes every offer that is at least what is asked."""

    def openingPrice(self):
        return 100

    def recordBid(self, offer, asking):
        return offer + 10 if offer >= asking else None


class Bidder(mapagent.Agent):
    """What both strategies share: what the lot is worth to them, and who they are."""

    def __init__(self, name, role, scene):
        super().__init__(name, role, scene)
        self.worth = self.random.randrange(120, 300)

    def startBidding(self, asking):
        return self.offer(asking)

    def keepBidding(self, asking):
        return self.offer(asking)


class Patient(Bidder):
    """Goes along in the smallest steps, as far as the lot is worth it."""

    def offer(self, asking):
        return asking if asking <= self.worth else None


class Eager(Bidder):
    """Jumps half the way to its limit, to frighten the others off; gives up when little is left to gain."""

    def offer(self, asking):
        if asking > self.worth * 9 // 10:
            return None
        return asking + (self.worth - asking) // 2


def bidder(name, role, scene):
    """Every other bidder is eager."""
    bidders = [agent for agent, its_role in scene.agents.items() if its_role == role]
    return (Eager if bidders.index(name) % 2 else Patient)(name, role, scene)


mapagent.serve({"auctioneer": Auctioneer, "bidder": bidder})
