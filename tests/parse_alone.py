"""The rules, read where Snakemake alone is installed: as a user of the workflow has it.

``python tests/parse_alone.py``, or ``make parse``.  In an empty environment with Snakemake in the
version of ``requirements.lock``, and in folders outside the checkout:

1. a dry run, and Snakemake's own lint;
2. the same as a module of another workflow: its rules renamed, its results in a folder below, with
   all keys, some and none of the configuration;
3. a job, which says what to install.

What is wrong is printed, and the exit code is 1.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MODULE = """
module noiseless:
    snakefile: "{clone}/workflow/Snakefile"
    config: {config}
{prefix}

use rule * from noiseless as {names}
"""
SMALL = '{"data": {"young_people": {"tier": "sample"}, "ausgrid": {"tier": "sample"}}}'
MODULES = {
    "with no key of its own": ("{}", "", "*"),
    "renamed, with some keys": (SMALL, "", "nl_*"),
    "in a folder below": (SMALL, '    prefix: "below"', "nl_*"),
}
NOT_INSTALLED = re.compile(r"error: \w+ is not installed where the jobs run\. Install the package")


def find_version() -> str:
    """Return the version of Snakemake in the lock file."""
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    return re.search(r"^snakemake==([\w.]+)", lock, re.MULTILINE)[1]


def run(*command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command without what this environment gives to Python."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    return subprocess.run(
        command,
        cwd=folder,
        env={**environment, "PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )


def list_failures(snakemake: str, folder: Path) -> list[str]:
    """Return what goes wrong with a Snakemake, in a sentence each."""
    failures = []

    def try_run(what: str, *arguments: str, where: Path, succeeds: bool = True) -> str:
        done = run(snakemake, *arguments, folder=where)
        if (done.returncode == 0) != succeeds:
            failures.append(f"{what}: exit code {done.returncode}\n{done.stdout[-2000:]}")
        return done.stdout

    clone = folder / "clone"
    clone.mkdir()
    for name in ("Snakefile", "workflow", "config", "docs"):
        (clone / name).symlink_to(ROOT / name)
    smoke = ("--configfile", "config/smoke.yaml")
    try_run("a dry run", "--dry-run", "--quiet", "all", where=clone)
    try_run("a dry run of smoke", "--dry-run", "--quiet", "all", *smoke, where=clone)
    # A plugin imports what is not here; the jobs that use it have it.
    (clone / "mine.py").write_text("import numpy\nADVERSARY = None\n", encoding="utf-8")
    plugin = ("--config", 'plugins=["mine.py"]')
    try_run("with a plugin", "--dry-run", "--quiet", "all", *smoke, *plugin, where=clone)
    said = try_run("the lint", "--lint", *smoke, where=clone)
    if "Congratulations" not in said:
        failures.append(f"the lint: {said}")
    for what, (config, prefix, names) in MODULES.items():
        outer = folder / re.sub(r"\W", "_", what)
        outer.mkdir()
        text = MODULE.format(clone=ROOT, config=config, prefix=prefix, names=names)
        (outer / "Snakefile").write_text(text, encoding="utf-8")
        target = names.replace("*", "all")
        try_run(f"as a module {what}", target, "--dry-run", "--quiet", "all", where=outer)
    said = try_run(
        "a job",
        *("data/prepared/young_people.parquet", "--cores", "1", *smoke),
        where=clone,
        succeeds=False,
    )
    if not NOT_INSTALLED.search(said):
        failures.append(f"a job does not say what to install:\n{said[-2000:]}")
    return failures


def main() -> None:
    """Make the environment, and try."""
    with tempfile.TemporaryDirectory() as folder:
        environment = Path(folder) / "environment"
        wanted = f"snakemake=={find_version()}"
        for command in (
            (sys.executable, "-m", "venv", str(environment)),
            (str(environment / "bin/pip"), "install", "--quiet", wanted),
        ):
            done = run(*command, folder=Path(folder))
            if done.returncode:
                sys.exit(done.stdout)
        python = str(environment / "bin/python")
        if run(python, "-c", "import numpy", folder=Path(folder)).returncode == 0:
            sys.exit(f"{wanted} brings NumPy along, so that this shows nothing.")
        failures = list_failures(str(environment / "bin/snakemake"), Path(folder))
    if failures:
        sys.exit("\n\n".join(failures))
    print(f"The rules are read with {wanted} alone.")


if __name__ == "__main__":
    main()
