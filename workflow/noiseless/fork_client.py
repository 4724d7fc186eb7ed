"""Stands before each command of a run that forks its jobs (:mod:`noiseless.forks`).

``python -IS fork_client.py ADDRESS PYTHON SCRIPT``: has the forking process run the script, passes
signals on to it, and ends as it ends.  Any other command, and a script that wants more than one
thread, is run in place of this process.

It imports little, because it is started for every job: not even ``signal`` and ``socket``, whose
enumerations take longer than Python itself, but what is behind them.
"""

import _signal as signal
import _socket as socket
import os
import sys

# As Snakemake says to libraries how many threads a job has.
ONE_THREAD = {
    f"{library}_{number}_THREADS": "1"
    for library, number in (
        *(("OMP", "NUM"), ("GOTO", "NUM"), ("OPENBLAS", "NUM"), ("MKL", "NUM")),
        *(("VECLIB", "MAXIMUM"), ("NUMEXPR", "NUM")),
    )
}
# Of the number that says how many bytes a client sends after it.
LENGTH_BYTES = 8
# Those that end a run early.
SIGNALS = (signal.SIGINT, signal.SIGTERM)
# What the forking process answers first.
STARTED = b"started\n"


def run_forked(address: str, command: list[str]) -> int | None:
    """Have a script run in a fork.

    Parameters
    ----------
    address : str
        Of the forking process's socket.
    command : list of str

    Returns
    -------
    int or None
        How the script ended: its exit status, or minus the number of the signal that ended it.
        None where it was not run: it is not for a fork, or no forking process is there.
    """
    with_one_thread = all(os.environ.get(name) == value for name, value in ONE_THREAD.items())
    if len(command) != 2 or command[0] != sys.executable or not with_one_thread:
        return None
    environment = (name + b"=" + value for name, value in os.environb.items())
    folder = os.getcwdb()  # noqa: PTH109 (pathlib takes longer to import than all the rest)
    asked = b"\0".join([os.fsencode(command[1]), folder, *environment])
    forking = socket.socket(socket.AF_UNIX)
    # Signals wait until it is known whether they are for the script, which may have begun by then.
    signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        forking.connect(address)
        files = b"".join(file.to_bytes(4, sys.byteorder) for file in (0, 1, 2))
        rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, files)
        forking.sendmsg([len(asked).to_bytes(LENGTH_BYTES, "big")], [rights])
        forking.sendall(asked)
        if forking.recv(len(STARTED), socket.MSG_WAITALL) != STARTED:
            return None
        for number in SIGNALS:
            signal.signal(number, lambda number, frame: forking.send(bytes([number])))
    except OSError:
        return None
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)
    ended = b""
    try:
        while more := forking.recv(64):
            ended += more
    except ConnectionError:  # a signal was sent that nobody read
        ended = b""
    if not ended:
        sys.exit("the process that forks this run's jobs was killed: run the same command again")
    return int(ended)


def main(address: str, command: list[str]) -> None:
    """Run a command in a fork or in place of this process."""
    status = run_forked(address, command)
    if status is None:
        os.execvp(command[0], command)
    elif status < 0:
        if -status != signal.SIGKILL:  # which has no handler
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    sys.exit(status)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
