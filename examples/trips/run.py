"""Starts the desk, the flights, the hotels and the proxy between them, and plans some trips.

    python3 run.py LOG                        everybody keeps to trips.map
    python3 run.py LOG --fault too-expensive  somebody does not
"""

import argparse

from agents import Desk, Supplier
from faults import FAULTS
from proxy import Proxy

# Destinations and budgets, in hundreds.
TRIPS = [("riga", 5), ("porto", 7), ("lima", 5), ("oslo", 4)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("log", help="where the proxy writes what it sees")
    parser.add_argument("--fault", choices=sorted(FAULTS))
    args = parser.parse_args()

    classes = {"desk": Desk, "flights": Supplier, "hotels": Supplier}
    if args.fault:
        name, broken = FAULTS[args.fault]
        classes[name] = broken
    agents = {name: kind(name) for name, kind in classes.items()}
    proxy = Proxy(args.log)
    addresses = {name: proxy.add(name, agent.url) for name, agent in agents.items()}
    for name, agent in agents.items():
        agent.peers = {peer: url for peer, url in addresses.items() if peer != name}

    for trip, budget in TRIPS:
        print(f"{trip}: {agents['desk'].plan(trip, budget)}")
        for agent in agents.values():
            agent.afterwards(trip)


if __name__ == "__main__":
    main()
