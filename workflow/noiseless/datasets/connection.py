"""A connection to a server that may misbehave, and the user's credentials for Kaggle.

What :mod:`noiseless.datasets.download` and :mod:`noiseless.datasets.stream` have in common.
"""

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Protocol
from urllib.parse import quote, urlsplit

import requests
import urllib3
from requests.auth import HTTPBasicAuth

from noiseless import __version__
from noiseless.datasets.registry import Mirror, kaggle_parts
from noiseless.errors import ConfigError

MOST_REDIRECTS = 10
LONGEST_WAIT_S = 60.0  # between two connections, whatever the server asks for


class OnItsWay(Protocol):
    """A file that arrives over as many connections as it takes.

    ``received`` counts its bytes so far; ``validator`` and ``total`` are what the server has said
    about it.
    """

    received: int
    validator: str | None
    total: int | None
    resumable: bool

    def start_over(self) -> None:
        """Forget what has arrived."""


class Refused(Exception):
    """A mirror that will not give the file; trying again would not help."""


class Cut(Exception):
    """A connection that failed; another one may not."""

    def __init__(self, message: str, retry_after_s: float = 0.0) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s


class Session(requests.Session):
    """A session that takes no credentials from ``~/.netrc``, also not after a redirect."""

    def __init__(self) -> None:
        super().__init__()
        self.max_redirects = MOST_REDIRECTS
        self.headers["User-Agent"] = f"noiseless/{__version__}"
        # Sizes and ranges are those of the file itself, not of a compressed transfer.
        self.headers["Accept-Encoding"] = "identity"

    def rebuild_auth(
        self, prepared_request: requests.PreparedRequest, response: requests.Response
    ) -> None:
        """Drop the credentials of a request that is sent on to another host or port."""
        if self.should_strip_auth(response.request.url, prepared_request.url):
            prepared_request.headers.pop("Authorization", None)


def no_auth(request: requests.PreparedRequest) -> requests.PreparedRequest:
    """No credentials (requests looks into ``~/.netrc`` where it is given nothing)."""
    return request


@contextmanager
def connect(
    session: requests.Session,
    url: str,
    auth: Callable[[requests.PreparedRequest], requests.PreparedRequest],
    transfer: OnItsWay,
    timeout_s: float,
) -> Iterator[requests.Response]:
    """The server's answer to a request for what is still missing.

    The text of the library's errors is never passed on: it holds the address after redirects,
    which may be signed with a secret.
    """
    headers = {}
    if transfer.received and transfer.resumable:
        headers["Range"] = f"bytes={transfer.received}-"
        if transfer.validator:
            headers["If-Range"] = transfer.validator
    host = urlsplit(url).netloc
    try:
        response = session.get(url, headers=headers, auth=auth, stream=True, timeout=timeout_s)
    except requests.TooManyRedirects:
        raise Refused("it redirects in a circle.") from None
    except requests.Timeout:
        raise Cut(f"no answer from {host} within {timeout_s:g} s.") from None
    except requests.exceptions.SSLError:
        raise Refused(
            f"the certificate of {host} could not be verified. See whether this machine's clock "
            "and certificates are right."
        ) from None
    except (requests.ConnectionError, requests.exceptions.ChunkedEncodingError):
        raise Cut(f"could not connect to {host}. Is there a network?") from None
    except (requests.RequestException, urllib3.exceptions.HTTPError, ValueError):
        raise Refused("it leads to an address that cannot be used.") from None
    with response:
        yield response


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
    elif status != 416:  # which _receive understands
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
    if text.isdecimal():
        return float(text)
    try:
        then = parsedate_to_datetime(text)
    except ValueError:
        return 0.0
    return max(0.0, (then.replace(tzinfo=then.tzinfo or UTC) - datetime.now(UTC)).total_seconds())


def continues(response: requests.Response, transfer: OnItsWay) -> int | None:
    """Size of the whole file, after making sure that the answer (HTTP 206) continues ours."""
    match = re.fullmatch(
        r"bytes (\d+)-\d+/(\d+|\*)", response.headers.get("Content-Range", "").strip()
    )
    start = int(match[1]) if match else None
    total = int(match[2]) if match and match[2] != "*" else None
    if (
        start != transfer.received
        or (transfer.total is not None and total not in (None, transfer.total))
        or (transfer.validator and validator_of(response) not in (None, transfer.validator))
    ):
        transfer.start_over()
        raise Cut("the file changed while it was being fetched.")
    return total


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
