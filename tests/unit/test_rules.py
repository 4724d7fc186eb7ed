"""What the rules of the workflow promise, read from the rules themselves."""

import functools
import json
import pickle
import re
import runpy
import shutil

import grimp
import numpy as np
import pytest
from snakemake.exceptions import MissingRuleException, WorkflowError

from noiseless.data.registry import load_sets
from noiseless.pipeline.configuration import load_config
from noiseless.pipeline.jobs import Job
from noiseless.pipeline.sections import list_paper_tables, list_papers
from noiseless.settings import load_yaml
from noiseless.statements.registry import load_sections
from noiseless.tables import flatten
from read_rules import jobs_of, reading
from script_calls import given_of, modules_behind, run_with_stand_ins

pytestmark = pytest.mark.slow

# A change of the code is no reason to fetch gigabytes again.
WITHOUT_CODE = {"download_file"}
# Parameters of rules that prepare data which are no keys of the dataset's.
DERIVED = {"code", "origin", "form", "file", "content", "download", "tier"}
OF_A_RUN = {"seed", "half", "plugins"}


@pytest.fixture(scope="module")
def found(root, tmp_path_factory):
    """The workflow of a smoke run, in a folder with nothing but sets of homes."""
    folder = tmp_path_factory.mktemp("rules")
    shutil.copytree(root / "config", folder / "config")
    sets = {
        section: {
            name: {"path": [f"{name}_{k}.csv" for k in range(1 + len(each.further))]}
            if each.further
            else {"path": f"{name}.csv"}
            for name, each in load_sets(root / "config/sources.yaml").items()
            if each.section == section
        }
        for section in ("homes", "recordings")
    }
    mine = {"path": "mine.csv", "resolution": "days", "public_range_kwh": 60}
    sets["homes"]["mine"] = mine
    for settings in (each for section in sets.values() for each in section.values()):
        for path in np.atleast_1d(settings["path"]):
            (folder / path).touch()
    (folder / "my.json").write_text(json.dumps(sets))  # JSON is YAML
    with reading(root, folder, "config/smoke.yaml", "my.json") as read:
        yield read


@pytest.fixture(scope="module")
def workflow(found):
    """Its rules."""
    return found._workflow


@pytest.fixture(scope="module")
def config(workflow):
    """Its configuration."""
    return workflow.globals["config"]


@pytest.fixture(scope="module")
def jobs(found):
    """The jobs of a complete run that make something, and one of each other rule."""
    some = ["data/prepared/mine.parquet", "data/raw/redd/download/redd.h5"]
    targets = ("all", "beyond", "robustness", "theory")
    return [job for job in jobs_of(found, *targets, *some) if job.output]


@pytest.fixture(scope="module")
def rules(workflow):
    """The rules that make something."""
    return [rule for rule in workflow.rules if rule.output]


@pytest.fixture(scope="module")
def papers(workflow, root):
    """The folders of experiments that have a target."""
    names = {rule.name for rule in workflow.rules}
    return [name for name in folders_of_papers(root) if name in names]


def folders_of_papers(root):
    """Names of all folders of experiments."""
    return sorted(path.parent.name for path in root.glob("workflow/noiseless/papers/*/figures"))


def script_of(rule, root):
    """Path of a rule's script."""
    return root / "workflow/scripts" / str(rule.script).rpartition("scripts/")[2]


def test_every_rule_has_a_log_an_environment_and_a_script_of_its_own(rules, root):
    assert rules
    for rule in rules:
        assert rule.log, rule
        assert rule.conda_env.endswith("noiseless.yaml"), rule
        assert script_of(rule, root).is_file(), rule
    for each in ([str(rule.log) for rule in rules], [str(rule.script) for rule in rules]):
        assert len(set(each)) == len(each)
    scripts = set((root / "workflow/scripts").rglob("*.py"))
    assert {script_of(rule, root) for rule in rules} == scripts


def test_every_rule_has_a_job_that_is_looked_at_below(rules, jobs):
    assert {rule.name for rule in rules} == {job.rule.name for job in jobs}


def own_settings(job, config):
    """The keys and values that the tables of a job record, without those of its inputs."""
    folder = str(job.rule.script).rpartition("scripts/")[2].split("/")[0]
    if folder in ("page", "statements"):
        return {}
    if folder != "data":
        return dict(flatten(Job(given_of(job, config)).settings))
    dataset = job.rule.name.removeprefix("prepare_")
    if dataset not in config["data"]:
        return {}
    keys = {key: each for key, each in job.params.items() if key not in DERIVED}
    return dict(flatten({f"data.{dataset}": keys}))


def test_a_parameter_is_the_key_of_its_name(jobs, config):
    """The name under which a table records it is the key's full name."""
    looked_at = 0
    for job in jobs:
        for key, value in own_settings(job, config).items():
            if key == "seed":
                of_folder = re.search(r"seed_(\d+)/", str(job.output[0]))
                assert value == (int(of_folder[1]) if of_folder else config["seed"])
            if key not in OF_A_RUN:
                assert value == value_of(config, key), (job.rule.name, key)
                looked_at += 1
    assert looked_at > 30


def value_of(config, key):
    """The value of a key by its full name."""
    return functools.reduce(lambda part, name: part[name], key.split("."), config)


@pytest.fixture(scope="module")
def recorded(jobs, config):
    """The keys that each table of the run records: its own, and those of all behind it."""
    makers = {str(path): job for job in jobs for path in job.output}

    @functools.cache
    def keys(path):
        if path not in makers:
            return frozenset()
        job = makers[path]
        behind = (keys(str(each)) for each in job.input)
        return frozenset(own_settings(job, config)).union(*behind)

    folder = "results/tables/"
    return {
        path.removeprefix(folder).removesuffix(".parquet"): keys(path)
        for path in makers
        if path.startswith(folder) and path.endswith(".parquet")
    }


@pytest.fixture(scope="module")
def judged():
    """The papers with their statements."""
    return [load_sections(name) for name in list_papers()]


def test_each_key_behind_a_statement_is_presumed_or_limited_or_a_size(judged, recorded):
    """A key that is in no list leaves no verdict; one in two is in doubt."""
    for paper in judged:
        presumes = {*paper.presumes}.union(*(each.presumes for each in paper.statements))
        sizes, limits = {*paper.sizes}, {*paper.limits}
        assert not {*paper.presumes} & (sizes | limits), paper.name
        assert not limits & sizes, paper.name
        read = {table.name for each in paper.statements for table in each.tables}
        assert read <= set(recorded), paper.name
        found = set().union(*(recorded[table] for table in read)) - {"plugins", "seed", "half"}
        assert found - presumes - sizes - limits == set(), paper.name
        assert presumes <= found, f"no statement of {paper.name} rests on these"


def test_a_paper_presumes_the_values_of_the_configuration_and_lists_keys_that_are_there(judged):
    config = dict(flatten(load_config()))
    for paper in judged:
        for key, value in paper.presumes.items():
            assert (config[key], type(config[key]) is bool) == (value, type(value) is bool), key
        assert {*paper.sizes} <= set(config), paper.name
        for key, (low, high) in paper.limits.items():
            values = config[key] if isinstance(config[key], list) else [config[key]]
            assert all(low <= value <= high for value in values), key


def test_every_key_of_a_paper_reaches_a_table_or_a_figure(papers, jobs, config):
    passed = {key for job in jobs for key in own_settings(job, config)}
    for paper in papers:
        keys = {f"{paper}.{key}" for key, _ in flatten(config[paper])}
        assert keys - passed == set()


def test_the_small_run_changes_sizes_and_tiers_alone(judged, root):
    """A verdict of the small run is one of the paper."""
    smoke = {key for key, _ in flatten(load_yaml(root / "config/smoke.yaml"))}
    presumed = {key for paper in judged for key in paper.presumes}
    sizes = {key for paper in judged for key in (*paper.sizes, *paper.limits)}
    assert smoke & presumed == set()
    others = {
        key
        for key in smoke - sizes
        if not re.match(r"data\.\w+\.(tier|sample_\w+)$|robustness\.|beyond\.|sizes$", key)
    }
    assert others == set()


def test_scripts_call_what_is_there_with_what_their_rules_give(jobs, config, root):
    for job in jobs:
        source = script_of(job.rule, root).read_text(encoding="utf-8")
        try:
            run_with_stand_ins(source, given_of(job, config))
        except Exception as error:
            raise AssertionError(f"{job.rule.name}: {error}") from error


@pytest.mark.parametrize(
    ("rule", "old", "new"),
    [
        ("knowledge_composition", "size=p.group_size", "sise=p.group_size"),
        ("knowledge_composition", "p.group_size", "p.groups_size"),
        ("knowledge_composition", "wildcards.regression", "wildcards.regresion"),
        (
            "knowledge_composition",
            "import build_composition_tables",
            "import build_composition_table",
        ),
        ("knowledge_composition", "            seed=p.seed,\n", ""),
        ("knowledge_grouping", 'this.load_table("linear")', 'this.load_table("linaer")'),
        ("knowledge_scan", '"scan": build_scan_table', '"scam": build_scan_table'),
        ("knowledge_figures", "epsilon_nats=snakemake", "epsilon=snakemake"),
        ("knowledge_figures", '"grouping", grouping', '"groups", grouping'),
        ("knowledge_figures", '"grouping_growth"', '"grouping_grows"'),
        ("prepare_young_people", "read_young_people)", "read_young_people, year=2013)"),
    ],
)
def test_a_misspelt_name_in_a_script_is_noticed(jobs, config, root, rule, old, new):
    job = next(job for job in jobs if job.rule.name == rule)
    source = script_of(job.rule, root).read_text(encoding="utf-8")
    assert old in source
    with pytest.raises((TypeError, AttributeError, ImportError, KeyError)):
        run_with_stand_ins(source.replace(old, new), given_of(job, config))


def test_a_digest_is_of_files_alone(workflow, monkeypatch, tmp_path):
    digest = workflow.globals["digest_files"]
    (tmp_path / "ledger").mkdir()
    (tmp_path / "ledger/rows.py").write_text("pass\n", encoding="utf-8")
    monkeypatch.setitem(digest.__globals__, "PACKAGE_FOLDER", tmp_path)
    before = digest("ledger/*")
    (tmp_path / "ledger/__pycache__").mkdir()  # as the first import leaves it
    assert digest("ledger/*") == before
    (tmp_path / "ledger/rows.py").write_text("return\n", encoding="utf-8")
    assert digest("ledger/*") != before


@pytest.fixture(scope="module")
def digested(workflow, papers, root):
    """Files of the package by their digest, for every digest that the rules ask for."""
    shared = workflow.globals
    texts = [path.read_text(encoding="utf-8") for path in (root / "workflow/rules").glob("*.smk")]
    calls = {
        found
        for text in texts
        for found in re.findall(r"(?<!def )\bdigest_files\(((?:[^()])*)\)", text)
    }
    files = {}
    for call in calls:
        for paper in papers:
            patterns = eval(f"[{call}]", {**shared, "paper": paper})
            inside = {path for each in patterns for path in shared["PACKAGE_FOLDER"].glob(each)}
            files[shared["digest_files"](*patterns)] = {path.resolve() for path in inside}
    return files


@pytest.fixture(scope="module")
def behind(root):
    """Files of the package that a module needs to be imported, its own included."""
    graph = grimp.build_graph("noiseless", cache_dir=None)
    folder = root / "workflow"

    def file(module):
        path = folder.joinpath(*module.split("."))
        return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")

    def find(module):
        found, waiting = set(), {module}
        while waiting:
            name = waiting.pop()
            found.add(name)
            more = set(graph.find_modules_directly_imported_by(name))
            if name != "noiseless":
                # Who imports a package loads the modules in it by their names: a registry does.
                more |= graph.find_descendants(name)
            waiting |= more - found
        # Every module imports the package itself, which holds names and its version.
        return {file(name) for name in found - {"noiseless"}}

    return find


@pytest.fixture(scope="module")
def insides(jobs, digested):
    """Files whose change runs a rule again: of its digest, and of all that makes its inputs."""
    makers = {str(path): job for job in jobs for path in job.output}

    @functools.cache
    def of_path(path):
        return of_job(makers[path]) if path in makers else frozenset()

    def of_job(job):
        own = digested[job.params["code"]] if job.rule.name not in WITHOUT_CODE else set()
        return frozenset(own).union(*(of_path(str(path)) for path in job.input))

    return {job.rule.name: of_job(job) for job in jobs}


def test_what_a_script_imports_lies_in_the_digest_of_its_rule(rules, insides, behind, root):
    """A change of any module behind a rule makes what the rule made outdated."""
    without = {rule.name for rule in rules if "code" not in dict(rule.params.items())}
    assert without == WITHOUT_CODE
    package = root / "workflow/noiseless"
    # What each job runs whatever it is about.
    around = behind("noiseless.pipeline.jobs") | behind("noiseless.data.prepare")
    lacking = {}
    for rule in rules:
        if rule.name in WITHOUT_CODE:
            continue
        inside = insides[rule.name]
        for module in modules_behind(script_of(rule, root).read_text(encoding="utf-8")):
            if outside := behind(module) - inside - around:
                names = {path.relative_to(package).as_posix() for path in outside}
                lacking.setdefault(rule.name, set()).update(names)
    assert lacking == {}


def test_an_edited_plugin_runs_again_what_asks_a_registry_alone(jobs, behind, root):
    """Its digest is a parameter of these rules, of figures that show it by its name among them."""
    plugins = root / "workflow/noiseless/plugins.py"
    for job in jobs:
        source = script_of(job.rule, root).read_text(encoding="utf-8")
        asks = any(plugins in behind(module) for module in modules_behind(source))
        has = job.params.get("plugins") is not None
        if "/tables/" in str(job.output[0]):
            assert has == asks, job.rule.name
        elif "/figures/" in str(job.output[0]):
            assert has or not asks, job.rule.name
        else:
            assert not has, job.rule.name


def test_every_target_makes_something(workflow):
    papers = ["noiseless", "nsht", "deterministic", "prrelation", "knowledge"]
    for name in ("all", "smoke", "theory", "beyond", "robustness", *papers):
        target = workflow.get_rule(name)
        assert target.input, name
        assert not target.wildcard_names, name  # else it could not be asked for


def test_each_paper_ends_in_a_target_with_what_its_rules_make(workflow, jobs, papers, root):
    assert papers == folders_of_papers(root)
    for paper in papers:
        target = workflow.get_rule(paper)
        assert {"tables", "figures"} <= set(target.input.keys()), paper
        tables = set(map(str, target.input.tables))
        figures = set(map(str, target.input.figures))
        made = {str(path) for job in jobs for path in job.output}
        made = {path for path in made if not path.endswith(".csv")}
        assert tables == {path for path in made if path.startswith(f"results/tables/{paper}/")}
        assert figures == {path for path in made if path.startswith(f"results/figures/{paper}/")}


def test_what_no_paper_asks_for_is_made_by_its_own_target_alone(found):
    for target in ("all", "smoke", "theory", "robustness"):
        names = {job.rule.name for job in jobs_of(found, target)}
        assert not {name for name in names if "beyond" in name}, target
    assert "beyond_comparison_homes" in {job.rule.name for job in jobs_of(found, "beyond")}


def test_the_page_is_told_what_is_there_of_beyond(plan, tmp_path):
    """As plain text: a path of a rule, which carries the rule, cannot be given to a script."""
    table = "results/tables/beyond/comparison_trips.parquet"
    (tmp_path / table).parent.mkdir(parents=True)
    (tmp_path / table).touch()
    (given,) = (job.params.beyond for name, job in plan("all") if name == "write_page")
    assert [*pickle.loads(pickle.dumps(given))] == [table]
    assert not any(name.startswith("beyond") for name, _ in plan("all"))


def test_the_target_of_a_paper_runs_no_rule_of_another(found, papers):
    for paper in papers:
        names = {job.rule.name for job in jobs_of(found, paper)}
        owners = {name.partition("_")[0] for name in names} & set(papers)
        assert owners == {paper}


NONE = {name: {"tier": None} for name in ("young_people", "ausgrid", "london", "nyc_taxi", "redd")}


@pytest.fixture
def plan(root, tmp_path):
    """The rules of a run with some keys, and the jobs of targets of it."""
    shutil.copytree(root / "config", tmp_path / "config")
    (tmp_path / "some.csv").touch()

    def jobs(*targets, **keys):
        (tmp_path / "my.json").write_text(json.dumps(keys))
        with reading(root, tmp_path, "config/smoke.yaml", "my.json") as read:
            return [(str(job.rule), job) for job in jobs_of(read, *targets)]

    return jobs


@pytest.mark.parametrize("left_out", NONE)
def test_of_a_dataset_that_is_left_out_nothing_is_read_or_made(plan, left_out):
    """And every statement is judged all the same: its paper's check is told what was left out."""
    found = plan("all", "beyond", "robustness", data={left_out: {"tier": None}})
    makes = {str(path) for _, job in found for path in (*job.input, *job.output)}
    assert not {path for path in makes if re.search(rf"^(data|results)/.*[/_]{left_out}[./]", path)}
    names = {name for name, _ in found}
    judges = {"judge_statements", "write_robustness"}
    assert {*judges, "write_page", "beyond_adversaries"} <= names
    told = 0
    for name, job in found:
        if name != "check_paper":
            continue
        given = {"/".join(path.split("/")[-2:]).split(".")[0] for path in job.input}
        absent = job.params.left_out
        told += sum(data == left_out for data in absent.values())
        asked = set(list_paper_tables(job.wildcards.paper))
        assert given == asked - {*absent}
    assert told


def test_figures_without_data_are_drawn_where_the_others_of_their_job_are_left_out(plan):
    """Whose names the job is given, to say so; no other figure is missing."""
    every, some = (
        [job for name, job in plan("all", data=data) if name.endswith("_figures")]
        for data in ({}, {"young_people": {"tier": None}})
    )
    drawn, left = ({str(path) for job in jobs for path in job.output} for jobs in (every, some))
    named = {
        f"results/figures/{job.rule.name.removesuffix('_figures')}/{name}.{ending}"
        for job in some
        for name in job.params.left_out
        for ending in ("png", "pdf", "webp")
    }
    assert drawn - left == named
    assert {f"results/figures/nsht/fig{n}.png" for n in (4, 6, 7, 8)} <= left
    assert "results/figures/nsht/fig5.png" in named
    assert {name for job in every for name in job.params.left_out} == set()


def test_without_any_data_the_theory_is_left(plan):
    names = {name for name, _ in plan("all", "robustness", data=NONE)}
    assert {"noiseless_theory", "nsht_figures", "write_page"} <= names
    drawn = {"noiseless_figures_sets", "noiseless_figures_nyc_taxi", "nsht_survey", "make_samples"}
    assert not {name for name in names if name.startswith("prepare_")} | (names & drawn)


def test_a_tier_that_the_user_gives_is_played(plan):
    """Though `DATA=` has found nothing."""
    data = NONE | {"young_people": {"tier": "sample"}}
    assert "nsht_survey" in {name for name, _ in plan("all", data=data)}


@pytest.mark.parametrize(
    ("target", "key"),
    [
        ("results/tables/nsht/blurring_people.parquet", "data.young_people.tier"),
        ("results/figures/noiseless/fig3_ausgrid.png", "data.ausgrid.tier"),
        ("results/figures/noiseless/fig3_swiss.png", "homes.swiss.path"),
        ("results/figures/noiseless/fig4_redd.png", "data.redd.tier"),
        ("results/figures/noiseless/fig4_minutes-3.png", "recordings.minutes-3.path"),
        ("results/figures/noiseless/fig6.png", "data.nyc_taxi.tier"),
        ("results/tables/noiseless/trips_taken.parquet", "data.nyc_taxi.tier"),
        ("results/figures/noiseless/sets_of_homes.png", "data.ausgrid.tier"),
        ("beyond", "data.ausgrid.tier"),
    ],
)
def test_what_is_asked_for_of_data_that_are_left_out_names_the_key(plan, target, key):
    with pytest.raises(WorkflowError, match=rf"left out, for {key} is null"):
        plan(target, data=NONE)


def test_before_no_rule_is_found_for_a_figure_what_is_left_out_is_said(plan, capsys):
    with pytest.raises(
        MissingRuleException, match=r"No rule to produce results/figures/nsht/fig5\.png"
    ):
        plan("results/figures/nsht/fig5.png", data=NONE)
    (line,) = (each for each in capsys.readouterr().err.splitlines() if "left out" in each)
    assert line.startswith("No file for april-5, ausgrid, ausgrid-16, ")
    assert line.endswith(", young_people: left out (tier or path is null; data/README.md).")


def test_data_that_are_absent_hold_up_no_figure_of_other_data(jobs):
    """What the jobs of a figure's tables read is one dataset at most, but of what compares them."""
    makers = {str(path): job for job in jobs for path in job.output}

    def datasets(path):
        if re.match(r"data/prepared/[\w-]+(/\d+|)\.parquet", path) or "nyc_taxi/" in path:
            return {path.removeprefix("data/prepared/").split("/")[0].removesuffix(".parquet")}
        inputs = makers[path].input if path in makers else []
        return {each for file in map(str, inputs) for each in datasets(file)}

    drawing = [job for job in jobs if str(job.output[0]).startswith("results/figures/")]
    assert drawing
    several = {
        job.rule.name
        for job in drawing
        if len(set().union(*(datasets(str(path)) for path in job.input))) > 1
    }
    assert several == {"noiseless_figures_sets"}


def test_every_figure_has_an_entry_and_labels_of_its_own(workflow, papers, root):
    labels = []
    for paper in papers:
        folder = root / f"workflow/noiseless/papers/{paper}/figures"
        entries = load_yaml(folder / "figures.yaml")
        drawn = {
            re.sub(r"{(\w+),.*?}", r"{\1}", str(path)).rpartition("/")[2].removesuffix(".png")
            for rule in workflow.rules
            for path in rule.output
            if str(path).startswith(f"results/figures/{paper}/") and str(path).endswith(".png")
        }
        assert drawn == set(entries), paper
        captions = {path.stem for path in folder.glob("*.rst")}
        assert captions == {re.sub("_{(homes|recording)}$", "", name) for name in entries}, paper
        labels += [(paper, *map(str, entry.values())) for entry in entries.values()]
    assert len(set(labels)) == len(labels)


@pytest.fixture
def read(root, tmp_path):
    """Reads the rules in a folder of the user's, with some keys of the configuration."""

    def rules(where=root, **keys):
        shutil.copytree(root / "config", tmp_path / "config", dirs_exist_ok=True)
        # JSON is YAML.
        (tmp_path / "my.json").write_text(json.dumps(keys))
        with reading(where, tmp_path, "config/smoke.yaml", "my.json") as found:
            return dict(found._workflow.globals)

    return rules


@pytest.fixture
def refusal(read):
    """What a person is told of rules that cannot be read."""

    def said(*where, **keys):
        with pytest.raises(WorkflowError) as caught:
            read(*where, **keys)
        return str(caught.value)

    return said


@pytest.mark.parametrize(
    ("dataset", "files"),
    [
        ("london", ["informations_households.csv", "block_{0}.csv"]),
        ("nyc_taxi", ["trips{1}.csv"]),
        ("redd", ["labels.dat", "channel_1.dat", "channel_{2}.dat"]),
    ],
)
def test_braces_in_names_that_snakemake_reads_are_one_line(refusal, tmp_path, dataset, files):
    (tmp_path / "mine").mkdir()
    for file in files:
        (tmp_path / "mine" / file).touch()
    said = refusal(data={dataset: {"tier": "local", "path": "mine"}}).splitlines()[-1]
    assert said == (
        f"data.{dataset}: mine/{files[-1]} has braces in its name, which Snakemake takes for "
        "wildcards. Rename it."
    )


def test_braces_in_the_name_of_the_checkout_are_one_line(refusal, root, tmp_path):
    checkout = tmp_path / "my {own} checkout"
    (checkout / "workflow").mkdir(parents=True)
    shutil.copy(root / "Snakefile", checkout)
    said = refusal(checkout).splitlines()[-1]
    assert f"'{checkout}/workflow': a run fails in a folder whose path holds '{{'" in said


def test_a_key_that_is_wrong_is_one_line_of_the_rules(refusal):
    said = refusal(knowledge={"composition": {"dimension": 9}}).splitlines()[-1]
    assert "my.json: unknown key `knowledge.composition.dimension`. Did you mean `dim" in said


def test_no_sample_stands_beside_real_homes(root, tmp_path):
    """Nor do homes of the user's, which have figures of their own."""
    shutil.copytree(root / "config", tmp_path / "config")
    (tmp_path / "some.csv").touch()
    homes = {
        "swiss": {"path": "some.csv"},
        "mine": {"path": "some.csv", "resolution": "days", "public_range_kwh": 60},
    }
    for sets, expected in (
        (homes, ["swiss"]),
        ({"mine": homes["mine"]}, ["ausgrid", "london"]),
    ):
        (tmp_path / "my.json").write_text(json.dumps({"homes": sets}))
        with reading(root, tmp_path, "config/smoke.yaml", "my.json") as read:
            assert read._workflow.globals["COMPARED_HOMES"] == expected


def test_the_picture_of_the_rules_is_up_to_date_and_names_rules(root):
    """`make docs` draws it."""
    picture = (root / "docs/pictures/rules.svg").read_text(encoding="utf-8")
    script = runpy.run_path(str(root / "workflow/schemas/write_rules_picture.py"))
    assert script["render_picture"]() == picture
    assert "](pictures/rules.svg)" in (root / "docs/running.md").read_text(encoding="utf-8")
    files = [root / "Snakefile", *(root / "workflow/rules").glob("*.smk")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in files)
    rules = set(re.findall(r"^ *rule (\w+):$", text, re.MULTILINE))
    drawn = set(re.findall(r"\b[a-z]+_[a-z_]+\b", picture))
    assert len(drawn) > 10
    assert drawn <= rules
