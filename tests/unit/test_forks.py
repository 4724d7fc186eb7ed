"""Jobs as forks of one Python: each is as if Python had been started for it."""

import os
import resource
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from snakemake.shell import shell

from noiseless import fork_client, forks

ADDRESS = "forks"
KILLED = "the process that forks this run's jobs was killed: run the same command again"
pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="runs fork their jobs on Linux alone"
)


@contextmanager
def started(folder, package):
    """A forking process in a folder."""
    with pytest.MonkeyPatch.context() as here:
        here.chdir(folder)
        here.setenv("PYTHONPATH", str(package))
        process = forks.start_forking(ADDRESS)
    yield process
    process.kill()
    process.communicate()


@pytest.fixture
def start(package, tmp_path):
    """Starts a forking process in the test's folder, which ends with the test."""
    with ExitStack() as until_then:
        yield lambda: until_then.enter_context(started(tmp_path, package))


@pytest.fixture(scope="module")
def package():
    return Path(fork_client.__file__).parents[1]


@pytest.fixture(scope="module")
def shared(package, tmp_path_factory):
    """A forking process in a folder of its own: its imports take longer than a test."""
    folder = tmp_path_factory.mktemp("shared")
    with started(folder, package) as process:
        yield folder, process


@pytest.fixture
def forking(shared, tmp_path):
    """The forking process that tests share, found in the test's folder."""
    folder, process = shared
    (tmp_path / ADDRESS).symlink_to(folder / ADDRESS)
    assert process.poll() is None
    return process


def wait_for(what):
    end = time.monotonic() + 60
    while not what():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.fixture
def ask(tmp_path):
    """Starts clients, each with a script."""
    clients = []

    def ask(text, python=sys.executable, **environment):
        script = tmp_path / "scripts" / "script.py"
        script.parent.mkdir(exist_ok=True)
        script.write_text(text, encoding="utf-8")
        clients.append(
            subprocess.Popen(
                [sys.executable, "-IS", fork_client.__file__, ADDRESS, python, script],
                cwd=tmp_path,
                env=os.environ | fork_client.ONE_THREAD | environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        )
        return clients[-1]

    yield ask
    for client in clients:
        client.kill()
        client.communicate()


def test_a_script_is_a_fork_with_one_thread(forking, tmp_path, ask):
    text = "import os, sys; print(os.getppid(), 'pandas' in sys.modules)"
    printed, _ = ask(text).communicate(timeout=60)
    assert printed == f"{forking.pid} True\n"
    assert len(list(Path(f"/proc/{forking.pid}/task").iterdir())) == 1


def test_only_this_user_can_ask_for_a_fork(forking, tmp_path):
    assert (tmp_path / ADDRESS).stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("forked", [True, False])
def test_a_script_finds_the_same_in_a_fork(request, tmp_path, forked, ask):
    if forked:
        request.getfixturevalue("forking")
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "beside.py").write_text("found = 'beside'")
    text = """
import os, sys, tempfile, beside
print(__name__, __file__, sys.argv, sys.path[0], beside.found, os.getcwd(), os.environ["A"])
print(sorted(set(os.environ) - set(os.environ["OTHERS"].split())), tempfile.gettempdir())
print(sys.stdin.read(), file=sys.stderr)
print(sorted(int(name) for name in os.listdir("/proc/self/fd"))[:4])
"""
    others = " ".join([*os.environ, *fork_client.ONE_THREAD])
    (tmp_path / "temporary").mkdir()
    folder = str(tmp_path / "temporary")
    client = ask(text, A="x=y\n", OTHERS=others, TMPDIR=folder)
    printed, errors = client.communicate("given", timeout=60)
    script = tmp_path / "scripts" / "script.py"
    added = sorted({"A", "OTHERS", "TMPDIR"} - set(os.environ))
    assert printed == (
        f"__main__ {script} {[str(script)]} {script.parent} beside {tmp_path} x=y\n\n"
        f"{added} {folder}\n[0, 1, 2, 3]\n"
    )
    assert errors == "given\n"
    assert client.returncode == 0


@pytest.mark.parametrize(
    ("text", "status", "says"),
    [
        ("raise SystemExit(3)", 3, ""),
        ("raise SystemExit('a message')", 1, "a message\n"),
        ("import atexit; atexit.register(print, 'at the end')", 0, ""),
        (
            "import threading\nthreading.Timer(0.3, lambda: print('at the end')).start()",
            0,
            "",
        ),
        ("print('at the end')", 0, ""),
        ("1 / 0", 1, "ZeroDivisionError"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL, ""),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", -signal.SIGSEGV, ""),
        ("import os; os._exit(255)", 255, ""),
    ],
)
def test_a_client_ends_as_its_script(forking, tmp_path, text, status, says, ask):
    client = ask(text)
    printed, errors = client.communicate(timeout=60)
    assert client.returncode == status
    assert says in errors
    assert bool(errors) == bool(says)
    assert printed == ("at the end\n" if "at the end" in text else "")


def test_scripts_at_the_same_time_end_each_by_itself(forking, tmp_path, ask):
    text = "import os, time; time.sleep(float(os.environ['S'])); print(os.environ['S'])"
    clients = {s: ask(text, S=s) for s in ("0.6", "0.3", "0")}
    for s, client in clients.items():
        assert client.communicate(timeout=60) == (f"{s}\n", "")


def test_noise_without_a_key_is_not_shared(forking, tmp_path, ask):
    text = """
import random, secrets, numpy as np
print(random.random(), np.random.random(), np.random.default_rng().random(), secrets.token_hex(8))
"""
    lines = [ask(text).communicate(timeout=60)[0].split() for _ in range(3)]
    for numbers in zip(*lines, strict=True):
        assert len(set(numbers)) == 3


WAITS = """
import signal, sys, time
def stop(number, frame):
    print("stopped by", number, flush=True)
    time.sleep(0.3)
    sys.exit(7)
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, stop)
open("waits", "w").close()
time.sleep(60)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_reaches_the_script_which_unwinds_before_its_client_ends(
    forking, tmp_path, number, ask
):
    client = ask(WAITS)
    wait_for((tmp_path / "waits").exists)
    client.send_signal(number)
    assert client.communicate(timeout=60) == (f"stopped by {number.value}\n", "")
    assert client.returncode == 7


@pytest.mark.parametrize("number", fork_client.SIGNALS)
@pytest.mark.parametrize("has_started", [True, False])
def test_a_signal_before_the_client_knows_that_its_script_runs_is_not_lost(
    tmp_path, monkeypatch, number, has_started, ask
):
    """A script may run for a while before its client is told that it does."""
    client, asking = asked(tmp_path, monkeypatch, ask)
    with asking:
        client.send_signal(number)
        if has_started:
            asking.sendall(fork_client.STARTED)
            assert asking.recv(64) == bytes([number])
            asking.sendall(b"7\n")
    printed, _ = client.communicate(timeout=60)
    assert (printed, client.returncode) == ("", 7 if has_started else -number)


def test_a_forking_process_that_is_killed_before_it_reads_a_signal_is_said(
    tmp_path, monkeypatch, ask
):
    client, asking = asked(tmp_path, monkeypatch, ask)
    with asking:
        client.send_signal(signal.SIGTERM)
        asking.sendall(fork_client.STARTED)
        assert asking.recv(64, socket.MSG_PEEK)
    _, errors = client.communicate(timeout=60)
    assert errors.strip() == KILLED
    assert client.returncode == 1


def asked(folder, monkeypatch, ask):
    """A client, and the connection over which it has asked for a fork."""
    monkeypatch.chdir(folder)  # a socket's path is short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(ADDRESS)
        listener.listen()
        listener.settimeout(60)
        client = ask("print('ran')")
        asking, _ = listener.accept()
    asking.settimeout(60)
    length, files, _, _ = socket.recv_fds(asking, fork_client.LENGTH_BYTES, 3)
    for file in files:
        os.close(file)
    assert len(asking.recv(int.from_bytes(length, "big"), socket.MSG_WAITALL)) > 0
    return client, asking


def test_a_script_is_killed_with_its_client(forking, tmp_path, ask):
    client = ask(f"import os; open('pid', 'w').write(str(os.getpid()))\n{WAITS}")
    wait_for((tmp_path / "waits").exists)
    script = Path(f"/proc/{(tmp_path / 'pid').read_text()}")
    assert script.exists()
    client.kill()
    wait_for(lambda: not script.exists())
    printed, _ = ask("print('still forks')").communicate(timeout=60)
    assert printed == "still forks\n"


def test_clients_killed_at_any_moment_do_not_disturb_the_others(
    forking, ask, tmp_path, monkeypatch
):
    """Each of these ends before it has read that its job was started."""
    monkeypatch.chdir(tmp_path)  # a socket's path is short
    other = ask(WAITS)
    wait_for((tmp_path / "waits").exists)
    job = b"\0".join([bytes(tmp_path / "scripts" / "script.py"), bytes(tmp_path)])
    asked = len(job).to_bytes(fork_client.LENGTH_BYTES, "big")
    for sent in (b"", asked, asked + job[:5], asked + job):
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(ADDRESS)
            if sent:
                socket.send_fds(client, [sent[: len(asked)]], [0, 1, 2])
                client.sendall(sent[len(asked) :])
    assert forking.poll() is None
    other.terminate()
    assert other.communicate(timeout=60) == (f"stopped by {signal.SIGTERM.value}\n", "")


@pytest.mark.slow
def test_the_forking_process_ends_with_its_run_and_the_last_job(start, tmp_path, ask):
    forking = start()
    client = ask("open('waits', 'w').close(); import time; time.sleep(1); print('done')")
    wait_for((tmp_path / "waits").exists)
    forking.stdin.close()
    assert client.communicate(timeout=60) == ("done\n", "")
    assert forking.wait(60) == 0
    assert not (tmp_path / ADDRESS).exists()


@pytest.mark.slow
def test_a_killed_forking_process_is_said(start, tmp_path, ask):
    forking = start()
    client = ask("open('waits', 'w').close(); import time; time.sleep(2)")
    wait_for((tmp_path / "waits").exists)
    forking.kill()
    _, errors = client.communicate(timeout=60)
    assert errors.strip() == KILLED
    assert client.returncode == 1


def test_a_folder_that_can_have_no_socket_forks_no_jobs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # without `.snakemake`, where the socket would be
    dag = SimpleNamespace(needrun_jobs=lambda: range(100))
    forks.fork_jobs(SimpleNamespace(rules=[], dag=dag, local_exec=True))
    assert not shell._process_prefix
    assert not list(tmp_path.iterdir())


PARENT = "import os; print(os.getppid() == int(os.environ['TEST']))"


@pytest.mark.parametrize("case", ["nobody", "stale", "threads", "python"])
def test_what_is_not_for_a_fork_is_started_as_always(request, tmp_path, case, ask):
    environment, python = {}, sys.executable
    if case in ("threads", "python"):
        request.getfixturevalue("forking")
    if case == "stale":
        process = request.getfixturevalue("start")()
        process.kill()
        process.wait()
        assert (tmp_path / ADDRESS).exists()
    if case == "threads":
        environment["OMP_NUM_THREADS"] = "2"
    if case == "python":
        python = tmp_path / "python"
        python.symlink_to(sys.executable)
    client = ask(PARENT, python=str(python), TEST=str(os.getpid()), **environment)
    assert client.communicate(timeout=60) == ("True\n", "")


def test_a_forking_process_that_lacks_memory_leaves_it_to_the_jobs_to_say_so(
    start, ask, tmp_path, capfd
):
    limits = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (400_000_000, limits[1]))
    try:
        forking = start()
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limits)
    client = ask(PARENT, TEST=str(os.getpid()))
    assert client.communicate(timeout=60) == ("True\n", "")
    assert forking.wait(60) == 0
    assert capfd.readouterr().err == ""
    assert not (tmp_path / ADDRESS).exists()


RULES = """
from noiseless.forks import fork_jobs

onstart:
    fork_jobs(workflow)

rule all:
    input: [f"{{k}}.txt" for k in range({jobs})]

rule one:
    output: "{{k}}.txt"
    log: "{{k}}.log"
    script: "parent.py"
{more}
"""
SHELL = """
rule shell:
    output: "shell"
    shell: "a=1; touch {output}"
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("jobs", "more", "forked"), [(8, "", True), (3, "", False), (8, SHELL, False)]
)
def test_runs_of_many_scripts_on_this_machine_fork_them(tmp_path, package, jobs, more, forked):
    folder = tmp_path / "a folder {with} 'names'"
    folder.mkdir()
    (folder / "Snakefile").write_text(RULES.format(jobs=jobs, more=more))
    (folder / "parent.py").write_text(
        "import os\n"
        "command = open(f'/proc/{os.getppid()}/cmdline').read()\n"
        "open(snakemake.output[0], 'w').write(command)\n"
    )
    run = subprocess.run(
        [Path(sys.executable).with_name("snakemake"), "--cores", "2"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(package)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stderr
    parents = [path.read_text() for path in folder.glob("*.txt")]
    assert ["noiseless.forks" in parent for parent in parents] == [forked] * jobs
    assert list((folder / ".snakemake").glob("forks*")) == []
