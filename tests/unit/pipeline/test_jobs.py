"""Scripts: a user's error is one message, a defect keeps its traceback, a kill leaves nothing."""

import os
import signal
import subprocess
import sys
import time

import pytest

BODY = """
import sys, time
from types import SimpleNamespace
from noiseless.errors import DataError
from noiseless.files import complete_file
from noiseless.pipeline.jobs import job

with job(SimpleNamespace(log=["job.log"], rule="a_rule")) as log:
    log.info("at work")
    {work}
"""


@pytest.fixture
def start(root, tmp_path):
    def run(work):
        return subprocess.Popen(
            [sys.executable, "-c", BODY.format(work=work)],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(root / "workflow")},
            stderr=subprocess.PIPE,
            text=True,
        )

    return run


@pytest.fixture
def ended(start, tmp_path):
    """Runs a job to its end: its code, what it printed, and its log."""

    def run(work):
        job = start(work)
        printed = job.communicate()[1]
        return job.returncode, printed, (tmp_path / "job.log").read_text()

    return run


def test_log_says_what_was_done(ended):
    assert ended("pass") == (0, "at work\na_rule: done\n", "at work\na_rule: done\n")


def test_users_error_is_its_message_alone(ended):
    """In the log: the run tells it at its end."""
    log = "at work\nerror: x.csv: is empty.\n"
    assert ended("raise DataError('x.csv: is empty.')") == (1, "at work\n", log)


def test_lack_of_memory_is_one_message(ended):
    code, _, log = ended("import numpy; numpy.empty(10**15)")
    message = log.splitlines()[-1]
    assert message.startswith("error: out of memory (Unable to allocate")
    assert "--set-resources a_rule:mem_mb=8000" in message
    assert code == 1


def test_defect_keeps_its_traceback_in_the_log(ended):
    code, printed, log = ended("1 / 0")
    assert (code, printed) == (1, "at work\n")
    assert "Traceback" in log
    assert "ZeroDivisionError" in log


def test_cancelled_job_leaves_nothing_half_written(start, tmp_path):
    job = start(
        "with complete_file('out.csv') as partial:\n"
        "        partial.write_text('half'); time.sleep(60)"
    )
    deadline = time.monotonic() + 30
    while not list(tmp_path.glob(".out*")) and time.monotonic() < deadline:
        time.sleep(0.05)
    job.send_signal(signal.SIGTERM)
    job.communicate(timeout=30)
    assert job.returncode == 128 + signal.SIGTERM
    assert [path.name for path in tmp_path.iterdir()] == ["job.log"]


@pytest.mark.parametrize(
    ("work", "said"),
    [
        ("open('/dev/full', 'w').write('x' * 10**6)", "error: no room is left on the disk"),
        (
            "raise PermissionError(13, 'Permission denied', 'mine.csv')",
            "error: mine.csv: permission denied. Give this user the right",
        ),
        (
            "raise ImportError('libx.so: failed to map segment from shared object')",
            "error: out of memory (libx.so: failed to map segment",
        ),
        ("raise MemoryError", "error: out of memory. Use a machine with more memory"),
        (
            "raise OSError('not found') from ImportError('Read this:\\n\\n x: out of memory\\n')",
            "error: out of memory (x: out of memory). Use",
        ),
    ],
)
def test_what_a_person_can_mend_is_one_message(ended, work, said):
    code, _, log = ended(work)
    lines = log.splitlines()
    assert (code, len(lines)) == (1, 2)
    assert lines[1].startswith(said)


@pytest.mark.parametrize("work", ["raise OSError('x') from KeyError('out of memory')", "int('no')"])
def test_what_is_no_lack_of_memory_keeps_its_traceback(ended, work):
    assert "Traceback" in ended(work)[2]


# Snakemake writes a line above a script that makes `snakemake`.
SCRIPT = """
import builtins, runpy, sys
from types import SimpleNamespace

builtins.snakemake = SimpleNamespace(log=["job.log"], rule="a_rule", params={{}})
runpy.run_path({script!r})
"""


@pytest.mark.parametrize("name", ["make_tables", "prepare_trips", "judge_claims"])
@pytest.mark.parametrize(
    ("fault", "code", "said"),
    [
        ("raise MemoryError", 1, "error: out of memory. Use a machine with more memory"),
        ("os.kill(os.getpid(), signal.SIGTERM); time.sleep(9)", 128 + signal.SIGTERM, ""),
        ("os.kill(os.getpid(), signal.SIGINT); time.sleep(9)", 128 + signal.SIGINT, ""),
        # As extension modules do, whatever stops their imports.
        (
            "try:\n    os.kill(os.getpid(), signal.SIGINT); time.sleep(9)\n"
            "except SystemExit:\n    raise ImportError('numpy._core failed to import')",
            128 + signal.SIGINT,
            "",
        ),
    ],
)
def test_a_fault_while_a_script_imports_is_no_traceback(root, tmp_path, name, fault, code, said):
    (tmp_path / "numpy.py").write_text(f"import os, signal, time\n{fault}\n")
    paths = os.pathsep.join([str(tmp_path), str(root / "workflow")])
    script = root / "workflow/scripts" / f"{name}.py"
    result = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(script=str(script))],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
    )
    assert result.returncode == code
    assert result.stderr == ""
    log = (tmp_path / "job.log").read_text()
    assert log.startswith(said)
    assert log.count("\n") == bool(said)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small file system")
def test_a_full_file_system_leaves_nothing_half_written(ended, tmp_path):
    small = tmp_path / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", small]).returncode:
        pytest.skip("no file system can be mounted here")
    try:
        code, _, log = ended(
            "with complete_file('small/out.csv') as partial:\n"
            "        partial.write_bytes(bytes(10**6))"
        )
        assert code == 1
        assert log.splitlines()[1].startswith(
            "error: no room is left on the disk, or the quota is used up"
        )
        assert list(small.iterdir()) == []
    finally:
        subprocess.run(["umount", small], check=True)


def test_control_characters_of_data_reach_neither_terminal_nor_log(ended):
    name = r"a\\x1b[2Jb\\nerror: forged\\u202ec\\x07"
    log = ended(f"raise DataError('home {name} is there twice.')".replace("\\\\", "\\"))[2]
    assert log.splitlines()[1:] == [
        r"error: home a\x1b[2Jb",
        r"  error: forged\u202ec\x07 is there twice.",
    ]


@pytest.mark.slow
def test_a_second_signal_does_not_disturb_the_cleaning_up(start, tmp_path):
    job = start(
        "import time\n"
        "    try:\n"
        "        print('ready', file=sys.stderr, flush=True); time.sleep(60)\n"
        "    finally:\n"
        "        time.sleep(1); open('cleaned', 'w').close()"
    )
    while "ready" not in job.stderr.readline():
        pass
    for _ in range(3):
        job.send_signal(signal.SIGTERM)
        time.sleep(0.2)
    job.communicate(timeout=30)
    assert job.returncode == 128 + signal.SIGTERM
    assert (tmp_path / "cleaned").exists()
