"""Which worker runs which tests: whole runs go to one, and the others run units meanwhile."""

from pathlib import Path

from xdist.scheduler import LoadScopeScheduling

# Files whose tests share nothing that takes long to make, but a smoke run that all workers share.
APART = ("test_smoke", "test_faults", "test_plugins", "test_redd_tiers", "test_cases")


class Scheduling(LoadScopeScheduling):
    """One worker takes all tests of a file, which share what they look at; some go one by one.

    The first worker takes files of whole runs as long as there are any, the others take them when
    nothing else is left: all begin with a smoke run, for which several workers would wait.
    """

    def _split_scope(self, nodeid):
        file = nodeid.partition("::")[0]
        return nodeid if is_whole_run(file) and Path(file).stem in APART else file

    def _assign_work_unit(self, node):
        wants_runs = node is self.nodes[0]
        fits = (scope for scope in self.workqueue if is_whole_run(scope) == wants_runs)
        if scope := next(fits, None):
            self.workqueue.move_to_end(scope, last=False)
        super()._assign_work_unit(node)


def is_whole_run(scope: str) -> bool:
    """Whether tests, by their file or their name, run the workflow."""
    return Path(scope.partition("::")[0]).parent.name == "workflow"
