"""Command ``noiseless``: what the library and the reference say, from a shell.

1. ``levels``: how many bins does a budget allow?
2. ``choose-epsilon``: how large may epsilon be, so that an adversary stays below a bound?
3. ``verdicts``: what held of the papers, in the reference results?
4. ``check``: what does the function of one statement find, here and now?
5. ``compare``: what do mechanisms reveal at the same error, or budget?
6. ``game``: does an adversary find a home in a mean?  With a threshold, the exit code says whether
   one is shown to reach it, so that a script can stop such a release.  No exit code means that a
   release keeps below it.
7. ``samples``: made-up homes, trips and people, as files of the docs' recipes.

Each is one call of the library, and its help shows the call.  A mistake of the user is one line on
the standard error output and exit code 2.
"""

import argparse
import csv
import io
import math
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from importlib import resources
from textwrap import indent
from typing import Any, NoReturn

from noiseless import __version__
from noiseless.adversaries.labels import drop_controls
from noiseless.errors import ConfigError, DataError, UserError

MEASURES = ("f-score", "advantage", "true-positives", "accuracy", "posterior")
VERDICT_COLUMNS = (
    "statement",
    "paper",
    "category",
    "locator",
    "quote",
    "claim",
    "verdict",
    "because",
    "came_out",
    "data",
    "stand_ins",
)
# What a place is called in short, by its name; both are found by either.
_ABBREVIATIONS = {
    "figure": r"figs?\.?|figures",
    "section": r"secs?\.?|sections",
    "equation": r"eqs?\.?|equations",
}
EXIT_ABOVE_THRESHOLD, EXIT_USER_ERROR = 1, 2
_PREDICTED_ADVANTAGE = 0.05  # the "almost zero" of Figure 3, where no threshold is given


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line, by default with the words of the process.

    The exit code is 0; 1 where an adversary is shown to reach a threshold; 2 where the user has to
    change something.
    """
    options, code = _build_parser().parse_args(arguments), 0
    try:
        answer: Callable[[argparse.Namespace], int | None] = options.answer
        code = answer(options) or 0
        sys.stdout.flush()
    except UserError as error:
        print(f"noiseless: {error}", file=sys.stderr)
        return EXIT_USER_ERROR
    except BrokenPipeError:  # the reading process, such as `head`, has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return code


# Levels -------------------------------------------------------------------------------------------


def _run_levels(options: argparse.Namespace) -> None:
    """Run ``noiseless levels``: print how many levels a budget allows."""
    from noiseless.mechanisms.families.quantizer import (
        Quantizer,
        compute_local_levels,
        compute_printed_levels,
    )
    from noiseless.mechanisms.interface import Domain
    from noiseless.theory.levels import compute_exact_levels

    low, high = options.range
    if options.people < 1:
        raise ConfigError(f"--people is {options.people}, but it must be 1 or more.")
    if options.people == 1:
        count = compute_local_levels(options.epsilon_bits)
        reason = "of one person who reports alone, floor(2^epsilon)"
    else:
        limits = {"output_range": (low, high), "sensitivity": (high - low) / options.people}
        count = compute_exact_levels(options.epsilon_bits, **limits)
        printed = compute_printed_levels(options.epsilon_bits, **limits)
        reason = f"of the mean of {options.people} people (Theorem 8 as printed: {printed})"
    quantizer = Quantizer(Domain((low,), (high,)), count)
    width = (high - low) / count
    print(f"{count} levels {reason}.")
    print(
        f"On [{low:g}, {high:g}] each is {width:g} wide: a report is off by {width / 2:g} at most."
    )
    bits = quantizer.compute_mean_guarantee(options.people).bits
    print(f"One person can choose among 2^{bits:.4g} reports: {bits:.4g} bits.")


# Epsilon ------------------------------------------------------------------------------------------


def _run_choose_epsilon(options: argparse.Namespace) -> None:
    """Run ``noiseless choose-epsilon``: print the largest epsilon that keeps a bound."""
    from noiseless.accounting import epsilon

    measures: dict[str, Callable[[], epsilon.Measure]] = {
        "f-score": lambda: epsilon.FScore(options.beta),
        "advantage": epsilon.Advantage,
        "true-positives": lambda: epsilon.TruePositives(options.false_alarm),
        "accuracy": epsilon.Accuracy,
        "posterior": lambda: epsilon.Posterior(options.tail),
    }
    choice = epsilon.choose_epsilon(
        measures[options.measure](),
        options.bound,
        mechanism=options.mechanism,
        answers=options.answers,
        delta=options.delta,
        prior=options.prior,
    )
    if not choice.is_feasible:
        print(f"No epsilon keeps the bound. {choice.explanation}")
        return
    print(f"epsilon = {choice.epsilon_nats:.4g} nats for each answer. {choice.explanation}")
    if math.isfinite(choice.noise) and choice.noise > 0:
        print(f"Noise for a sensitivity of 1: {choice.noise:.4g}. Multiply by that of your query.")


# Verdicts -----------------------------------------------------------------------------------------


def load_reference_verdicts() -> list[dict[str, str]]:
    """Load the rows of the reference results that the package carries.

    They have :data:`VERDICT_COLUMNS`.
    """
    file = resources.files("noiseless") / "ledger" / "verdicts.csv"
    if not file.is_file():
        raise DataError(
            "this copy of noiseless has no reference results (noiseless/ledger/verdicts.csv). "
            "Install a release, or run `make reference` in the project."
        )
    reader = csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"), newline=""))
    lacking = [name for name in VERDICT_COLUMNS if name not in (reader.fieldnames or ())]
    if lacking:
        raise DataError(
            f"the reference results lack the column {lacking[0]!r}: install the package again."
        )
    return list(reader)


def load_reference_cells() -> list[dict[str, str]]:
    """Load the cells of printed tables from the reference results that the package carries."""
    file = resources.files("noiseless") / "ledger" / "cells.csv"
    return list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"), newline="")))


def _run_verdicts(options: argparse.Namespace) -> None:
    """Run ``noiseless verdicts``: print the reference verdicts that contain all words."""
    rows = load_reference_verdicts()
    papers = sorted({row["paper"] for row in rows})
    words = list(options.words)
    if options.paper is not None and options.paper not in papers:
        words.insert(0, options.paper)  # no paper's name, so it is a word to search
    paper = options.paper if options.paper in papers else None
    in_paper = [row for row in rows if paper in (None, row["paper"])]
    matches = [row for row in in_paper if all(_has_word(word, row) for word in words)]
    if not matches:
        raise ConfigError(
            f"no verdict contains {' and '.join(map(repr, words)) or 'rows'}. The papers are "
            f"{', '.join(papers)}; words are searched in names, places, quotes and verdicts, which "
            f"are {', '.join(sorted({row['verdict'] for row in rows}))}."
        )
    for line in _format_verdicts(matches, with_cells=options.cells):
        print(line)


def _has_word(word: str, row: dict[str, str]) -> bool:
    """Return whether a row contains a word, in any case and form; Figure 3 is not Figure 30."""
    wanted = re.escape(_spell_out(word)) + (r"(?!\d)" if word[-1:].isdigit() else "")
    return any(re.search(wanted, _spell_out(row[name] or "")) for name in VERDICT_COLUMNS)


def _spell_out(text: str) -> str:
    """Return a text in small letters, with ``Fig.``, ``Sec.`` and ``Eq.`` spelt out."""
    text = " ".join(text.casefold().split())
    for name, short in _ABBREVIATIONS.items():
        text = re.sub(rf"\b(?:{short})\s*(?=[\divx])", f"{name} ", text)
    return text


def _format_verdicts(rows: Sequence[dict[str, str]], *, with_cells: bool) -> Iterator[str]:
    """Format verdicts as lines of text, below each what makes it so and other data; and counts."""
    cells = load_reference_cells()
    for row in rows:
        statement = row["quote"] if row["quote"] != "-" else row["claim"]
        yield f"{row['verdict']:<22} {row['paper']}, {row['locator']}: {statement}"
        if row["because"] != "-":
            yield f"{'':<22} - {row['because']}"
        for came_out in row["came_out"].split(" | ") if row["came_out"] != "-" else ():
            yield f"{'':<22} - {came_out}"
        for stand_in in row["stand_ins"].split(" | ") if row["stand_ins"] != "-" else ():
            yield from (f"{'':<22} {line}" for line in _format_stand_in(stand_in))
        own = [each for each in cells if each["id"] == row["statement"]]
        if own and not with_cells:
            yield f"{'':<22} - {len(own)} cells are compared; --cells prints each"
        for each in own if with_cells else ():
            printed, found = (each[name] or "blank" for name in ("printed", "found"))
            yield f"{'':<22} - {each['cell']}: printed {printed}, computed {found}"
    counts = Counter(row["verdict"] for row in rows)
    yield ", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())) + "."


def _format_stand_in(text: str) -> list[str]:
    """Format what came out on a set of data that stands in, each reading on a line of its own."""
    said, *found = text.split(" || ")
    data, _, verdict = said.rpartition(": ")
    lead = f"- {data.partition(',')[0]}: {verdict}"
    if len(found) <= 1:
        return [lead + "".join(f" ({each})" for each in found)]
    return [lead, *(f"  - {each}" for each in found)]


def _run_check(options: argparse.Namespace) -> None:
    """Run ``noiseless check``: run a statement's function, and print what it found."""
    from noiseless.ledger.checks import check_statement
    from noiseless.statements.registry import Sizes

    sizes = Sizes.PAPER if options.complete else Sizes.SMOKE
    for line in check_statement(
        options.statement, sizes=sizes, seed=options.seed, results=options.results
    ):
        print(line)


# The membership game ------------------------------------------------------------------------------


def _run_game(options: argparse.Namespace) -> int:
    """Run ``noiseless game``: print the adversaries' advantages; return the exit code."""
    import numpy as np
    import pandas as pd

    from noiseless.games import own_arrays
    from noiseless.games.membership import WH_PER_KWH
    from noiseless.plugins import use_plugins
    from noiseless.reading.tidy_homes import read_tidy_homes

    if options.threshold is not None and not options.threshold > 0:
        raise ConfigError(f"--threshold is {options.threshold}, but it must be larger than 0.")
    with use_plugins(options.plugin):
        release = _build_release(options)
        homes = read_tidy_homes(
            options.file,
            resolution=options.resolution,
            largest_reading_kwh=options.largest_reading,
        )
        print(f"Read {options.file}: {homes.format_summary()}", flush=True)
        if options.resolution != "days":
            print(
                f"A reading is at most {release['maximum_wh'] / WH_PER_KWH:g} kWh, its share of "
                f"--range {options.range:g} kWh a day."
            )
        # Meters count whole Wh.
        whole_wh = np.rint(homes.energy_kwh * WH_PER_KWH).astype(int)
        named_wh = pd.DataFrame(whole_wh, index=list(homes.names))
        results = own_arrays.play_membership_game(
            own_arrays.Homes(named_wh, in_wh=True, allow_identical=options.allow_identical),
            **release,
            games=options.games,
            rng=options.seed,
        )
        absent = dict(results["not_played"][results["not_played"] != ""])
        absent |= _require_plugins_to_play(absent)
    played = results[results["not_played"] == ""]
    _print_results(played, absent)
    largest = own_arrays.bound_advantage(results)
    print(f"The largest advantage inside the 95 % intervals of these adversaries is {largest:.3f}.")
    if identical := int(results["identical"].iloc[0]):
        print(f"{identical} homes have the readings of another home and cannot be told from it.")
    code = _judge_best(played, options.threshold)
    _print_prediction(homes.energy_kwh, played, release, options.threshold)
    return code


def _print_prediction(
    energy_kwh: Any, played: Any, release: dict[str, Any], threshold: float | None
) -> None:
    """Print from how many homes on named adversaries are predicted to find less than a value."""
    from noiseless.theory.homes_needed import MIN_HOMES, MIN_READINGS, compute_homes_needed

    homes, readings = energy_kwh.shape
    if homes < MIN_HOMES or readings < MIN_READINGS:
        print(f"No prediction for more homes: it takes {MIN_HOMES} homes and {MIN_READINGS} times.")
        return
    advantage = threshold if threshold and threshold < 1 else _PREDICTED_ADVANTAGE
    print(
        f"Predicted for {readings} exact means of homes like these, an advantage below "
        f"{advantage:g}:"
    )
    knows = {"pair": (0.0, "the two homes"), "pair_known": (math.inf, "what is common to homes")}
    for name, (known, what) in knows.items():
        found = compute_homes_needed(energy_kwh, advantage, known=known)
        interval = f"{found.value:,.0f} [{found.low:,.0f}, {found.high:,.0f}]"
        print(f"  from {interval} homes in a mean on, of {name}, who knows {what};")
    print(
        f"  from {found.bound:,} on, of anybody who knows no reading of another member, if the "
        "others' sum is normal."
    )
    print(
        f"Means of more than {release['n']} homes were not played. Who knows readings of members "
        "gains more; other homes and days differ."
    )
    _print_misses(energy_kwh, played, release)


def _print_misses(energy_kwh: Any, played: Any, release: dict[str, Any]) -> None:
    """Print by how much the prediction of this game missed what was played."""
    from noiseless.games.membership import WH_PER_KWH
    from noiseless.theory.homes_needed import HomeSample

    levels, n = played["levels"].iloc[0], release["n"]
    if math.isnan(levels):  # a mechanism, whose error is not predicted
        return
    range_kwh = release["maximum_wh"] / WH_PER_KWH
    sample = HomeSample(energy_kwh, cell_kwh=n * range_kwh / levels, range_kwh=range_kwh)
    misses = []
    for name in ("pair", "pair_known"):
        if name in played.index:
            gained, known = played.loc[name, ["advantage", "known"]]
            predicted = sample.predict(n, known=known)[0]
            misses.append(f"{name} {gained:.3f} played, {predicted:.3f} predicted")
    print(f"At n = {n}: {'; '.join(misses)}.")


def _require_plugins_to_play(absent: dict[str, str]) -> dict[str, str]:
    """Return which plugins' adversaries do not play another game; raise ConfigError if none plays.

    ``absent`` has the reasons of those that could not play this one.
    """
    from noiseless.adversaries.interface import can_answer
    from noiseless.adversaries.registry import load_plugin_adversaries

    others = {
        each.name: absent.get(each.name, "")
        if can_answer(each, "prefer")
        else "it defines no `prefer`, the question of this game"
        for each in load_plugin_adversaries()
    }
    if others and all(others.values()):
        [(name, reason), *_] = others.items()
        raise ConfigError(f"no adversary of a plugin can play: {name!r}, as {reason}.")
    return {name: reason for name, reason in others.items() if reason}


def _print_results(played: Any, absent: dict[str, str]) -> None:
    """Print who played between how many homes and with what knowledge, and who did not and why."""
    homes, known = int(played["homes"].iloc[0]), int(played["known"].max())
    learning = f"{known} others are known to those who learn" if known else "no other home is known"
    print(f"{homes} homes play, the same games for all adversaries; {learning}.")
    shown = played.drop(columns=["homes", "identical", "not_played"])
    print(shown.round(3).to_string())
    by_reason: dict[str, list[str]] = {}
    for name, reason in absent.items():
        by_reason.setdefault(reason, []).append(name)
    for reason, names in by_reason.items():
        print(f"Did not play: {', '.join(names)}, as {reason}.")


def _judge_best(played: Any, threshold: float | None) -> int:
    """Print the best adversary, and whether it is shown to reach a threshold; return the exit code.

    All play the same number of games, so that no other one has an interval with higher ends.
    """
    informed = played.loc[drop_controls(played.index)]
    # An adversary who is mostly wrong wins by the opposite guess.
    best = informed["advantage"].abs().idxmax()
    value, *ends = informed.loc[best, ["advantage", "low", "high"]]
    low, high = sorted(-end for end in ends) if value < 0 else ends
    found = f"{best}, {abs(value):.3f} [{low:.3f}, {high:.3f}]"
    print(f"The best of the {len(informed)} adversaries that see the release: {found}.")
    if threshold is None:
        return 0
    if low >= threshold:
        print(f"Above the threshold of {threshold:g}: {best}.")
        return EXIT_ABOVE_THRESHOLD
    beginning = f"Not shown to be below the threshold of {threshold:g}"
    if high >= threshold:
        print(f"{beginning}: the interval of {best} reaches it. More games shorten it.")
    else:
        print(
            f"{beginning}: the interval of {best} ends before it, but these are not all "
            "adversaries."
        )
    return 0


def _build_release(options: argparse.Namespace) -> dict[str, Any]:
    """Build the arguments of the membership game that define the release of the means."""
    from noiseless.games.membership import WH_PER_KWH, compute_public_maximum_wh
    from noiseless.mechanisms.interface import Domain
    from noiseless.mechanisms.registry import load_mechanisms_for

    if options.n is None or options.range is None:
        raise ConfigError("give --n, the homes of a mean, and --range, the kWh of a day.")
    if not (math.isfinite(options.range) and options.range > 0):
        raise ConfigError(f"--range is {options.range}, but it must be larger than 0.")
    maximum_wh = compute_public_maximum_wh(options.range, resolution=options.resolution)
    release = {"n": options.n, "maximum_wh": maximum_wh}
    if options.mechanism is None:
        return release | {"epsilon_bits": options.epsilon_bits}
    domain = Domain((0.0,), (maximum_wh / WH_PER_KWH,), "kwh", people=options.n)
    known = {each.name: each for each in load_mechanisms_for(domain)}
    if options.mechanism not in known or options.parameter is None:
        named = [f"{name} ({each.get_parameter_name(domain)})" for name, each in known.items()]
        raise ConfigError(
            f"--mechanism must be one of {', '.join(named)}. Give the parameter in brackets by "
            "--parameter."
        )
    return release | {"mechanism": known[options.mechanism](domain, options.parameter)}


# Samples ------------------------------------------------------------------------------------------


def _run_samples(options: argparse.Namespace) -> None:
    """Run ``noiseless samples``: write made-up files, and print their columns."""
    from noiseless.data.samples.own_files import write_samples

    for path, table in write_samples(options.folder).items():
        print(f"{path}: {len(table)} rows of {', '.join(table.columns)}")
    print("All of it is made up.")


# Comparisons --------------------------------------------------------------------------------------


def _run_compare(options: argparse.Namespace) -> None:
    """Run ``noiseless compare``: play a file's comparison, print it and write its files."""
    keys = _load_comparison(options.file)
    results = keys.pop("results", "results/compare")

    from noiseless.papers.beyond.own_data import compare
    from noiseless.plugins import use_plugins

    with use_plugins(keys.pop("plugins", [])):
        found = compare(**keys)
        hidden = ["equal", "knows", "is_control", "won_share", "coin_share", "games", "homes"]
        shown = found.find_best().drop(columns=hidden, errors="ignore")
        print("The best adversary against each release:")
        print(shown.dropna(axis="columns", how="all").round(3).to_string(index=False))
        gaps = found.parameters[~found.parameters["is_attained"]]
        for (name, why), rows in gaps.groupby(["mechanism", "why_not"], sort=False):
            print(f"Not attained by {name}: {len(rows)} of its targets, as {why}.")
        print(found.describe_control())
        for path in found.save(str(results)):
            print(f"Written: {path}")


def _load_comparison(path: str) -> dict[str, Any]:
    """Load the file of a comparison; raise ConfigError if a key is unknown or missing."""
    try:
        from noiseless.settings import load_yaml, suggest_name
    except ImportError as error:
        raise ConfigError(
            f"`noiseless compare` needs {error.name}: install noiseless[workflow], or call "
            "noiseless.compare from Python."
        ) from None
    from inspect import signature

    from noiseless.papers.beyond.own_data import compare

    keys = load_yaml(path)
    known = [*signature(compare).parameters, "plugins", "results"]
    if not isinstance(keys, dict):
        raise ConfigError(f"{path}: it must have keys: data, public_range, ..., got {keys!r}.")
    if unknown := [str(key) for key in keys if key not in known]:
        raise ConfigError(
            f"{path}: unknown key `{unknown[0]}`.{suggest_name(unknown[0], known)} Known keys: "
            f"{', '.join(known)}."
        )
    if missing := [key for key in ("data", "public_range") if key not in keys]:
        raise ConfigError(f"{path}: key `{missing[0]}` is missing.")
    if not isinstance(keys["data"], str):
        raise ConfigError(f"{path}: `data` must be the path of a file, got {keys['data']!r}.")
    for key in ("plugins", "mechanisms", "adversaries"):
        listed = keys.get(key) or []
        if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
            raise ConfigError(f"{path}: `{key}` must be a list of names, got {listed!r}.")
    return keys


# The parser ---------------------------------------------------------------------------------------


def _build_parser() -> argparse.ArgumentParser:
    """Build the parser of all commands."""
    parser = _Parser(
        prog="noiseless",
        description="Privacy without noise: quantizers and what they guarantee, epsilons and what "
        "they mean, and what held of five papers.",
        epilog="`noiseless COMMAND --help` explains a command, with an example.",
    )
    parser.add_argument("--version", action="version", version=f"noiseless {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    levels = _add_command(
        commands,
        "levels",
        _run_levels,
        "how many bins a budget allows",
        "A quantizer reports the middle of the bin that holds a value. A budget of epsilon bits "
        "lets one person choose among at most 2^epsilon reports: more bits, more bins. Where the "
        "mean of many people is reported, one of them moves it little, so that it may have more.",
        "noiseless levels 2 --range 0 20              one home's kWh a day: 4 bins of 5 kWh\n"
        "noiseless levels 3 --range 0 20 --people 10  the mean of ten homes\n\n"
        "in Python: noiseless.compute_local_levels(2), noiseless.compute_exact_levels(3, ...)",
    )
    levels.add_argument("epsilon_bits", type=float, help="budget in bits, larger than 0")
    levels.add_argument(
        *("--range",), nargs=2, type=float, default=(0.0, 1.0), metavar=("LOW", "HIGH"),
        help="public range of a value (default: 0 1)",
    )  # fmt: skip
    levels.add_argument(
        "--people", type=int, default=1, help="people whose mean is reported (default: 1)"
    )

    choice = _add_command(
        commands,
        "choose-epsilon",
        _run_choose_epsilon,
        "the largest epsilon that keeps an adversary below a bound",
        "An adversary knows every record but one and tests whether that one is there. This finds "
        "the largest epsilon of differential privacy, in nats, for which no test does better than "
        "the bound. Measures: f-score (of precision and recall), advantage (true less false "
        "positives), true-positives (at few false alarms), accuracy (of the best guess), "
        "posterior (how likely the record is to the adversary afterwards).",
        "noiseless choose-epsilon f-score 0.9\n"
        "noiseless choose-epsilon advantage 0.2 --answers 10\n"
        "noiseless choose-epsilon posterior 0.1 --prior 0.01 --mechanism gaussian_analytic "
        "--delta 1e-6 --tail 0.05\n\n"
        "in Python: noiseless.choose_epsilon(noiseless.FScore(beta=1), 0.9)",
    )
    choice.add_argument("measure", choices=MEASURES, help="measure of the adversary's success")
    choice.add_argument("bound", type=float, help="largest value of the measure, from 0 to 1")
    for name, default, kind, text in (
        ("--beta", 1.0, float, "weight of recall in the F-score (default: 1)"),
        ("--false-alarm", 0.01, float, "false alarms of true-positives (default: 0.01)"),
        ("--tail", 0.0, float, "share of answers that may exceed a posterior (default: 0)"),
        ("--mechanism", "laplace", str, "laplace (default), gaussian_analytic, any, ..."),
        ("--answers", 1, int, "number of answers with noise of their own (default: 1)"),
        ("--delta", None, float, "for Gaussian noise"),
        ("--prior", 0.5, float, "probability of the record before the answers (default: 0.5)"),
    ):
        choice.add_argument(name, type=kind, default=default, help=text)

    verdicts = _add_command(
        commands,
        "verdicts",
        _run_verdicts,
        "what held of the papers, on real data",
        "Prints the verdicts of the reference results that come with the package, on the papers' "
        "own data, and below each its verdict on each set of data that stands in for them: holds, "
        "depends on the reading, needs a premise, misprint, slip, fails, open, or not tested; and "
        "what makes it so.",
        "noiseless verdicts\nnoiseless verdicts nsht\nnoiseless verdicts noiseless 'Fig. 3' fails\n"
        "noiseless verdicts 'Table 1' --cells",
    )
    verdicts.add_argument(
        "--cells", action="store_true", help="print each cell of a printed table, as computed, too"
    )
    verdicts.add_argument("paper", nargs="?", help="noiseless, nsht, deterministic, ...")
    verdicts.add_argument(
        "words", nargs="*", help="words that a verdict must contain (all of them)"
    )

    check = _add_command(
        commands,
        "check",
        _run_check,
        "what the function of one statement finds",
        "Runs the function that decides a statement, and those of its corrections, and prints what "
        "they found. The ids stand at the end of docs/errata.md, and `noiseless verdicts` finds a "
        "statement by words. One about an experiment's table looks at the results of a run.",
        "noiseless check noiseless-sec1-processing\n"
        "noiseless check knowledge-sec4.2-decrease --complete   all cases of the reference\n\n"
        "in Python: noiseless.ledger.checks.check_statement('noiseless-thm7')",
    )
    check.add_argument("statement", help="its id, such as noiseless-thm7")
    check.add_argument(
        "--complete", action="store_true", help="try all cases of the reference, not of a try"
    )
    check.add_argument("--seed", type=int, default=2019, help="of drawn cases (default: 2019)")
    check.add_argument("--results", default="results", help="folder of a run (default: results)")

    _add_game(commands)
    samples = _add_command(
        commands,
        "samples",
        _run_samples,
        "files of homes, trips and people to try the docs' recipes on",
        "Writes homes.csv, trips.csv and people.csv in the forms that docs/your-data.md describes. "
        "All of it is made up. A file that is there is not replaced.",
        "noiseless samples\nnoiseless samples some-folder",
    )
    samples.add_argument("folder", nargs="?", default=".", help="where (default: here)")
    _add_compare(commands)
    return parser


def _add_compare(commands: "argparse._SubParsersAction[_Parser]") -> None:
    """Add the command ``compare`` to the parser."""
    command = _add_command(
        commands,
        "compare",
        _run_compare,
        "mechanisms at the same error or budget, yours too: a table and a figure",
        "Plays the game of your data (homes, a meter, trips or people) against every mechanism at "
        "the same error, or at the same budget, and writes a table and a figure. FILE is YAML; its "
        "keys are the parameters of noiseless.compare, `plugins`, files with mechanisms or "
        "adversaries, and `results`, a folder (default: results/compare). Paths are relative to "
        "the folder in which it runs.",
        "noiseless compare mine.yaml\n\n"
        "mine.yaml:\n"
        "data: homes.csv\n"
        "public_range: 90          # kWh a day\n"
        "n: [4, 16]\n"
        "errors: [0.5, 1, 2]       # kWh; or budgets_bits, or budgets_nats\n"
        "plugins: [mine.py]\n\n"
        "in Python: noiseless.compare(...)",
    )
    command.add_argument("file", help="settings: data, public_range, n, errors, plugins, ...")


def _add_game(commands: "argparse._SubParsersAction[_Parser]") -> None:
    """Add the command ``game`` to the parser."""
    game = _add_command(
        commands,
        "game",
        _run_game,
        "whether an adversary finds a home in a released mean; an exit code for scripts",
        "Draws two homes of your file, one of which is in a mean, and lets adversaries who know "
        "the readings of both guess which one from what is released: a quantized mean "
        "(--epsilon-bits) or the release of a mechanism. An advantage of 0 is a coin toss, 1 is "
        "certainty. The file is CSV (or Parquet, with pyarrow) with the columns home, time and "
        "energy_kwh: a row for each home and time, such as 2024-01-31 or 2024-01-31 13:30, in "
        "standard time without a zone; further columns are ignored. Homes that lack a reading are "
        "excluded and counted. From 40 homes on, half of them are held out for adversaries who "
        "know other homes. With "
        "--threshold, the exit code is 1 if the interval of the best adversary lies above it, and "
        "0 otherwise, which does not mean that no adversary reaches it; 2 means a mistake in the "
        "command or the file.",
        "noiseless game homes.csv --n 8 --range 90 --epsilon-bits 2 --threshold 0.2\n"
        "noiseless game homes.csv --n 8 --range 90 --mechanism laplace --parameter 5\n\n"
        "in Python: noiseless.play_membership_game(...); of means that are published already, "
        "noiseless.play_released_membership_game(...)",
    )
    game.add_argument("file", help="readings: home, time, energy_kwh, a row for each home and time")
    game.add_argument(
        *("--resolution",), choices=("days", "hours", "half-hours"), default="days",
        help="interval of the readings (default: days)",
    )  # fmt: skip
    game.add_argument(
        *("--largest-reading",), type=float, metavar="KWH",
        help="largest plausible reading, of customers larger than homes (default: 1700 kWh a day)",
    )  # fmt: skip
    game.add_argument(
        "--allow-identical",
        action="store_true",
        help="play although homes have identical readings, and say how many",
    )
    for name, default, kind, text in (
        ("--n", None, int, "homes in a mean"),
        (
            "--range",
            None,
            float,
            "use of a day that is not clipped, in kWh; an hour has a 24th of it",
        ),
        ("--epsilon-bits", math.inf, float, "budget in bits (default: inf, the exact mean)"),
        ("--mechanism", None, str, "a mechanism, such as laplace, instead of --epsilon-bits"),
        ("--parameter", None, float, "its parameter, such as the scale of noise in kWh"),
        ("--games", 2000, int, "number of games (default: 2000)"),
        ("--seed", 1, int, "seed of the games (default: 1)"),
        ("--threshold", None, float, "exit with 1 if an adversary reaches this advantage, 0 to 1"),
    ):
        game.add_argument(name, type=kind, default=default, help=text)
    game.add_argument(
        "--plugin", action="append", default=[], help="a file with mechanisms or adversaries"
    )


def _add_command(
    commands: "argparse._SubParsersAction[_Parser]",
    name: str,
    answer: Callable[[argparse.Namespace], int | None],
    help: str,
    description: str,
    examples: str,
) -> argparse.ArgumentParser:
    """Add a command with its help and examples; return its parser."""
    parser = commands.add_parser(
        name,
        help=help,
        description=description,
        epilog=f"examples:\n{indent(examples, '  ')}",
        formatter_class=_HelpFormatter,
    )
    parser.set_defaults(answer=answer)
    return parser


class _Parser(argparse.ArgumentParser):
    """Argument parser that reports an error in one line."""

    def error(self, message: str) -> NoReturn:
        """Print the error in one line and exit with code 2."""
        self.exit(EXIT_USER_ERROR, f"{self.prog}: {message}. `{self.prog} --help` explains.\n")


class _HelpFormatter(argparse.HelpFormatter):
    """Help formatter that wraps the description and keeps the lines of examples."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        """Wrap a text, but return examples unchanged."""
        if text.startswith("examples:"):
            return text
        return super()._fill_text(text, width, indent)
