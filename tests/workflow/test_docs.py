"""Every command in the docs runs, at smoke size; tables made from other files are up to date."""

import re
import runpy
import shlex
import shutil
import textwrap
from pathlib import Path

import pandas as pd
import pytest
import yaml

from noiseless.data.samples.own_files import write_samples
from noiseless.data.samples.young_people import write_young_people
from noiseless.pipeline.configuration import load_config

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("*/*.md"))]


def blocks(page: Path, language: str) -> list[str]:
    found = re.findall(
        rf"^( *)```{language}\n(.*?)^ *```", page.read_text(encoding="utf-8"), re.M | re.S
    )
    return [textwrap.dedent(block) for _, block in found]


COMMANDS = sorted(
    {
        line.split("  #")[0].strip()
        for page in PAGES
        for block in blocks(page, "bash")
        for line in block.splitlines()
        if line.strip()
    },
    key=lambda command: (
        any(word in command for word in ("=my.yaml", "=mine.yaml", "=three.yaml", "DATA=")),
        command,
    ),
)


@pytest.fixture(scope="module")
def documented(smoke_run, tmp_path_factory, root):
    """The smoke run, with everything the docs' commands expect, and paper scale made small.

    One reader types all commands, each where those before it have run.
    """
    checkout = smoke_run.copy(tmp_path_factory.mktemp("documented") / "clone")
    folder = checkout.path
    (folder / ".venv").symlink_to(root / ".venv")
    smoke = load_config(folder / "config/smoke.yaml")
    (folder / "config/config.yaml").write_text(yaml.safe_dump(smoke, sort_keys=False))
    (block,) = blocks(root / "config/README.md", "yaml")
    (folder / "my.yaml").write_text(block)
    (folder / "three.yaml").write_text(read_recipe())
    write_samples(folder)
    (mine,) = (each for each in blocks(root / "docs/tutorial.md", "yaml") if "homes:" in each)
    (folder / "mine.yaml").write_text(mine)
    write_young_people(folder / "data/local/young_people/responses.csv", rows=400, seed=1)
    return checkout


def read_recipe() -> str:
    """Return the file of docs/running.md that changes one parameter, by its heading."""
    section = (ROOT / "docs/running.md").read_text(encoding="utf-8")
    section = section.split("\n## Change one parameter\n")[1].split("\n## ")[0]
    (found,) = re.findall(r"^```yaml\n(.*?)^```", section, re.M | re.S)
    return found


# What cannot run inside a test: `make test` is what runs it, a cluster is not here, and the
# environment is the tests' own. What `beyond` makes is looked at in test_beyond.
INSTEAD = {
    "make test": "make --dry-run test",
    "make beyond": "make --dry-run beyond",
    "rm -r .venv": "test -e .venv",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_command_of_the_docs_runs(documented, command):
    arguments = shlex.split(INSTEAD.get(command, command))
    if arguments[0] == "make":
        # The environment is the one that runs the tests: make must not build it anew.
        arguments[1:1] = ["-o", ".venv/.run", "-o", ".venv/.dev"]
        if "CONFIG=my.yaml" in command or "DATA=" in command:
            # What is looked at; `make paper` makes everything.
            arguments.append("TARGET=results/ledger/nsht.parquet")
    elif {"workflow/profiles/slurm", "workflow/profiles/generic"} & set(arguments):
        arguments.append("--dry-run")
    is_counted = "workflow/profiles/slurm" in arguments and "--unlock" not in arguments
    if is_counted:  # at paper scale, as if nothing were made
        paper = str(ROOT / "config/config.yaml")
        arguments = [paper if each == "config/config.yaml" else each for each in arguments]
        arguments.append("--forceall")
    output = documented.run(*arguments)
    if is_counted:
        require_jobs_as_told(output)
    if "CONFIG=my.yaml" in command or "DATA=" in command:
        require_no_verdict(documented.path / "results", "nsht-ex3-survey")
    if "CONFIG=mine.yaml" in command:
        mine = pd.read_parquet(documented.path / "results/tables/noiseless/membership_mine.parquet")
        assert set(mine["n"]) == {2, 8}
    if "CONFIG=three.yaml" in command:
        table = pd.read_parquet(
            documented.path / "results/tables/noiseless/membership_ausgrid.parquet"
        )
        assert set(table["n"]) == {3}
        assert set(table["epsilon_bits"]) == {1, 4, float("inf")}


def require_jobs_as_told(output: str) -> None:
    """Check what the page says of a cluster: how many jobs it gets, and that no download is one."""
    files = ROOT / "Snakefile", *(ROOT / "workflow/rules").glob("*.smk")
    rules = "\n\n\n".join(path.read_text(encoding="utf-8") for path in files)
    written = [each.split("\n\n\n")[0] for each in re.split(r"^ *rule ", rules, flags=re.M)[1:]]
    local = {each.partition(":")[0] for each in written if "localrule: True" in each}
    asked = re.findall(r"^(?:local)?rule (\w+):", output, re.M)
    assert asked.count("download_file") > 50
    page = (ROOT / "docs/running.md").read_text(encoding="utf-8")
    (told,) = re.findall(r"It submits about (\d+) jobs", page)
    assert abs(sum(name not in local for name in asked) - int(told)) <= 5


def test_recipe_changes_what_the_docs_say():
    recipe = yaml.safe_load(read_recipe())
    assert len(read_recipe().splitlines()) <= 5
    membership = recipe.pop("noiseless")["membership"]
    assert recipe == {"seed": 7}
    assert membership == {"n": [3], "epsilon_bits": [1, 4], "resolution": "half-hours"}
    assert "make smoke CONFIG=three.yaml" in " ".join(COMMANDS)


@pytest.mark.parametrize(
    "page", ["config/README.md", "docs/plugins.md", "docs/running.md", "docs/tutorial.md"]
)
def test_configuration_of_the_docs_is_accepted(root, tmp_path, page):
    found = blocks(root / page, "yaml")
    assert found
    for block in found:
        if "data: homes.csv" in block:  # of `noiseless compare`, which test_blocks_of_the_docs runs
            continue
        (tmp_path / "my.yaml").write_text(block)
        load_config(tmp_path / "my.yaml")


def test_workflow_is_a_module_of_another(root, fresh):
    """The lines that the docs show, in a folder of their own, make a table and a figure."""
    (lines,) = (block for block in blocks(root / "docs/running.md", "python") if "module" in block)
    mine = fresh.path / "mine"
    shutil.copytree(root / "config", mine / "config")
    (mine / "workflow").mkdir()
    (mine / "workflow/Snakefile").write_text(
        lines.replace("path/of/the/clone", str(fresh.path)).replace("config.yaml", "smoke.yaml")
    )
    there = ("snakemake", "--snakefile", "mine/workflow/Snakefile", "--directory", "mine")
    fresh.run(*there, "--cores", "1", "results/figures/deterministic/fig1.png")
    assert (mine / "results/tables/deterministic/policies_averaging.parquet").is_file()
    assert "figures/knowledge/fig1.png" in fresh.run(*there, "--dry-run", "all")


def require_no_verdict(results, claim):
    """A claim on a file that is read at tier local, but is not the public one."""
    ledger = pd.read_parquet(results / "ledger/nsht.parquet").set_index("id")
    assert ledger.loc[claim, ["tier", "verdict"]].tolist() == ["local", "not tested"]
    assert "registered" in ledger.loc[claim, "note"]


def test_commands_are_found():
    assert {"make", "make test", "make paper", "make paper CONFIG=my.yaml"} <= set(COMMANDS)


def test_errata_are_up_to_date(root):
    module = runpy.run_path(str(root / "workflow/schemas/write_errata.py"))
    assert module["render_page"]() == (root / "docs/errata.md").read_text(encoding="utf-8")


def test_table_of_proofs_is_up_to_date(root):
    module = runpy.run_path(str(root / "workflow/schemas/write_proofs.py"))
    assert module["render_page"]() == (root / "docs/proofs.md").read_text(encoding="utf-8")
    for paper in module["list_papers"]():
        page = (root / f"docs/proofs/{paper}.md").read_text(encoding="utf-8")
        assert module["fill_list"](paper) == page
    there = {
        f"{paper}: {heading}"
        for paper in module["PAPERS"]
        for heading in module["split_sections"](paper)
    }
    assert set(module["iterate_z3_proofs"]()) <= there
