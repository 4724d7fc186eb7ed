"""What a run says at its end."""

import os

import pytest

from noiseless.pipeline.ending import print_failures
from noiseless.pipeline.jobs import MESSAGE_PREFIX


@pytest.fixture
def told(capsys):
    """What a call writes on standard error, its lines without those that are empty."""

    def lines(call, *args):
        call(*args, since_s=1000)
        return [line for line in capsys.readouterr().err.splitlines() if line]

    return lines


def test_each_message_is_told_once_with_its_logs(tmp_path, told):
    logs = {
        "a": f"a warning\n{MESSAGE_PREFIX}no memory\n  line 2\n",
        "b/1": f"{MESSAGE_PREFIX}no memory\n  line 2\n",
        "c": "Traceback (most recent call last):\n  File\nmore\n",  # it went on
        "d": "x\nTraceback (most recent call last):\n  File\n",
        "e": "all well\n",
        "old": f"{MESSAGE_PREFIX}before\n",
    }
    for name, text in logs.items():
        path = tmp_path / f"{name}.log"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    os.utime(tmp_path / "old.log", (999, 999))
    assert told(print_failures, tmp_path) == [
        *(f"{MESSAGE_PREFIX}no memory", "  line 2"),
        f"  Log: {tmp_path}/a.log, {tmp_path}/b/1.log.",
        *("Traceback (most recent call last):", "  File"),
        f"  Log: {tmp_path}/d.log.",
        "Then run the same command again; what is done stays.",
    ]
    assert told(print_failures, tmp_path / "nowhere") == []
