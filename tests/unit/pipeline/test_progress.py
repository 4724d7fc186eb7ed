"""How long a run still takes: by the seconds of the last run, or by the jobs that are done."""

import logging

import pytest

from noiseless.pipeline.progress import _TimeLeftHandler, format_time_left, print_time_left


@pytest.fixture
def clock():
    now = [100.0]

    def read():
        return now[0]

    read.advance = lambda seconds: now.__setitem__(0, now[0] + seconds)
    return read


def finish(handler, job):
    """What Snakemake's logger says when a job has ended."""
    for said in ({"event": "job_finished", "job_id": job}, {"event": "progress"}):
        handler.handle(logging.makeLogRecord({"levelno": logging.INFO, **said}))


def test_the_rest_takes_as_long_for_its_share_as_what_is_done(clock):
    said = []
    handler = _TimeLeftHandler({1: 10.0, 2: 20.0, 3: 270.0}, said.append, clock)
    clock.advance(20)
    finish(handler, 1)  # 10 of 300 s are too few
    assert said == []
    clock.advance(40)
    finish(handler, 2)  # 30 s of the last run took 60 now
    assert said == ["about 9 minutes left"]
    finish(handler, 3)
    assert len(said) == 1  # nothing is left


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (59.9, "less than a minute left"),
        (60, "about 1 minute left"),
        (100, "about 2 minutes left"),
        (7_199, "about 120 minutes left"),
        (9_100, "about 3 hours left"),
    ],
)
def test_a_time_is_said_in_minutes_or_hours(seconds, said):
    assert format_time_left(seconds) == said


@pytest.mark.parametrize("damaged", ["", "run_time_s\nno number\n", "cpu_time_s\n3\n", None])
def test_seconds_of_the_last_run_are_read_where_they_are(tmp_path, damaged):
    """A job without a readable record counts as the mean of the others."""
    (tmp_path / "known.tsv").write_text("run_time_s\tcpu_time_s\n30\t40\n")
    if damaged is not None:
        (tmp_path / "damaged.tsv").write_text(damaged)
    logger = logging.Logger("a run's")
    logs = {1: str(tmp_path / "known.log"), 2: str(tmp_path / "damaged.log"), 3: None}
    print_time_left(logger, logs, quietness="progress")
    (handler,) = logger.handlers
    assert handler._left_s == {1: 30.0, 2: 30.0, 3: 30.0}


def test_what_a_run_says_belongs_to_its_progress():
    logger = logging.Logger("a run's")
    records = []
    print_time_left(logger, {1: None, 2: None}, quietness="progress")
    collector = logging.Handler()
    collector.emit = records.append
    logger.addHandler(collector)
    finish(logger, 1)
    lines = [each for each in records if not hasattr(each, "event")]
    assert [(each.getMessage(), each.quietness) for each in lines] == [
        ("less than a minute left", "progress")
    ]
