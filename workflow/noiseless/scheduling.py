"""What this workflow asks of Snakemake's scheduler."""

from typing import Any


def look_when_jobs_end(workflow: Any) -> None:
    """Have a run on this machine look for jobs to start when others end, and not every second.

    Snakemake limits how many jobs are started in a second, and therefore looks again a second after
    each look.  Every job that ends adds a look that goes on like this: after 150 jobs, Snakemake
    keeps half a core busy.  The number of cores is limit enough for jobs on this machine; on a
    cluster the limit protects the server that takes the jobs, and stays.

    Parameters
    ----------
    workflow : snakemake.workflow.Workflow
        When its scheduler is there: in ``onstart``.
    """
    if workflow.local_exec:
        workflow.scheduler.job_rate_limiter = None
