"""Write the jobs that make the tables of a small run, as JSON: what their scripts are given.

``python list_jobs.py CHECKOUT JOBS``: the rules are those of the folder of a checkout.
"""

import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from read_rules import jobs_of, reading  # noqa: E402


def main(checkout: Path, jobs: Path) -> None:
    """List the jobs, those of the minutes among them, whose file a smoke run does not have."""
    minutes = jobs.with_name("minutes.yaml")
    minutes.write_text("recordings: {minutes-3: {path: Snakefile}}\n", encoding="utf-8")
    with reading(checkout, checkout, "config/smoke.yaml", str(minutes)) as found:
        listed = [
            {
                "script": str(job.rule.script).rpartition("scripts/")[2],
                "wildcards": dict(job.wildcards.items()),
                "params": dict(job.params.items()),
                "input": named(job.input),
                "output": named(job.output),
            }
            for job in jobs_of(found)
            if job.output and str(job.output[0]).startswith("results/tables/")
        ]
    jobs.write_text(json.dumps(listed, indent=1), encoding="utf-8")


def named(files) -> dict[str, str]:
    """Return files by their names, or by their places where they have none."""
    names = {str(path): name for name, path in files.items() if isinstance(path, str)}
    return {names.get(str(path), f"file_{place}"): str(path) for place, path in enumerate(files)}


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
