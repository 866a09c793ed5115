"""JSON over HTTP on this machine: a server for one handler, and requests to it. Standard library only."""

import http.client
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

# By this header an agent says who it is. Between real agents a certificate or a token would.
SENDER = "X-Agent"


def serve(answer):
    """Serves `answer(sender, path, body)` on a port that is free; returns the address. `None` is an empty answer."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            reply = answer(self.headers[SENDER], self.path, body)
            text = b"" if reply is None else json.dumps(reply).encode()
            self.send_response(200 if text else 204)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


def post(sender, url, body):
    """The answer to a request; `None` if it is empty."""
    to = urlsplit(url)
    connection = http.client.HTTPConnection(to.hostname, to.port, timeout=60)
    try:
        headers = {"Content-Type": "application/json", SENDER: sender}
        connection.request("POST", to.path or "/", json.dumps(body), headers)
        answer = connection.getresponse()
        text = answer.read()
    finally:
        connection.close()
    if answer.status not in (200, 204):
        raise RuntimeError(f"{url}: {answer.status} {answer.reason}")
    return json.loads(text) if text else None
