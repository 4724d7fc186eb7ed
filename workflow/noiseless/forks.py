"""Jobs of a run on this machine, as forks of one Python that has imported what most of them need.

Snakemake starts each script in a Python of its own, which imports pandas, SciPy and Matplotlib for
longer than most jobs of a small run take.  :func:`fork_jobs` starts one Python more, which imports
them once, and has Snakemake give it the scripts through :mod:`noiseless.fork_client`.  Each job is
still a process of its own, with its own log, limits and errors: the forking process runs no job
and has a single thread.

A script that wants more threads, another Python, or no Python, is started as always, and so is
every script where the forking process is not there.
"""

import atexit
import gc
import importlib
import io
import os
import runpy
import selectors
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from noiseless import fork_client

# Fewer jobs than this do not repay the imports.
_FEW = 8
# What every job imports, what figures do, and what many tables do.
_IMPORTED = (
    *("snakemake.io", "snakemake.iocontainers", "snakemake.logging", "pandas", "pyarrow.dataset"),
    *("matplotlib.backends.backend_agg", "matplotlib.backends.backend_pdf", "matplotlib.pyplot"),
    *("numba", "scipy.optimize", "scipy.special", "scipy.stats", "sklearn.linear_model", "tqdm"),
    *("jsonschema", "noiseless.tables", "noiseless.figures.style"),
)
# So that the forking process has one thread: pyarrow's allocator has one of its own otherwise.
ENVIRONMENT = {**fork_client.ONE_THREAD, "JE_ARROW_MALLOC_CONF": "background_thread:false"}


def fork_jobs(workflow: Any) -> None:
    """Have the run that begins fork its jobs, where they are many and run on this machine.

    Parameters
    ----------
    workflow : snakemake.workflow.Workflow
        In ``onstart``, when the jobs are known.
    """
    # The client stands before each command, and a command of a shell may be no single program.
    scripts_alone = not any(rule.shellcmd for rule in workflow.rules)
    few = sum(1 for _ in workflow.dag.needrun_jobs()) < _FEW
    if sys.platform != "linux" or few or not (workflow.local_exec and scripts_alone):
        return
    from snakemake.shell import shell

    # Relative, because a socket's path has at most 107 bytes; jobs are started in this folder.
    address = f".snakemake/forks-{os.getpid()}"
    try:
        forking = start_forking(address)
    except OSError:  # a file system without sockets: jobs are started as always
        return
    atexit.register(forking.communicate)  # ends it, and waits until it has
    client = shlex.join([sys.executable, "-IS", fork_client.__file__, address])
    # Snakemake formats a prefix like a command.
    shell.prefix("set -euo pipefail; " + client.replace("{", "{{").replace("}", "}}"))


def start_forking(address: str) -> subprocess.Popen:
    """Start a forking process.

    Parameters
    ----------
    address : str
        Where clients find it: a socket for this user alone, which takes them from now on.

    Returns
    -------
    subprocess.Popen
        It ends when its standard input does, at the latest with this process, and when its jobs
        have ended.  Ctrl-C reaches its jobs through their clients alone.

    Raises
    ------
    OSError
        If there can be no socket.
    """
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        Path(address).chmod(0o600)
        listener.listen(128)
        return subprocess.Popen(
            [sys.executable, "-m", "noiseless.forks", address, str(listener.fileno())],
            stdin=subprocess.PIPE,
            env=os.environ | ENVIRONMENT,
            pass_fds=[listener.fileno()],
            start_new_session=True,
        )


class Forking:
    """The forking process: its clients and their jobs.

    Parameters
    ----------
    listener : socket.socket
        Takes clients.
    """

    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self._jobs: dict[int, socket.socket] = {}
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        self._ended, self._wakes = socket.socketpair()
        self._wakes.setblocking(False)
        signal.set_wakeup_fd(self._wakes.fileno(), warn_on_full_buffer=False)
        self._events = selectors.DefaultSelector()
        for file in (self._listener, self._ended, sys.stdin):
            self._events.register(file, selectors.EVENT_READ)

    def next_script(self) -> str | None:
        """Fork a job for each client.

        Returns
        -------
        str or None
            In each fork, the script that it is to run.  In the forking process None, once standard
            input and all jobs have ended.
        """
        ending = False
        while self._jobs or not ending:
            for key, _ in self._events.select():
                if key.fileobj is sys.stdin:
                    self._events.unregister(sys.stdin)
                    ending = True
                elif key.fileobj is self._ended:
                    self._ended.recv(4096)
                    self._tell_ends()
                elif key.fileobj is not self._listener:
                    self._pass_on(key.data)
                elif script := self._start(self._listener.accept()[0]):
                    return script
        return None

    def _start(self, client: socket.socket) -> str | None:
        """Fork a client's job; the script in the fork, None in the forking process."""
        left, asked = 0, b""
        files: list[int] = []
        with suppress(ConnectionError):
            length, files, _, _ = socket.recv_fds(client, fork_client.LENGTH_BYTES, 3)
            left = int.from_bytes(length, "big")
            while left and (more := client.recv(left)):
                asked, left = asked + more, left - len(more)
        child = os.fork() if asked and not left else None  # else the client was killed meanwhile
        if child == 0:
            client.close()
            return self._become(asked, files)
        for file in files:
            os.close(file)
        if child is None:
            client.close()
            return None
        with suppress(ConnectionError):  # of a client killed now, whose job is killed below
            client.sendall(fork_client.STARTED)
        self._jobs[child] = client
        self._events.register(client, selectors.EVENT_READ, child)
        return None

    def _become(self, asked: bytes, files: list[int]) -> str:
        """In a fork: take on the client's environment, folder and files."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        self._events.close()
        for each in (self._listener, self._ended, self._wakes, *self._jobs.values()):
            each.close()
        for number, file in enumerate(files):
            os.dup2(file, number)
            os.close(file)
        script, folder, *environment = asked.split(b"\0")
        os.chdir(folder)
        os.environb.clear()
        for variable in environment:
            name, _, value = variable.partition(b"=")
            os.environb[name] = value
        # What the forks would share: the folder for temporary files, and noise that has no key.
        tempfile.tempdir = None
        np.random.seed()  # noqa: NPY002 (of those who use it)
        return os.fsdecode(script)

    def _tell_ends(self) -> None:
        """Tell clients how their jobs have ended."""
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                child, status = ended
                client = self._jobs.pop(child)
                if client.fileno() >= 0:
                    self._events.unregister(client)
                    with suppress(ConnectionError):
                        client.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))
                    client.close()

    def _pass_on(self, child: int) -> None:
        """Give a job the signals that its client gets; kill the job where the client was killed."""
        if child not in self._jobs:  # ended in this round
            return
        client = self._jobs[child]
        numbers = b""
        with suppress(ConnectionError):
            numbers = client.recv(64)
        for number in numbers or [signal.SIGKILL]:
            os.kill(child, number)
        if not numbers:
            self._events.unregister(client)
            client.close()


def _nothing() -> None:
    """What is compiled to have numba ready."""


def _prepare() -> None:
    """Do once what is slow the first time in each process, so that the forks find it done."""
    # Numba loads what it knows of functions when it first compiles one.
    importlib.import_module("numba").njit(_nothing)()
    # Matplotlib finds fonts, and learns to read formulas; a PDF needs what reads a font's tables.
    from noiseless.figures.style import new_figure, style

    with style():
        figure, (axis,) = new_figure()
        axis.set_title("$n$")
        for format_ in ("png", "pdf"):
            figure.savefig(io.BytesIO(), format=format_)


def _end() -> None:
    """End a fork as Python ends, but let the system free its memory.

    Python frees each object, and so writes to, and copies, most of what the forks share.
    """
    if threading.active_count() == 1:  # else Python waits for the others
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


def main(address: str, listener: socket.socket) -> None:
    """Fork jobs; in a fork, run its script as Python does."""
    forking, own = Forking(listener), os.getpid()
    try:
        # A job is started as always, and says itself what it lacks, where this process cannot be:
        # where something is missing, or has started a thread, which a fork would not have.
        try:
            for name in _IMPORTED:
                importlib.import_module(name)
            _prepare()
        except (ImportError, MemoryError, OSError):
            return
        if len(list(Path("/proc/self/task").iterdir())) > 1:
            return
        # Else the collector's next run in each fork writes to, and so copies, all that they share.
        gc.collect()
        gc.freeze()
        script = forking.next_script()
    finally:
        if os.getpid() == own:
            Path(address).unlink(missing_ok=True)
    if script is not None:
        sys.argv[:] = [script]
        sys.path[0] = str(Path(script).parent)
        runpy.run_path(script, run_name="__main__")
        _end()


if __name__ == "__main__":
    main(sys.argv[1], socket.socket(fileno=int(sys.argv[2])))
