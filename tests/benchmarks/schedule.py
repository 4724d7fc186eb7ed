"""How long a run takes on more cores, simulated from what its jobs took.

    snakemake --forceall --dry-run --configfile config/config.yaml data/local.yaml > jobs.txt
    python tests/benchmarks/schedule.py jobs.txt logs [OTHERS ...] [--column cpu_time_s]

1. :func:`read_jobs` reads the jobs, their files and their threads from Snakemake's dry run, and
   :func:`measured` what each took from the first folder of logs that has it.
2. :func:`simulate` starts jobs as soon as their inputs and enough cores are there (list
   scheduling); of those that are ready, the one with the longest chain of jobs behind it, or the
   one that the dry run lists first.  Snakemake does not know how long jobs take: its order lies in
   between.
3. No schedule ends before the longest chain, nor before all work divided by the cores.  What the
   chain spends most of its time in decides the end where the chain is the larger of the two.

Jobs that no folder has a record of count as no time, and are named.
"""

import argparse
import csv
import heapq
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from graphlib import TopologicalSorter
from pathlib import Path

CORES = (2, 16, 64)


@dataclass(frozen=True)
class Job:
    """A job of the run; its time is None where it was not measured."""

    rule: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    log: str = ""
    threads: int = 1
    seconds: float | None = None

    @property
    def name(self) -> str:
        """The log's path without its folder, or the rule."""
        return self.log.removeprefix("logs/").removesuffix(".log") or self.rule


def read_jobs(dry_run: str) -> list[Job]:
    """The jobs of a dry run, in its order."""
    jobs = []
    for block in re.split(r"^\s*(?:local)?(?:rule|checkpoint) ", dry_run, flags=re.MULTILINE)[1:]:
        rule, *lines = block.splitlines()
        said = dict(re.findall(r"^\s+(\w+): (.*)$", "\n".join(lines), flags=re.MULTILINE))
        if "jobid" not in said:
            continue
        files = [
            tuple(re.sub(r" \(.*?\)", "", each) for each in said.get(key, "").split(", ") if each)
            for key in ("input", "output")
        ]
        jobs.append(Job(rule.rstrip(":"), *files, said.get("log", ""), int(said.get("threads", 1))))
    return jobs


def measured(jobs: Sequence[Job], folders: Sequence[Path], column: str = "run_time_s") -> list[Job]:
    """The jobs with their times, from the first of some folders that has a job's record."""
    return [replace(job, seconds=_seconds(job, folders, column)) for job in jobs]


def _seconds(job: Job, folders: Sequence[Path], column: str) -> float | None:
    if not job.log:
        return 0.0
    for folder in folders:
        path = folder / f"{job.name}.tsv"
        if path.is_file():
            with path.open(encoding="utf-8", newline="") as file:
                (took,) = csv.DictReader(file, delimiter="\t")
            return float(took[column])
    return None


def dependencies(jobs: Sequence[Job]) -> list[set[int]]:
    """For each job, the numbers of those that make its inputs."""
    made_by = {path: number for number, job in enumerate(jobs) for path in job.outputs}
    return [{made_by[path] for path in job.inputs if path in made_by} for job in jobs]


def chains(jobs: Sequence[Job]) -> list[list[int]]:
    """For each job, the longest chain of jobs that starts with it."""
    before = dependencies(jobs)
    found = [[number] for number in range(len(jobs))]

    def length(some: Sequence[int]) -> float:
        return sum(jobs[each].seconds or 0 for each in some)

    # Whoever waits for a job has its chain complete before the job has.
    for number in reversed([*TopologicalSorter(dict(enumerate(before))).static_order()]):
        for each in before[number]:
            found[each] = max(found[each], [each, *found[number]], key=length)
    return found


def longest_chain(jobs: Sequence[Job]) -> tuple[float, list[Job]]:
    """Its seconds and its jobs."""
    some = [[jobs[each] for each in chain] for chain in chains(jobs)]
    lengths = [sum(job.seconds or 0 for job in chain) for chain in some]
    longest = max(range(len(jobs)), key=lengths.__getitem__)
    return lengths[longest], some[longest]


def simulate(jobs: Sequence[Job], cores: int, *, longest_first: bool = True) -> float:
    """Seconds until the last job ends.

    Parameters
    ----------
    jobs : sequence of Job
    cores : int
        A job takes as many as its threads, or all where there are fewer.
    longest_first : bool
        Whether the ready job with the longest chain behind it starts first, or the first listed.
    """
    waits_for = [set(each) for each in dependencies(jobs)]
    order = list(range(len(jobs)))
    if longest_first:
        behind = [sum(jobs[each].seconds or 0 for each in chain) for chain in chains(jobs)]
        order.sort(key=lambda number: -behind[number])
    running: list[tuple[float, int]] = []
    now, free, waiting = 0.0, cores, order
    while waiting or running:
        for number in list(waiting):
            needs = min(jobs[number].threads, cores)
            if needs <= free and not waits_for[number]:
                waiting = [each for each in waiting if each != number]
                heapq.heappush(running, (now + (jobs[number].seconds or 0), number))
                free -= needs
        now, done = heapq.heappop(running)
        free += min(jobs[done].threads, cores)
        for each in waits_for:
            each.discard(done)
    return now


def report(jobs: Sequence[Job], cores: Sequence[int] = CORES) -> str:
    """Ends on some numbers of cores, and what decides them."""
    work = sum((job.seconds or 0) * job.threads for job in jobs)
    chain, path = longest_chain(jobs)
    slowest = max(path, key=lambda job: job.seconds or 0)
    lines = [
        f"{len(jobs)} jobs, {work:.0f} s of work; longest chain {chain:.0f} s:",
        *(f"  {job.seconds or 0:7.1f} s  {job.name}" for job in path if job.seconds),
        f"{'cores':>6}{'end (s)':>10}{'as listed':>11}{'work/cores':>12}  decided by",
    ]
    for number in cores:
        decides = slowest.name if chain >= work / number else "the work of all"
        ends = [simulate(jobs, number, longest_first=first) for first in (True, False)]
        lines.append(
            f"{number:>6}{ends[0]:>10.0f}{ends[1]:>11.0f}{work / number:>12.0f}  {decides}"
        )
    missing = [job.name for job in jobs if job.seconds is None]
    if missing:
        lines.append(f"not measured, counted as no time: {', '.join(missing)}")
    return "\n".join(lines)


def by_rule(jobs: Sequence[Job]) -> Mapping[str, float]:
    """Seconds of all jobs of each rule, the longest first."""
    found: dict[str, float] = {}
    for job in jobs:
        found[job.rule] = found.get(job.rule, 0.0) + (job.seconds or 0)
    return dict(sorted(found.items(), key=lambda each: -each[1]))


def main() -> None:
    """Print the report of a dry run."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("dry_run", type=Path)
    parser.add_argument("logs", type=Path, nargs="+")
    parser.add_argument("--column", choices=["run_time_s", "cpu_time_s"], default="run_time_s")
    parser.add_argument("--keep", choices=["smoke", "paper"], help="for docs/performance.md")
    asked = parser.parse_args()
    jobs = measured(read_jobs(asked.dry_run.read_text(encoding="utf-8")), asked.logs, asked.column)
    for rule, seconds in list(by_rule(jobs).items())[:15]:
        print(f"{seconds:8.1f} s  {rule}")
    print(report(jobs))
    if asked.keep:
        from record import keep  # of this folder, where this file runs as a script

        keep(f"schedule_{asked.keep}", {"column": asked.column, "report": report(jobs)})


if __name__ == "__main__":
    main()
