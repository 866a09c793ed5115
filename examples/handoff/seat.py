"""The seat of an agent at a guard: a client of the Model Context Protocol, as small as it can be."""

import json
import subprocess


class Seat:
    """One agent, over `map guard --mcp`."""

    def __init__(self, at, name, tokens):
        command = ["map", "guard", "--mcp", "--at", at, "--as", name, "--tokens", tokens]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.requests = 0
        client = {"name": "seat.py", "version": "1"}
        opening = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
        # What a language model would be told at first.
        self.instructions = self.ask("initialize", opening)["instructions"]
        self.write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def write(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def ask(self, method, params):
        self.requests += 1
        self.write({"jsonrpc": "2.0", "id": self.requests, "method": method, "params": params})
        return json.loads(self.process.stdout.readline())["result"]

    def call(self, tool, **arguments):
        """What a tool answers, as JSON; a language model reads the same in words."""
        return self.ask("tools/call", {"name": tool, "arguments": arguments})["structuredContent"]

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()
