"""Requests for files on Kaggle: the address at its API, and the user's credentials."""

import json
import os
from base64 import b64encode
from pathlib import Path
from urllib.parse import quote

from noiseless.data.registry import Mirror, parse_kaggle_url
from noiseless.errors import ConfigError
from noiseless.files import is_file


def build_kaggle_request(mirror: Mirror) -> tuple[str, dict[str, str]]:
    """Build the address of a file at Kaggle's API, and the headers with the user's credentials.

    The API is that of ``KAGGLE_API_ENDPOINT``, if it is set. Credentials are looked for in the
    environment, ``KAGGLE_API_TOKEN`` or ``KAGGLE_USERNAME`` with ``KAGGLE_KEY``, then in
    ``access_token`` and in ``kaggle.json`` in the folder ``KAGGLE_CONFIG_DIR`` (by default
    ``~/.kaggle``, or ``~/.config/kaggle`` if neither is there). Without any, there are no headers.
    """
    owner, slug, file = parse_kaggle_url(mirror.url)
    api = os.environ.get("KAGGLE_API_ENDPOINT") or "https://www.kaggle.com"
    url = f"{api.rstrip('/')}/api/v1/datasets/download/{owner}/{slug}/{quote(file, safe='')}"
    if token := os.environ.get("KAGGLE_API_TOKEN", "").strip():
        return url, {"Authorization": f"Bearer {token}"}
    login = os.environ.get("KAGGLE_USERNAME", ""), os.environ.get("KAGGLE_KEY", "")
    folder = _find_folder()
    path = Path(folder, "access_token")
    try:
        if not all(login) and is_file(path):
            token = path.read_text(encoding="ascii").strip()
            if not token.isprintable() or not token:
                raise ValueError("no token")
            return url, {"Authorization": f"Bearer {token}"}
    except (OSError, ValueError):
        raise ConfigError(
            f"{path} cannot be read, or is no Kaggle token: one line. Make a new one at "
            "https://www.kaggle.com/settings, or delete the file."
        ) from None
    path = Path(folder, "kaggle.json")
    if not all(login) and not is_file(path):
        return url, {}
    try:
        if not all(login):
            content = json.loads(path.read_text(encoding="utf-8"))
            login = content["username"], content["key"]
        basic = b64encode(":".join(part.strip() for part in login).encode())
        return url, {"Authorization": f"Basic {basic.decode()}"}
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        raise ConfigError(
            f"{path} cannot be read, or is no Kaggle token: JSON with the texts `username` and "
            "`key`. Make a new one at https://www.kaggle.com/settings, or delete the file."
        ) from None


def _find_folder() -> str:
    """Find the folder of the user's credentials, the first that has some."""
    if chosen := os.environ.get("KAGGLE_CONFIG_DIR"):
        return chosen
    # Where the user has no home, "~" stays as it is.
    usual, other = map(os.path.expanduser, ("~/.kaggle", "~/.config/kaggle"))
    files = ("access_token", "kaggle.json")
    found = {each: any(is_file(Path(each, name)) for name in files) for each in (usual, other)}
    return other if found[other] and not found[usual] else usual
