"""Scripts: a user's error is one message, a defect keeps its traceback, a kill leaves nothing."""

import json
import os
import signal
import subprocess
import sys
import time

import matplotlib.image
import pandas as pd
import pytest

from noiseless.errors import ConfigError, DataError, TooSmallError
from noiseless.files import compute_file_sha256
from noiseless.pipeline.jobs import Job, run_job
from noiseless.tables import Provenance, derive_provenance, read_table, write_table
from script_calls import given
from toy_statements import GRID, REAL, SAMPLE, toy_count, toy_draw, toy_figure

BODY = """
import logging, sys, time
from types import SimpleNamespace
from noiseless.errors import DataError
from noiseless.files import write_atomically
from noiseless.pipeline.jobs import run_job

given = SimpleNamespace(log=["job.log"], rule="a_rule", params={{}}, wildcards={{}})
with run_job(given):
    logging.getLogger("noiseless").info("at work")
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
        "with write_atomically('out.csv') as partial:\n"
        "        partial.write_text('half'); time.sleep(60)"
    )
    deadline = time.monotonic() + 30
    while not list(tmp_path.glob(".out*")) and time.monotonic() < deadline:
        time.sleep(0.05)
    job.send_signal(signal.SIGTERM)
    job.communicate(timeout=300)
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

builtins.snakemake = SimpleNamespace(
    log=["job.log"], rule="a_rule", params={{}}, wildcards={{}}, config={{}}
)
runpy.run_path({script!r})
"""


@pytest.mark.parametrize(
    "name", ["knowledge/theory", "data/nyc_taxi", "statements/judge_statements"]
)
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
            "with write_atomically('small/out.csv') as partial:\n"
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
    job.communicate(timeout=300)
    assert job.returncode == 128 + signal.SIGTERM
    assert (tmp_path / "cleaned").exists()


# What a job reads and writes -------------------------------------------------------------------


@pytest.fixture
def rule(tmp_path):
    """What a rule of a toy's gives its script, with some parameters."""
    made = derive_provenance({"data": {"toy": {"year": 2013}}}, "c0de", sources=[REAL])
    write_table(GRID.assign(home=list("abcdef")), tmp_path / "readings.parquet", made)

    def rule_of(results="results", outputs=("t",), **params):
        folder = tmp_path / results / "tables" / "toy"
        folder.mkdir(parents=True, exist_ok=True)
        return given(
            log=str(tmp_path / "job.log"),
            config={"toy": {"n": 3}, "data": {}, "homes": {}},
            input={"homes": str(tmp_path / "readings.parquet")},
            output={name: str(folder / f"{name}.parquet") for name in outputs},
            params={"code": "c0ffee" * 3, **params},
            wildcards={"results": results},
        )

    return rule_of


def recorded(path):
    """Settings that a table records, by their full names."""
    return dict(json.loads(read_table(path)[1].settings))


def test_a_table_records_its_settings_and_those_behind_it_by_their_full_names(rule):
    asked = rule(seed=3, n=4, box={"side_cm": 2, "form": {"round": True}}, homes={"a": {"k": 1}})
    this = Job(asked)
    assert len(this.load_table("homes")) == len(this.load_table("readings")) == 6
    this.save({"t": toy_draw(seed=3)})
    assert recorded(asked.output.t) == {
        "data.toy.year": 2013,
        "homes.a.k": 1,
        "seed": 3,
        "toy.box.form.round": True,
        "toy.box.side_cm": 2,
        "toy.n": 4,
    }
    provenance = read_table(asked.output.t)[1]
    assert provenance.sources == (REAL,)
    assert provenance.version.endswith("+c0ffeec0")
    before = provenance.config
    Job(rule(seed=4, n=4)).save({"t": toy_draw(seed=3)})
    assert read_table(asked.output.t)[1].config != before


def test_plugins_are_recorded_by_their_digests_where_there_are_any(rule):
    assert Job(rule(plugins={})).settings == {}
    assert Job(rule(plugins={"b.py": "d2", "a.py": "d1"})).settings == {"plugins": ["d1", "d2"]}


def test_other_tables_than_the_rule_names_are_an_error(rule):
    for outputs in (["number"], ["number", "mean", "more"]):
        with pytest.raises(ValueError, match=r"made the tables .* its rule names the outputs"):
            Job(rule(outputs=outputs)).save(
                toy_count(GRID.assign(home=list("abcdef"), energy_kwh=1))
            )
    with pytest.raises(KeyError):
        Job(rule()).load_table("no such input")


def test_a_set_that_is_too_small_leaves_out_its_tables_and_another_error_stops(rule):
    def run(error):
        asked = rule("results", outputs=("number", "mean", "more"))
        with run_job(asked) as this:
            this.load_table("homes")
            with this.attempt("number", "mean"):
                raise error
            this.save({"more": GRID})
        return [read_table(path)[0] for path in asked.output]

    number, mean, more = run(TooSmallError("2 homes are too few."))
    assert number["refused"].tolist() == mean["refused"].tolist() == ["2 homes are too few."]
    pd.testing.assert_frame_equal(more, GRID)
    for error in (ConfigError("a key is wrong."), DataError("x.csv is damaged.")):
        with pytest.raises(SystemExit):
            run(error)


def test_a_figure_is_drawn_from_its_tables_and_settings(tmp_path, monkeypatch):
    from noiseless.figures import style

    saved, save, marked = [], style.save_figure, []

    def save_and_remember(*args, stand_ins):
        saved.append(args)
        marked.append(stand_ins)
        save(*args, stand_ins=stand_ins)

    monkeypatch.setattr(style, "save_figure", save_and_remember)
    data_use = {"ausgrid": {"paper": ["another.csv"], "stand_in": "other homes"}}
    for name, width_in, source in (("wide", 4, REAL), ("narrow", 2, SAMPLE)):
        table = tmp_path / "results/tables/toy/grid.parquet"
        write_table(GRID.assign(value=GRID["value"] * width_in), table, Provenance("c", (source,)))
        paths = [str(tmp_path / f"{name}.{ending}") for ending in ("png", "pdf")]
        asked = given(params={"code": "c0de", "data_use": data_use})
        asked.input, asked.output = given(input={"grid": str(table)}).input, paths
        Job(asked).draw(name, toy_figure, "grid", width_in=width_in)
        figure, written, provenance = saved[-1]
        (line,) = figure.axes[0].lines
        assert line.get_ydata().tolist() == (GRID["value"] * width_in).tolist()
        assert written == paths
        behind = [Provenance("c", (source,))]
        settings = {"width_in": width_in}
        assert provenance.config == derive_provenance(settings, "c0de", inputs=behind).config
        assert provenance.sources == (source,)
        assert (tmp_path / f"{name}.pdf").read_bytes().startswith(b"%PDF")
    assert marked == [["other homes"], []]
    wide, narrow = (
        matplotlib.image.imread(tmp_path / f"{name}.png") for name in ("wide", "narrow")
    )
    assert wide.shape[1] == pytest.approx(2 * narrow.shape[1], abs=1)


def test_a_figure_whose_data_are_left_out_is_not_drawn_and_a_line_says_so(tmp_path, caplog):
    """A name that is neither left out nor an output is a defect of the script."""
    asked = given(params={"code": "c0de", "left_out": ["wide"]})
    asked.output = [str(tmp_path / "narrow.png")]
    with caplog.at_level("INFO"):
        Job(asked).draw("wide", toy_figure, "grid", width_in=4)
    assert caplog.messages == ["Not drawn: wide, because its data are left out."]
    with pytest.raises(KeyError):
        Job(asked).draw("narrow", toy_figure, "grid", width_in=4)


def test_a_prepared_table_knows_its_file_and_the_keys_it_was_read_with(tmp_path):
    path = tmp_path / "raw.csv"
    path.write_text("n\n1\n2\n")
    origin = {"dataset": "toy", "tier": "local", "registered": {}, "file": "raw.csv"}
    asked = given(
        input={"path": str(path)},
        output={"table": str(tmp_path / "toy.parquet")},
        params={"origin": origin, "code": "c0de"},
    )
    Job(asked).prepare(lambda *, path, year: pd.read_csv(path).assign(year=year), year=2013)
    table, provenance = read_table(tmp_path / "toy.parquet")
    assert table["year"].tolist() == [2013, 2013]
    assert dict(json.loads(provenance.settings)) == {"data.toy.year": 2013}
    (source,) = provenance.sources
    assert (source.dataset, source.tier, source.digest) == ("toy", "local", "other")
    assert len(source.sha256) == len(compute_file_sha256(path))
    assert str(tmp_path) not in provenance.settings


def test_a_log_that_cannot_be_written_is_one_line(start, tmp_path):
    (tmp_path / "job.log").mkdir()
    job = start("raise DataError('never')")
    printed = job.communicate()[1]
    assert job.returncode == 1
    assert printed == (
        "error: job.log: the job's log cannot be written (Is a directory). Give this user the "
        "right to write below its folder, and run the same command again.\n"
    )
