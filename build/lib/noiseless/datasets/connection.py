"""A connection to a server that may misbehave, and the user's credentials for Kaggle.

Redirects are followed here and not by ``requests``, which reads their bodies to the end, whatever
their size.  A :class:`Watch` hangs up on a server that keeps a connection alive with too little.
"""

import json
import os
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

import requests
import urllib3
from requests.adapters import HTTPAdapter
from requests.auth import HTTPBasicAuth
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

from noiseless import __version__
from noiseless.datasets.registry import Mirror, kaggle_parts
from noiseless.errors import ConfigError

MOST_REDIRECTS = 10
_LONGEST_ASKED_S = 1e9  # whatever a server asks for
LONGEST_WAIT_S = 60.0  # between two connections, whatever the server asks for


class Refused(Exception):
    """A mirror that will not give the file; trying again would not help."""


class Cut(Exception):
    """A connection that failed; another one may not."""

    def __init__(self, message: str, retry_after_s: float = 0.0) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class Watch:
    """Hangs up when a server takes longer than it may.

    Time-outs of sockets begin anew with every byte, so a byte now and then would hold a reader for
    ever, in the headers, between chunks, or with ``100 Continue`` after ``100 Continue``.
    """

    def __init__(self) -> None:
        self.socket: socket.socket | None = None
        self.hung_up = False
        self._deadline_s: float | None = None
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    @contextmanager
    def waiting(self, patience_s: float) -> Iterator[None]:
        """Hang up if the block takes longer than ``patience_s`` seconds."""
        with self._changed:
            self.hung_up = False
            self._deadline_s = time.monotonic() + max(patience_s, 0.0)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, daemon=True)
                self._thread.start()
            self._changed.notify()
        try:
            yield
        finally:
            with self._changed:
                self._deadline_s = None

    def close(self) -> None:
        """End the thread."""
        with self._changed:
            thread, self._thread = self._thread, None
            self._changed.notify()
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        with self._changed:
            while self._thread is not None:
                if self._deadline_s is None:
                    self._changed.wait()
                    continue
                left_s = self._deadline_s - time.monotonic()
                if left_s > 0:
                    self._changed.wait(left_s)
                    continue
                self._deadline_s, self.hung_up = None, True
                if self.socket is not None:
                    with suppress(OSError):
                        # That of the base class: TLS would take the time to say goodbye.
                        socket.socket.shutdown(self.socket, socket.SHUT_RDWR)


class _Watched:
    """A connection whose headers have to arrive within the time-out."""

    watch: Watch

    def getresponse(self) -> Any:
        self.watch.socket = self.sock
        with self.watch.waiting(self.timeout):
            return super().getresponse()


class _Adapter(HTTPAdapter):
    """Makes watched connections."""

    def __init__(self, watch: Watch) -> None:
        plain = type("Plain", (_Watched, HTTPConnection), {"watch": watch})
        secure = type("Secure", (_Watched, HTTPSConnection), {"watch": watch})
        self._pools = {
            "http": type("PlainPool", (HTTPConnectionPool,), {"ConnectionCls": plain}),
            "https": type("SecurePool", (HTTPSConnectionPool,), {"ConnectionCls": secure}),
        }
        super().__init__()

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = self._pools

    def proxy_manager_for(self, *args: Any, **kwargs: Any) -> Any:
        manager = super().proxy_manager_for(*args, **kwargs)
        manager.pool_classes_by_scheme = self._pools
        return manager


class Session(requests.Session):
    """A session that takes no credentials from ``~/.netrc``, and follows no redirect by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.watch = Watch()
        for scheme in ("http://", "https://"):
            self.mount(scheme, _Adapter(self.watch))
        self.headers["User-Agent"] = f"noiseless/{__version__}"
        # Sizes and ranges are those of the file itself, not of a compressed transfer.
        self.headers["Accept-Encoding"] = "identity"

    def get_redirect_target(self, resp: requests.Response) -> None:
        """None: ``requests`` would read the body of a redirect, whatever its size."""

    def redirect_of(self, response: requests.Response) -> str | None:
        """Where an answer redirects to."""
        return super().get_redirect_target(response)

    def close(self) -> None:
        """End all connections, and the watch over them."""
        super().close()
        self.watch.close()


def no_auth(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """No credentials (requests looks into ``~/.netrc`` where it is given nothing)."""
    return request


def shown_host(url: str) -> str:
    """Host and port of an address, without a user's name and password."""
    return urlsplit(url).netloc.rpartition("@")[2]


def connect(
    session: Session,
    url: str,
    headers: dict[str, str],
    auth: Callable[[requests.PreparedRequest], requests.PreparedRequest],
    timeout_s: float,
) -> requests.Response:
    """The server's answer, of which only the headers were read, after all redirects.

    Credentials go to the first host and port alone.  The text of the library's errors is never
    passed on: it holds the address after redirects, which may be signed with a secret.

    Raises
    ------
    Refused, Cut
    """
    for _ in range(MOST_REDIRECTS + 1):
        host = shown_host(url)
        try:
            response = session.get(
                url,
                headers=headers,
                auth=auth,
                stream=True,
                timeout=timeout_s,
                allow_redirects=False,
            )
            target = session.redirect_of(response)
        except requests.Timeout:
            raise Cut(f"no answer from {host} within {timeout_s:g} s.") from None
        except requests.exceptions.SSLError:
            raise Refused(
                f"the certificate of {host} could not be verified. See whether this machine's "
                "clock and certificates are right."
            ) from None
        except (requests.ConnectionError, requests.exceptions.ChunkedEncodingError):
            if session.watch.hung_up:
                raise Cut(f"no answer from {host} within {timeout_s:g} s.") from None
            raise Cut(f"could not connect to {host}. Is there a network?") from None
        except (requests.RequestException, urllib3.exceptions.HTTPError, ValueError):
            raise Refused("it leads to an address that cannot be used.") from None
        if session.watch.hung_up:  # headers that end in the middle look complete
            response.close()
            raise Cut(f"no answer from {host} within {timeout_s:g} s.")
        if target is None:
            return response
        response.close()
        try:
            following = urljoin(url, target)
            if session.should_strip_auth(url, following):
                auth = no_auth
        except ValueError:
            raise Refused("it leads to an address that cannot be used.") from None
        url = following
    raise Refused("it redirects in a circle.")


def check_status(response: requests.Response, mirror: Mirror, *, has_token: bool) -> None:
    """Raise unless the server sends a file."""
    status = response.status_code
    if status in (200, 206):
        if "html" in response.headers.get("Content-Type", "").lower():
            raise Refused(_access_advice(mirror, "it gives a web page", has_token=has_token))
    elif status in (401, 403):
        raise Refused(_access_advice(mirror, f"HTTP {status}", has_token=has_token))
    elif status in (404, 410):
        raise Refused(f"there is no such file any more (HTTP {status}).")
    elif status == 429 or status >= 500:
        raise Cut(f"the server is busy or broken (HTTP {status}).", _retry_after_s(response))
    elif status != 416:  # which Transfer understands
        raise Refused(f"the server answers HTTP {status} instead of the file.")


def _access_advice(mirror: Mirror, found: str, *, has_token: bool) -> str:
    if mirror.kind != "kaggle":
        return (
            f"the server does not give the file ({found}). It may want a login: open the address "
            "in a browser and see."
        )
    owner, slug, _ = kaggle_parts(mirror.url)
    if not has_token:
        return (
            f"Kaggle wants a token ({found}). Make one at https://www.kaggle.com/settings "
            "(API, Create New Token), and set KAGGLE_USERNAME and KAGGLE_KEY, or save it as "
            "~/.kaggle/kaggle.json."
        )
    return (
        f"Kaggle did not accept the token for this file ({found}). Make a new one at "
        "https://www.kaggle.com/settings, and see whether the data set asks you to agree to terms "
        f"at https://www.kaggle.com/datasets/{owner}/{slug}."
    )


def _retry_after_s(response: requests.Response) -> float:
    """Seconds that the server asks to wait; 0 where it does not say or cannot be understood."""
    text = response.headers.get("Retry-After", "").strip()
    try:
        if text.isdecimal():
            return min(float(text), _LONGEST_ASKED_S)
        then = parsedate_to_datetime(text)
        seconds = (then.replace(tzinfo=then.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    except (ValueError, TypeError, OverflowError):
        return 0.0
    return min(max(0.0, seconds), _LONGEST_ASKED_S)


def content_range(response: requests.Response) -> tuple[int | None, int | None, int | None]:
    """First and last byte of a part of a file (HTTP 206), and the size of the complete file."""
    match = re.fullmatch(
        r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18}|\*)",
        response.headers.get("Content-Range", "").strip(),
        re.ASCII,
    )
    if match is None:
        return None, None, None
    return int(match[1]), int(match[2]), None if match[3] == "*" else int(match[3])


def validator_of(response: requests.Response) -> str | None:
    """What names this state of the file for If-Range: a strong ETag, else the date of change."""
    etag = response.headers.get("ETag")
    if etag and not etag.startswith("W/"):
        return etag
    return response.headers.get("Last-Modified")


# --- Kaggle -----------------------------------------------------------------------------------


def kaggle_url(mirror: Mirror, api: str | None) -> str:
    """Address of a file at Kaggle's API, or at the one that ``api`` or the environment names."""
    owner, slug, file = kaggle_parts(mirror.url)
    api = api or os.environ.get("KAGGLE_API_ENDPOINT") or "https://www.kaggle.com"
    return f"{api.rstrip('/')}/api/v1/datasets/download/{owner}/{slug}/{quote(file, safe='')}"


def kaggle_credentials() -> Callable[[requests.PreparedRequest], requests.PreparedRequest] | None:
    """The user's credentials for Kaggle, or None where there are none.

    Looked for in the environment, ``KAGGLE_API_TOKEN`` or ``KAGGLE_USERNAME`` with ``KAGGLE_KEY``,
    then in ``kaggle.json`` in the folder ``KAGGLE_CONFIG_DIR`` (by default ``~/.kaggle``).

    Returns
    -------
    callable or None
        For the ``auth`` of a request.  It does not show the token when printed.

    Raises
    ------
    ConfigError
        If the token or the file cannot be used.  The message has nothing of their content.
    """
    token = os.environ.get("KAGGLE_API_TOKEN", "").strip()
    if token:
        return _bearer(token)
    username, key = os.environ.get("KAGGLE_USERNAME"), os.environ.get("KAGGLE_KEY")
    if not (username and key):
        folder = os.environ.get("KAGGLE_CONFIG_DIR") or Path.home() / ".kaggle"
        path = Path(folder) / "kaggle.json"
        if not path.exists():
            return None
        username, key = _read_kaggle_json(path)
    return HTTPBasicAuth(username.strip().encode(), key.strip().encode())


def _bearer(token: str) -> Callable[[requests.PreparedRequest], requests.PreparedRequest]:
    # The HTTP library would quote a token that it cannot send in its error.
    if not re.fullmatch(r"[!-~]+", token):
        raise ConfigError(
            "The environment variable KAGGLE_API_TOKEN is not a token: it has blanks or special "
            "characters in it. Copy it again from https://www.kaggle.com/settings."
        )

    def authorize(request: requests.PreparedRequest) -> requests.PreparedRequest:
        request.headers["Authorization"] = f"Bearer {token}"
        return request

    return authorize


def _read_kaggle_json(path: Path) -> tuple[str, str]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        username, key = content["username"], content["key"]
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, TypeError, KeyError):
        username = key = None
    if not (isinstance(username, str) and isinstance(key, str) and username and key):
        raise ConfigError(
            f"{path} is not a Kaggle token: it must be JSON with the texts `username` and `key`. "
            "Make a new one at https://www.kaggle.com/settings, or delete the file to go without."
        )
    return username, key
