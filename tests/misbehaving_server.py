"""A web server on this machine that does what servers should not do, for the download tests."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

from noiseless.data.registry import Mirror


class Request(NamedTuple):
    """What the server has seen of a request, and how much of the body it sent in answer."""

    path: str
    headers: dict[str, str]


class Handler(BaseHTTPRequestHandler):
    """Answers a request with the behaviour that the server has for its path."""

    protocol_version = "HTTP/1.1"
    timeout = 10  # a connection that a failed test leaves open ends by itself

    def do_GET(self):
        self.server.requests.append(Request(self.path, dict(self.headers)))
        self.server.routes[self.path](self)

    def answer(self, status=200, body=b"", length=None, **headers):
        """Send an answer; ``length`` other than that of the body is a lie, "none" leaves it out."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        if length != "none":
            self.send_header("Content-Length", str(len(body) if length is None else length))
        self.send_header("Connection", "close")  # so that no thread waits for another request
        self.end_headers()
        self.server.sent += len(body)  # before the client can know
        self.wfile.write(body)
        self.wfile.flush()
        self.server.finished += len(body)  # only what the client took to the end

    def cut(self):
        """End the connection in the middle of things."""
        self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, *args):
        pass


class MisbehavingServer(ThreadingHTTPServer):
    """``routes`` says what happens at each path; the rest counts what has happened."""

    daemon_threads = False  # so that closing the server waits for its threads

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.routes: dict[str, Callable[[Handler], None]] = {}
        self.requests: list[Request] = []
        self.sent = self.finished = 0
        self.stopping = threading.Event()

    def url(self, path, host="127.0.0.1"):
        return f"http://{host}:{self.server_port}{path}"

    def handle_error(self, request, client_address):
        """Say nothing: clients that hang up are what is being tested."""


@contextmanager
def misbehaving_server() -> Iterator[MisbehavingServer]:
    """A server that runs in the background until the block ends."""
    server = MisbehavingServer()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.stopping.set()
        server.shutdown()
        thread.join()
        server.server_close()


def start_of_range(handler):
    """First byte that the request asks for; 0 without a range."""
    wanted = handler.headers.get("Range", "bytes=0-")
    return int(wanted.removeprefix("bytes=").split("-")[0])


def file(payload, *, cuts=(), etag='"v1"', **headers):
    """A well-behaved file with ranges, but the n-th answer is cut at the n-th of the positions."""
    cuts = iter(cuts)
    if etag:
        headers["ETag"] = etag

    def behave(handler):
        start = start_of_range(handler)
        if start and handler.headers.get("If-Range", etag) != etag:
            start = 0
        cut = next(cuts, None)
        end = len(payload) if cut is None else max(start, min(cut, len(payload)))
        partial = {"Content_Range": f"bytes {start}-{len(payload) - 1}/{len(payload)}"}
        handler.answer(
            206 if start else 200,
            payload[start:end],
            length=len(payload) - start,
            **headers,
            **(partial if start else {}),
        )
        if end < len(payload):
            handler.cut()

    return behave


def in_turn(*behaviours):
    """Each request meets the next behaviour; the last one stays."""
    left = list(behaviours)

    def behave(handler):
        (left.pop(0) if len(left) > 1 else left[0])(handler)

    return behave


def status(code, body=b"", **headers):
    """An answer with a status."""
    return lambda handler: handler.answer(code, body, **headers)


def mirror(url, **fields):
    """A row of the registry for a file at an address, of which nothing more is known."""
    row = {
        **dict.fromkeys(Mirror.__dataclass_fields__),
        **{"dataset": "london", "version": "1", "file": "data.csv", "url": url, "kind": "http"},
        **{"archive": "none", "licence": "none", "redistributable": "unclear", "citation": "none"},
        **{"checked": "2026-11-21", "status": "unverified", "note": "Ask the librarian."},
    }
    return Mirror(**row | fields)
