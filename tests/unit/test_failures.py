"""What a run says of its failed jobs."""

import logging

import pytest
from snakemake_interface_logger_plugins.common import LogEvent

from noiseless.failures import Failures, last_message

MESSAGE = "error: rides.csv, line 7: 'north' is not a number.\n  One of 3."


def record(text="", **words):
    made = logging.LogRecord("snakemake", logging.ERROR, "", 0, text, (), None)
    vars(made).update(words)
    return made


def failed(*logs):
    return record("Error in rule x", event=LogEvent.JOB_ERROR, rule_name="x", log=list(logs))


@pytest.fixture
def logs(tmp_path):
    texts = {
        "mine": f"reading\n{MESSAGE}\n",
        "again": f"{MESSAGE}\n",
        "defect": f"{MESSAGE}\nTraceback (most recent call last):\nZeroDivisionError\n",
        "killed": "reading\n",
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.log").write_text(text)
    return {name: str(tmp_path / f"{name}.log") for name in [*texts, "absent"]}


def test_a_log_ends_in_a_message_or_in_something_else(logs):
    assert last_message(logs["mine"]) == last_message(logs["again"]) == MESSAGE
    assert last_message(logs["defect"]) is None
    assert last_message(logs["killed"]) is None
    assert last_message(logs["absent"]) is None


def test_a_message_is_told_once_at_the_end_and_a_defect_stays(logs, capsys):
    failures = Failures()
    shown = [failures.filter(failed(logs[name])) for name in ("mine", "again", "defect", "killed")]
    assert shown == [False, False, True, True]
    assert not failures.filter(
        record("WorkflowError:\nAt least one job did not complete successfully.")
    )
    assert failures.filter(record("Building DAG of jobs..."))
    assert failures.filter(record("WorkflowError in file Snakefile:\ndata.london: tier is local"))
    failures.tell()
    said = capsys.readouterr().err
    assert said.count(MESSAGE) == 1
    assert f"Rule and log: x ({logs['mine']}), x ({logs['again']})." in said
    assert logs["defect"] not in said


def test_jobs_of_a_group_are_told_likewise_and_success_says_nothing(logs, capsys):
    failures = Failures()
    jobs = [{"rule_name": name, "log": [logs[name]]} for name in ("killed", "mine")]
    assert not failures.filter(record("Error in group", job_error_info=jobs))
    failures.tell()
    assert f"Rule and log: mine ({logs['mine']})." in capsys.readouterr().err
    Failures().tell()
    assert capsys.readouterr().err == ""
