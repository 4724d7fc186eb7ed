import tempfile

from noiseless.data.download import download
from noiseless.data.registry import load_sources
from noiseless.errors import UserError

mirrors = [
    each
    for each in load_sources("config/sources.yaml")
    if each.dataset == "redd" and each.status != "dead"
]
try:
    download(
        mirrors,
        tempfile.mkdtemp() + "/redd.h5",
        max_bytes=10**9,
        attempts=1,
        backoff_s=0.1,
        timeout_s=5,
    )
except UserError as error:
    print("UserError:", error)
