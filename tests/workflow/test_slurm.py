"""A real Slurm of one node: the same bytes as on a workstation, and what is killed comes back."""

import signal
import subprocess
import time

from interrupted import RULE, Run, finish, kill_session, remove_table, state

# The profiles look rarely at jobs that take hours; these take seconds.
SLURM = (
    *("--workflow-profile", "workflow/profiles/slurm", "--latency-wait", "5"),
    *("--slurm-init-seconds-before-status-checks", "2"),
)
GENERIC = (
    *("--workflow-profile", "workflow/profiles/generic", "--latency-wait", "5"),
    *("--seconds-between-status-checks", "2"),
)

SOME = tuple(
    f"results/{name}.parquet"
    for name in (
        *(
            "ledger/deterministic",
            "tables/noiseless/membership_london",
            "tables/noiseless/trips_taken",
        ),
        "tables/prrelation/monte_carlo_rates",
    )
)


def running() -> list[str]:
    """Numbers of the running jobs of Slurm."""
    listed = subprocess.run(
        ["squeue", "--noheader", "--states=RUNNING", "--format=%i"],
        check=True,
        capture_output=True,
        text=True,
    )
    return listed.stdout.split()


def test_tables_and_verdicts_made_on_slurm_are_the_same_bytes(slurm, make_checkout, request):
    """All of one paper, and some of others; test_download_tier makes all again.

    What a cluster adds is tested for each script that makes tables: jobs in another folder, with as
    many threads as the cluster gives them.
    """
    checkout = make_checkout("slurm")
    output = checkout.run("snakemake", *SLURM, *SOME, "--configfile", "config/smoke.yaml")
    smoke_run = request.getfixturevalue("smoke_run")  # waited for last: another test makes it
    assert 10 <= output.count("SLURM jobid") <= 20
    results = checkout.path / "results"
    tables = [path.relative_to(checkout.path) for path in results.rglob("*.parquet")]
    assert set(SOME) < set(map(str, tables))  # what they are made of is compared, too
    for table in tables:
        assert (checkout.path / table).read_bytes() == (smoke_run.path / table).read_bytes(), table


def test_on_slurm_a_job_comes_back_after_the_scheduler_killed_it(
    slurm, one_left, smoke_run, request
):
    """First for its memory, then by hand; the third attempt is left alone."""
    before = state(one_left)
    run = Run(one_left, *SLURM, "--set-resources", f"{RULE}:mem_mb=150*attempt**4")
    request.addfinalizer(lambda: kill_session(run))
    run.wait_for(lambda: run.output.count("SLURM jobid") == 2)
    first, second = (part.split()[0] for part in run.output.split("SLURM jobid ")[1:])
    (log,) = one_left.path.rglob(f".snakemake/slurm_logs/**/{first}.log")
    assert "memory limit" in log.read_text()
    run.wait_for(lambda: second in running() and run.script())
    subprocess.run(["scancel", second], check=True)
    assert run.end() == 0, run.output
    assert run.output.count("SLURM jobid") == 3
    assert first != second
    finish(one_left, before, smoke_run, *SLURM)


def test_ctrl_c_cancels_the_jobs_and_the_next_run_finishes(slurm, one_left, smoke_run, request):
    """The generic profile's commands are Slurm's; it goes on where Slurm's own profile stopped."""
    before = state(one_left)
    for profile in (SLURM, GENERIC):
        run = Run(one_left, *profile)
        request.addfinalizer(lambda run=run: kill_session(run))
        run.wait_for(run.script)
        run.process.send_signal(signal.SIGINT)
        assert run.end() != 0
        end = time.monotonic() + 60
        while running():
            assert time.monotonic() < end, "the job goes on"
            time.sleep(0.2)
        assert state(one_left) == before
    finish(one_left, before, smoke_run, *GENERIC)


def test_on_slurm_a_killed_run_is_taken_up_by_the_next(slurm, one_left, smoke_run, request):
    """SIGTERM lets a running job finish; after SIGKILL it goes on beside that of the next run."""
    before = state(one_left)
    for number in (signal.SIGTERM, signal.SIGKILL):
        run = Run(one_left, *SLURM)
        request.addfinalizer(lambda run=run: kill_session(run))
        run.wait_for(run.script)
        run.process.send_signal(number)
        assert run.end() != 0
        assert bool(running()) == (number == signal.SIGKILL)
        if number == signal.SIGTERM:
            finish(one_left, before, smoke_run, *SLURM)
            remove_table(one_left)
    one_left.run("snakemake", *SLURM, "--unlock")
    finish(one_left, before, smoke_run, *SLURM)
