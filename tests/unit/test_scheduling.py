"""How often Snakemake looks for jobs to start."""

import subprocess
import sys
from pathlib import Path

import pytest

RULES = """
from noiseless.scheduling import look_when_jobs_end

onstart:
    {hook}

rule both:
    input: "one", "other"

rule wait:
    output: "{{name}}"
    shell: "sleep 1.5; touch {{output}}"
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hook", "waits"), [("pass", False), ("look_when_jobs_end(workflow)", True)]
)
def test_snakemake_looks_for_jobs_when_others_end(tmp_path, hook, waits):
    """Without the hook it looks every second as well; if that is no longer so, the hook can go."""
    (tmp_path / "Snakefile").write_text(RULES.format(hook=hook))
    snakemake = Path(sys.executable).with_name("snakemake")
    said = subprocess.run(
        [snakemake, "--cores", "1", "--verbose", "both"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    ).stderr
    assert "3 of 3 steps (100%) done" in said
    looks = said.count("Ready jobs: ")
    assert (looks == 3) == waits, said
