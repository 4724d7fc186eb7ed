"""A server on bare sockets, for answers that no server of HTTP would give."""

import socket
import threading
from contextlib import contextmanager, suppress


class RawServer:
    """Answers each connection by a function of the socket and the request's bytes.

    Attributes
    ----------
    behave : callable
        Takes the connection, the request and this server.
    requests : list of bytes
    stopping : threading.Event
        Set when the server is to end.
    """

    def __init__(self):
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._threads = []
        self.behave = None
        self.requests = []
        self.sent = 0
        self.stopping = threading.Event()

    def url(self, path="/f"):
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}{path}"

    def serve(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._answer, args=[connection])
            self._threads.append(thread)
            thread.start()

    def _answer(self, connection):
        with connection, suppress(OSError):
            connection.settimeout(10)
            request = b""
            while b"\r\n\r\n" not in request:
                chunk = connection.recv(4096)
                if not chunk:
                    return
                request += chunk
            self.requests.append(request)
            self.behave(connection, request, self)

    def send(self, connection, content):
        connection.sendall(content)
        self.sent += len(content)

    def drip(self, connection, pieces, every_s=0.02):
        """Send pieces with pauses until the client hangs up."""
        for piece in pieces:
            if self.stopping.wait(every_s):
                return
            self.send(connection, piece)

    def close(self):
        self.stopping.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join()


@contextmanager
def raw_server():
    """A server that runs in the background until the block ends."""
    server = RawServer()
    thread = threading.Thread(target=server.serve)
    thread.start()
    try:
        yield server
    finally:
        server.close()
        thread.join()
