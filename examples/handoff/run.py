"""Two agents that always find that the other one should do it.

    python3 run.py              they speak with each other
    python3 run.py --guard LOG  all that they say passes a guard, which keeps its journal in the folder LOG
"""

import argparse
import os
import queue
import secrets
import subprocess
import tempfile
import threading

from seat import Seat

# What would be bills are not paid for ever.
PATIENCE = 1000


def work(name, first, channel):
    """What would be a language model: whatever it gets, it hands it over."""
    message = ("handover", [0]) if first else channel.receive()
    while message and message[0] == "handover" and Direct.sent < PATIENCE:
        handovers = message[1][0] + 1
        answer = ("handover", [handovers])
        while not channel.send(*answer):
            # It was refused, so it does the first thing that it is told to be possible.
            answer = channel.possible()
        message = channel.receive() if answer[0] == "handover" else None


class Direct:
    """A channel on which everything is possible."""

    sent = 0

    def __init__(self, inbox, outbox):
        self.inbox, self.outbox = inbox, outbox

    def send(self, performative, args):
        Direct.sent += 1
        self.outbox.put((performative, args))
        if Direct.sent == PATIENCE:
            # Whoever pays for it loses patience.
            self.inbox.put(None)
            self.outbox.put(None)
        return True

    def receive(self):
        return self.inbox.get()


class Guarded:
    """A channel on which a guard lets through what the protocol allows."""

    def __init__(self, name, seat):
        self.name, self.seat, self.may = name, seat, []

    def send(self, performative, args):
        said = f"{performative}({', '.join(map(str, args))})"
        print(f"{self.name} says {said}", flush=True)
        answer = self.seat.call("send", performative=performative, args=args)
        if "refused" in answer:
            self.may = answer["refused"]["may"]
            print(f"  refused: {answer['refused']['text']}", flush=True)
        return "accepted" in answer

    def possible(self):
        return self.may[0]["performative"], [arg["is"] for arg in self.may[0]["args"]]

    def receive(self):
        while True:
            answer = self.seat.call("receive", conversation="main")
            for item in answer["received"]["items"]:
                return item["performative"], item["args"]
            if not answer["offer"]["waits_for_messages"]:
                return None


def run(channels):
    threads = [
        threading.Thread(target=work, args=(name, index == 0, channel))
        for index, (name, channel) in enumerate(channels.items())
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def guarded(log):
    with tempfile.TemporaryDirectory() as folder:
        tokens = os.path.join(folder, "tokens.toml")
        with open(os.open(tokens, os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
            for name in ["Planner", "Coder"]:
                file.write(f'{name} = "{secrets.token_hex(16)}"\n')
        listening = ["--listen", "127.0.0.1:0", "--tokens", tokens, "--journal", log]
        command = ["map", "guard", "handoff.map", *listening]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as guard:
            at = guard.stdout.readline().split()[-1]
            seats = {name: Seat(at, name, tokens) for name in ["Planner", "Coder"]}
            run({name: Guarded(name, seat) for name, seat in seats.items()})
            for seat in seats.values():
                seat.close()
            guard.terminate()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--guard", metavar="LOG", help="put a guard between them")
    args = parser.parse_args()
    if args.guard:
        return guarded(args.guard)
    there, back = queue.Queue(), queue.Queue()
    run({"Planner": Direct(back, there), "Coder": Direct(there, back)})
    print(f"stopped after {PATIENCE} messages; the task is still to be done")


if __name__ == "__main__":
    main()
