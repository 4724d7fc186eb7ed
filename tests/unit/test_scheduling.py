"""Whole runs go to one worker; the others run units from the first second, then help it."""

from itertools import chain
from types import SimpleNamespace

import pytest

RUNS = [
    *(f"tests/workflow/test_slurm.py::test_{k}" for k in range(3)),
    *(f"tests/workflow/test_faults.py::test_{k}" for k in range(4)),
]
UNITS = [f"tests/unit/test_{name}.py::test_{k}" for name in "abcdefgh" for k in range(5)]


class Worker:
    """Stands in for a worker: what it was given, and what it has done of it."""

    def __init__(self, name, collection):
        self.gateway = SimpleNamespace(id=name)
        self.collection = collection
        self.given, self.done, self.shutting_down = [], 0, False

    def send_runtest_some(self, indices):
        self.given += indices

    def shutdown(self):
        self.shutting_down = True


def play(collection, number):
    """Give tests that take equally long to workers; what each one ran, in order."""
    pytest.importorskip("xdist")
    from scheduling import Scheduling

    config = SimpleNamespace(
        option=SimpleNamespace(loadscopereorder=False),
        getvalue=lambda name: ["popen"] * number,
        getoption=lambda name: None,
    )
    scheduling = Scheduling(config)
    workers = [Worker(str(k), collection) for k in range(number)]
    for worker in workers:
        scheduling.add_node(worker)
        scheduling.add_node_collection(worker, collection)
    scheduling.schedule()
    while waiting := [worker for worker in workers if worker.done < len(worker.given)]:
        for worker in waiting:
            worker.done += 1
            scheduling.mark_test_complete(worker, worker.given[worker.done - 1])
    assert scheduling.tests_finished
    return [[collection[k] for k in worker.given] for worker in workers]


def test_whole_runs_go_to_one_worker_and_units_to_the_others():
    first, *others = play([*RUNS, *UNITS], 3)
    assert first[: len(RUNS)] == RUNS
    assert set(first) & set(UNITS), "the first one helps at the end"
    assert all(set(each) <= set(UNITS) for each in others)


def test_runs_that_are_left_go_to_whoever_has_nothing_else():
    first, second = play([*RUNS, *UNITS[:5]], 2)
    assert second[:5] == UNITS[:5]
    assert set(second[5:]) <= set(RUNS)
    assert second[5:]
    assert first == [run for run in RUNS if run in first]


def test_tests_of_a_file_stay_together_but_for_those_that_share_nothing_else():
    first, second = play(RUNS, 2)
    slurm = set(RUNS[:3])
    assert slurm <= set(first) or slurm <= set(second)
    assert set(second) & set(RUNS[3:])


@pytest.mark.parametrize("number", [1, 2, 3, 8])
@pytest.mark.parametrize("tests", [RUNS, UNITS, [*RUNS, *UNITS], RUNS[:1], []])
def test_every_test_runs_once(tests, number):
    ran = chain.from_iterable(play(tests, number))
    assert sorted(ran) == sorted(tests)
