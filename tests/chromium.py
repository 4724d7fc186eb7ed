"""A page in headless Chromium: what it shows, asks for and complains of.

Speaks the DevTools protocol: commands and answers are JSON between NUL bytes, over two pipes which
Chromium finds at file descriptors 3 and 4.
"""

import fcntl
import importlib.util
import itertools
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
_FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-dev-shm-usage", "--hide-scrollbars", "--remote-debugging-pipe"),
)
_PATIENCE_S = 180  # axe looks at some ten thousand elements, on machines that do other work as well
# Phone and desktop, by day and by night.
MODES = [(width, scheme) for width in (390, 1300) for scheme in ("light", "dark")]


class _PageReplacedError(Exception):
    """The page in which something was to be evaluated is another one by now."""


class Tab:
    """One page of one browser; use it in a ``with`` block, which ends the browser.

    Attributes
    ----------
    complaints : list of str
        What the page wrote to its console as an error or a warning, exceptions included.
    requests : list of str
        Every URL that the page asked for, its own first.
    """

    def __init__(self, profile: Path):
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self._profile = profile
        self._ids, self._waiting, self._loaded = itertools.count(1), b"", False

    def __enter__(self) -> "Tab":
        ours, theirs = _pipe_above(10), _pipe_above(10)
        self._process = subprocess.Popen(
            [
                *("bash", "-c", f'exec "$@" 3<&{theirs[0]} 4>&{ours[1]}', "-"),
                *(CHROMIUM, *_FLAGS, f"--user-data-dir={self._profile}", "about:blank"),
            ],
            pass_fds=(theirs[0], ours[1]),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(theirs[0])
        os.close(ours[1])
        self._reader, self._writer = ours[0], theirs[1]
        self._session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(_PATIENCE_S)
        os.close(self._reader)
        os.close(self._writer)

    def clear(self) -> None:
        """An empty page of a desktop's size, and nothing noted."""
        self.resize(1280, 900)
        self.call("Emulation.setEmulatedMedia", features=[])
        self.open("about:blank")
        self.complaints.clear()
        self.requests.clear()

    def resize(self, width: int, height: int) -> None:
        """Give the window a size; a narrow one is a phone's."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            **{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600},
        )

    def open(self, url: str) -> None:
        """Go to another page and wait until it has loaded."""
        self._loaded = False
        answer = self.call("Page.navigate", url=url)
        assert "errorText" not in answer, answer
        deadline = time.monotonic() + _PATIENCE_S
        while not self._loaded:
            self._receive(deadline)
        self.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")

    def evaluate(self, script: str, *, inside: bool = False) -> Any:
        """Value of an expression in the page, or in the first page inside it.

        A promise is awaited.  An exception is an error.
        """
        world = {}
        if inside:
            [frame, *_] = self.call("Page.getFrameTree")["frameTree"]["childFrames"]
            created = self.call("Page.createIsolatedWorld", frameId=frame["frame"]["id"])
            world["contextId"] = created["executionContextId"]
        try:
            answer = self.call(
                "Runtime.evaluate",
                expression=script,
                awaitPromise=True,
                returnByValue=True,
                **world,
            )
        except _PageReplacedError:
            assert inside, "the page was replaced"
            return self.evaluate(script, inside=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait_for(self, script: str) -> None:
        """Wait until an expression in the page is true."""
        deadline = time.monotonic() + _PATIENCE_S
        while not self.evaluate(script):
            assert time.monotonic() < deadline, f"never true: {script}"
            time.sleep(0.05)

    def prefer(self, scheme: str) -> None:
        """Ask for the page's ``light`` or ``dark`` colours."""
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.call("Emulation.setEmulatedMedia", features=[feature])

    def inaccessible(self, axe: str) -> dict[str, list[str]]:
        """What axe-core finds fault with: its rules, and the elements that break each."""
        if not self.evaluate("typeof axe === 'object'"):
            self.evaluate(f"{axe};0")
        found = self.evaluate(
            "axe.run(document, { resultTypes: ['violations'] }).then((found) =>"
            " found.violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]))"
        )
        return dict(found)

    def press(self, key: str) -> None:
        """Press a key, as a person with a keyboard does."""
        code = {"Tab": 9, " ": 32, "ArrowUp": 38, "ArrowDown": 40}[key]
        for kind in ("keyDown", "keyUp"):
            text = {"text": key} if key == " " and kind == "keyDown" else {}
            self.call(
                "Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, **text
            )

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        number = next(self._ids)
        message = {"id": number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._writer, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + _PATIENCE_S
        while (answer := self._receive(deadline)).get("id") != number:
            pass
        if "Cannot find context" in answer.get("error", {}).get("message", ""):
            raise _PageReplacedError
        assert "error" not in answer, (method, answer["error"])
        return answer["result"]

    def _receive(self, deadline: float) -> dict[str, Any]:
        """The next message; what an event says is noted."""
        while b"\0" not in self._waiting:
            ready, _, _ = select.select([self._reader], [], [], deadline - time.monotonic())
            assert ready, "Chromium does not answer"
            chunk = os.read(self._reader, 1 << 20)
            assert chunk, "Chromium has ended"
            self._waiting += chunk
        raw, self._waiting = self._waiting.split(b"\0", 1)
        message = json.loads(raw)
        details = message.get("params", {})
        match message.get("method"):
            case "Page.loadEventFired":
                self._loaded = True
            case "Runtime.exceptionThrown":
                self.complaints.append(str(details["exceptionDetails"]))
            case "Runtime.consoleAPICalled" if details["type"] in ("error", "warning", "assert"):
                self.complaints.append(str(details["args"]))
            case "Log.entryAdded" if details["entry"]["level"] in ("error", "warning"):
                self.complaints.append(str(details["entry"]))
            case "Network.requestWillBeSent":
                self.requests.append(details["request"]["url"])
        return message


def axe_core() -> str | None:
    """The script of axe-core, from the package that carries it; None where it is not."""
    package = importlib.util.find_spec("axe_core_python")
    if package is None:
        return None
    return Path(package.origin).with_name("axe.min.js").read_text(encoding="utf-8")


def _pipe_above(lowest: int) -> tuple[int, int]:
    """A pipe whose descriptors are not among the first, which Chromium's own need."""
    ends = os.pipe()
    above = tuple(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, lowest) for end in ends)
    for end in ends:
        os.close(end)
    return above
