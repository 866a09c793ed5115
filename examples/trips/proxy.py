"""A recording proxy between agents that speak A2A. It passes requests and answers on, and writes each of them into a log
before anybody can react to it: a JSON object a line, as `map conform --from a2a` reads it."""

import json
import threading
import time

from wire import post, serve


class Proxy:
    def __init__(self, path):
        self.log = open(path, "w", encoding="utf-8")
        self.lock = threading.Lock()
        self.time = 0
        self.agents = {}
        self.url = serve(self.pass_on)

    def add(self, name, url):
        """An agent; others reach it at the address that is returned."""
        self.agents[name] = url
        return f"{self.url}/{name}"

    def pass_on(self, client, path, request):
        server = path.strip("/")
        self.record(client, server, request)
        answer = post(client, self.agents[server], request)
        if answer is not None:
            self.record(client, server, answer)
        return answer

    def record(self, client, server, body):
        with self.lock:
            # The clock may be set back; the order of the log is that of the messages.
            self.time = max(self.time, time.time_ns())
            line = {"time": self.time, "client": client, "server": server, "body": body}
            self.log.write(json.dumps(line, separators=(",", ":")) + "\n")
            self.log.flush()
