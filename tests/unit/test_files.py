"""Files that are written whole or not at all."""

import signal
import subprocess
import sys

import pytest

from noiseless.files import remove_unfinished, write_atomically

KILLED = """
import os, signal, sys
from tempfile import TemporaryDirectory
from noiseless.files import write_atomically
with write_atomically(sys.argv[1]) as partial, TemporaryDirectory(
    prefix=".download-", dir=partial.parent
) as folder:
    partial.write_text("half")
    open(f"{folder}/travelled", "w").close()
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_failed_write_leaves_what_was_there(tmp_path):
    target = tmp_path / "deep" / "t.txt"
    with write_atomically(target) as partial:
        partial.write_text("old")

    def fail():
        with write_atomically(target) as partial:
            partial.write_text("new, but")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert target.read_text() == "old"
    assert [each.name for each in target.parent.iterdir()] == ["t.txt"]


@pytest.mark.parametrize("name", ["t.parquet", "t", "t.csv.gz", ".t.json"])
def test_what_a_killed_job_leaves_goes_and_nothing_else_does(tmp_path, name):
    target = tmp_path / "results/deep" / name
    killed = subprocess.run([sys.executable, "-c", KILLED, target])
    assert killed.returncode == -signal.SIGKILL
    left = sorted(target.parent.iterdir())
    assert len(left) == 2
    assert all(each.name.startswith(".") for each in left)
    kept = [".gitignore", "x.12.partial.csv", ".notes.partial.csv", ".download-list", "t.csv"]
    for each in kept:
        (target.parent / each).touch()
    assert sorted(remove_unfinished([tmp_path / "results", tmp_path / "none"])) == left
    assert sorted(each.name for each in target.parent.iterdir()) == sorted(kept)


@pytest.mark.parametrize("name", [".t.{}.partial.csv", ".download-{}-abcdefgh"])
def test_what_another_clone_still_writes_into_a_shared_folder_stays(tmp_path, name):
    with subprocess.Popen(["sleep", "60"]) as other:
        there = tmp_path / name.format(other.pid)
        there.mkdir()
        assert remove_unfinished([tmp_path]) == []
        other.kill()
    assert remove_unfinished([tmp_path]) == [there]
