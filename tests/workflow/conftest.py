"""A copy of the project to run its workflow in, and the smoke run of it."""

import fcntl
import os
import shutil
import subprocess
import sys
from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from compiled_copies import copy_compiled
from earlier_run import copy_smoke_run, find_smoke_run
from forked_snakemake import run_snakemake
from interrupted import remove_table
from misbehaving_server import misbehaving_server
from tracked_files import copy_tracked

BIN = Path(sys.executable).parent
PACKAGE = "workflow/noiseless"
USER, TOKEN = "someone", "sesame-open-up"
TIMEOUT_S = 3600  # a whole run takes two minutes on a machine of its own


@dataclass(frozen=True)
class Checkout:
    """A working copy of the project that a test may change."""

    path: Path

    def copy(self, folder: Path) -> "Checkout":
        """The same with all it has made, in a folder that is not there yet."""
        copy = Checkout(shutil.copytree(self.path, folder, symlinks=True))
        copy_compiled(self.path / PACKAGE, copy.path / PACKAGE)
        return copy

    def assert_token_is_nowhere(self, output: str) -> None:
        """Fails if the token of Kaggle is in an output, or in a file that a run has left here.

        Neither as it is nor as requests carry it, with the name before it.
        """
        secrets = TOKEN.encode(), b64encode(f"{USER}:{TOKEN}".encode())
        assert not any(secret in output.encode() for secret in secrets)
        for folder in ("logs", "results", "data"):
            for path in (self.path / folder).rglob("*"):
                if path.is_file():
                    content = path.read_bytes()
                    assert not any(secret in content for secret in secrets), path

    def run(self, *command: str, succeeds: bool = True, **environment: str) -> str:
        """Run a command here; its output, after a check that it succeeded or failed."""
        paths = os.pathsep.join([str(BIN), os.environ["PATH"]])
        environment = {**os.environ, "PATH": paths, **environment}
        if Path(command[0]).name == "snakemake":
            code, output = run_snakemake(
                command[1:], folder=self.path, environment=environment, timeout_s=TIMEOUT_S
            )
        else:
            result = subprocess.run(
                command,
                cwd=self.path,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=TIMEOUT_S,
            )
            code, output = result.returncode, result.stdout
        assert (code == 0) == succeeds, output
        return output

    def snakemake(self, *arguments: str, cores: int = 2, succeeds: bool = True) -> str:
        """Run Snakemake here with the project's default profile."""
        return self.run(
            "snakemake",
            "--workflow-profile",
            "workflow/profiles/default",
            "--cores",
            str(cores),
            *arguments,
            succeeds=succeeds,
        )

    def smoke(
        self, *arguments: str, target: str = "smoke", config: dict | None = None, **options
    ) -> str:
        """The smoke run or one target of it, with some keys of its configuration overridden."""
        files = ["config/smoke.yaml"]
        if config:
            (self.path / "my.yaml").write_text(yaml.safe_dump(config))
            files.append("my.yaml")
        return self.snakemake(target, *arguments, "--configfile", *files, **options)


@pytest.fixture(scope="session")
def make_checkout(root, tmp_path_factory):
    """Copy what git would commit into a new folder, and what was slowly compiled of it."""

    def make(name: str) -> Checkout:
        target = tmp_path_factory.mktemp(name)
        copy_tracked(root, target)
        for compiled in (root / "workflow").rglob("__pycache__"):
            shutil.copytree(compiled, target / compiled.relative_to(root))
        copy_compiled(root / PACKAGE, target / PACKAGE)
        return Checkout(target)

    return make


@pytest.fixture(scope="session")
def smoke_run(root, make_checkout, tmp_path_factory) -> Checkout:
    """A checkout after its smoke run on two cores, which all workers look at and none changes.

    It goes on from the smoke run of this clone, or of the folder that SMOKE_RUN names.
    """
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    place = shared / "smoke_run"
    with (shared / "smoke_run.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not place.is_symlink():
            checkout = make_checkout("smoke")
            if before := find_smoke_run(root, os.environ):
                copy_smoke_run(before, checkout.path)
            checkout.smoke()
            place.symlink_to(checkout.path)
    return Checkout(place.resolve())


@pytest.fixture
def smoked(smoke_run, tmp_path) -> Checkout:
    """A copy of the smoke run that a test may change: only what it touches runs again."""
    return smoke_run.copy(tmp_path / "smoked")


@pytest.fixture
def one_left(smoked):
    """The smoke run, but for one table."""
    remove_table(smoked)
    return smoked


@pytest.fixture
def fresh(make_checkout) -> Checkout:
    """A checkout in which nothing has run."""
    return make_checkout("fresh")


@pytest.fixture(scope="session")
def slurm(root):
    """A Slurm of one node on this machine, for as long as the tests run."""
    as_root = [] if os.geteuid() == 0 else ["sudo", "-n"]
    may = not as_root or (
        shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"]).returncode == 0
    )
    if shutil.which("slurmctld") is None or not may:
        pytest.skip("no Slurm here: as root, tests/slurm/single_node.sh install")
    script = root / "tests" / "slurm" / "single_node.sh"

    def call(action):
        # Its daemons would keep a pipe open: no output is captured.
        command = [*as_root, "bash", script, action]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL, timeout=120)

    call("up")
    yield
    call("down")


@pytest.fixture(scope="module")
def kaggle():
    """A stand-in for Kaggle, with a token that must not be seen anywhere."""
    with pytest.MonkeyPatch.context() as environment, misbehaving_server() as server:
        environment.setenv("KAGGLE_USERNAME", USER)
        environment.setenv("KAGGLE_KEY", TOKEN)
        environment.setenv("KAGGLE_API_ENDPOINT", server.url("").rstrip("/"))
        yield server
