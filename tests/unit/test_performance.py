"""The page of measured times."""

import os
import sys

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from noiseless.files import compute_file_sha256
from noiseless.ledger.robustness import COLUMNS
from noiseless.reading.tidy_homes import read_tidy_homes


@pytest.fixture
def benchmarks(root, monkeypatch):
    monkeypatch.syspath_prepend(str(root / "tests" / "benchmarks"))


def test_the_page_is_what_was_measured(root, benchmarks):
    import page

    measured = (root / "tests/benchmarks/performance.md").read_text(encoding="utf-8")
    assert measured == page.page()
    assert page.comparison_table() in measured
    for name, parts in (
        ("tested", (page.times, page.comparison_table)),
        ("reference", (page.other_seeds_and_homes,)),
    ):
        path = root / f"docs/{name}.md"
        text = path.read_text(encoding="utf-8")
        assert text == page.with_measured(text, page.PARTS[path])
        assert all(part() in text for part in parts)


def test_the_page_says_of_each_peer_what_it_does_and_does_not(root, benchmarks):
    import page
    import peers
    from comparison import Peer
    from record import kept

    described = {
        (peer.does, peer.does_not) for peer in vars(peers).values() if isinstance(peer, Peer)
    }
    tested = (root / "docs/tested.md").read_text(encoding="utf-8")
    for row in kept("comparisons")["rows"]:
        peer = row["peer"]
        assert (peer["does"], peer["does_not"]) in described, row["name"]
        line = f"- **{peer['title']}** {peer['does']}. It does not {peer['does_not']}.\n"
        assert page.peers().count(line) == 1
        assert line in tested


def test_verdicts_that_change_are_counted_by_what_was_varied(tmp_path, monkeypatch, benchmarks):
    import page
    import record
    import robustness

    verdicts = {
        ("as run", "-"): ("reproduced", "differs", "not tested"),
        ("seed", "2"): ("reproduced", "differs", "reproduced"),
        ("half", "1"): ("differs", "differs", "reproduced"),
        ("half", "2"): ("differs", "not tested", "reproduced"),
    }
    rows = [
        (claim, *varied, verdict, "-")
        for varied, found in verdicts.items()
        for claim, verdict in zip("abc", found, strict=True)
    ]
    (tmp_path / "ledger").mkdir()
    for paper, claims in (("nsht", "ab"), ("knowledge", "c")):
        table = pd.DataFrame([row for row in rows if row[0] in claims], columns=list(COLUMNS))
        table.to_parquet(tmp_path / f"ledger/robustness_{paper}.parquet")
    monkeypatch.setattr(record, "MEASURED", tmp_path)
    monkeypatch.setattr(sys, "argv", ["robustness.py", str(tmp_path)])
    robustness.main()
    assert page.other_seeds_and_homes().splitlines() == [
        "- 1 other seeds, on which 2 tested claims depend",
        "- 2 random halves of the homes, on which 2 tested claims depend",
        "- the verdict on `a`, reproduced as run, depends on the homes (differs in 2 of 2)",
    ]
    # An experiment that refuses so few homes is no verdict, and a claim that was not is none.
    for path in (tmp_path / "ledger").iterdir():
        pd.read_parquet(path).query("claim != 'a'").to_parquet(path)
    robustness.main()
    assert page.other_seeds_and_homes().splitlines()[1:] == [
        "- 1 random halves of the homes, on which 1 tested claims depend",
        "- no verdict changes",
    ]


def test_a_page_without_its_marks_is_refused(benchmarks):
    import page

    with pytest.raises(ValueError, match="substring not found"):
        page.with_measured("# The reference run", page.PARTS[page.REFERENCE])


def test_no_other_outsider_gains_more_and_the_page_says_so(root, benchmarks):
    import fresh_outsiders

    rows = pd.read_json(fresh_outsiders.KEPT, lines=True)
    assert set(rows.loc[rows["days"] == 365, "levels"]) == {8, 32, 128}
    outsiders = rows[(rows["adversary"] != "normal") & (rows["adversary"] != "set")]
    assert (outsiders["low"] <= 0).all()
    sets = rows.loc[rows["adversary"] == "set", "value"]
    page = " ".join((root / "docs/membership-game.md").read_text(encoding="utf-8").split())
    assert f"gained {sets.min():.2f} to {sets.max():.2f} more" in page
    assert "None of them gained more than `normal` beyond its interval" in page


@pytest.mark.parametrize(
    ("part", "drawn"), [("groups", "trips"), ("homes", "homes"), ("growth", "growth")]
)
def test_the_pictures_are_of_what_was_measured(root, part, drawn):
    measured = root / f"tests/benchmarks/measured/{part}.json"
    with Image.open(root / f"tests/benchmarks/measured/{drawn}.png") as picture:
        assert picture.text["Table"] == compute_file_sha256(measured)


def test_what_more_trips_would_take_follows_from_powers(benchmarks):
    import page

    def rows(way, cpu_s, memory_mb, disk_gb):
        """Time to the power of one, memory of a half, and disk of nothing, then of one."""
        return [
            {
                **{"way": way, "epsilon_bits": 30, "trips": trips, "cpu_s": cpu_s * trips / 1e9},
                "peak_memory_mb": memory_mb * (trips / 1e9) ** 0.5,
                "peak_disk_gb": disk_gb * max(trips, 1e8) / 1e9,
            }
            for trips in (10**9, 10**7, 10**8)
        ]

    measured = [*rows("noiseless", 200, 1000, 20), *rows("1 of 8 partitions", 60, 2000, 4)]
    small = measured[0] | {"trips": 10**6, "cpu_s": 1e-9}
    words = " ".join(page.all_trips([small, small | {"epsilon_bits": 16}, *measured]).split())
    # 1.5 to the power of 1/2 is 1.22.
    assert "takes one job 300 s of processor time, 1.2 GB of memory and 30 GB of disk" in words
    assert "each job 90 s (720 s for all 8), 2.4 GB and 6 GB" in words
    assert "from 1,000,000,000 trips with the steepest power" in words


def test_growth_by_the_number_of_homes_is_its_power(tmp_path, monkeypatch, benchmarks):
    import page
    import record

    for module in (record, page):
        monkeypatch.setattr(module, "MEASURED", tmp_path)
    rows = [
        {"rule": "draw", "homes": homes, "cpu_s": s, "wall_s": s, "peak_memory_mb": memory}
        for homes, s, memory in ((1000, 8.0, 900), (100, 4.0, 300), (10_000, 800.0, 900))
    ]
    record.keep("homes", {"days": 365, "rows": rows})
    lines = [line for line in page.page().splitlines() if line.startswith("| `draw`")]
    assert [line.split(" | ")[-2:] for line in lines] == [
        ["", " |"],
        ["0.30", "0.48 |"],
        ["2.00", "0.00 |"],
    ]


def test_made_up_homes_are_read_and_their_tables_compared(tmp_path, monkeypatch, benchmarks):
    import scale_homes

    monkeypatch.setattr(scale_homes, "_BATCH_HOMES", 4)
    scale_homes.write_homes(tmp_path / "homes.csv", 9)
    found = read_tidy_homes(tmp_path / "homes.csv", resolution="days")
    assert found.energy_kwh.shape == (9, 365)
    assert len(np.unique(found.energy_kwh, axis=0)) == 9
    made, stay = tmp_path / "results/tables/membership.parquet", tmp_path / "stay"
    made.parent.mkdir(parents=True)
    made.write_bytes(b"one")
    for _ in range(2):
        scale_homes.keep_tables(tmp_path, stay)
    made.write_bytes(b"other")
    with pytest.raises(SystemExit, match=r"membership\.parquet: not the bytes of"):
        scale_homes.keep_tables(tmp_path, stay)
    assert (stay / made.name).read_bytes() == b"one"


def test_jobs_are_summed_by_rule(tmp_path, monkeypatch, benchmarks):
    import page
    import record

    import rules

    for name, seconds, memory in (("draw/a", 1.0, 90), ("draw/b", 2.5, 80), ("count", 3.0, 70)):
        path = tmp_path / "logs" / f"{name}.tsv"
        path.parent.mkdir(parents=True, exist_ok=True)
        numbers = f"{seconds}\t{seconds / 2}\t{memory}"
        path.write_text(f"run_time_s\tcpu_time_s\tpeak_memory_mb\n{numbers}\n")
        os.utime(path, (100 + seconds, 100 + seconds + memory))
    monkeypatch.chdir(tmp_path)
    for module in (record, page):
        monkeypatch.setattr(module, "MEASURED", tmp_path)
    monkeypatch.setattr(sys, "argv", ["rules.py", "smoke"])
    rules.main()
    text = page.page()
    assert "| `draw` | 2 | 3.5 | 2.5 | 90 |" in text
    assert "| `count` | 1 | 3.0 | 3.0 | 70 |" in text
    assert text.index("`draw`") < text.index("`count`")
    assert "of 2 rules with 3 jobs in all" in text
    assert "Most memory: `draw`, 90 MB." in text
    # The first job starts at 170 and the last one ends at 191.
    assert record.kept("rules_smoke")["wall_s"] == 21
    rules_paper = (tmp_path / "rules_smoke.json").read_text()
    (tmp_path / "rules_paper.json").write_text(rules_paper)
    told = "- the smoke run: 6 s in 3 jobs, two at a time, and 21 s of wall time (version "
    assert told in page.times()


def test_jobs_are_added_that_make_nothing_that_was_made_earlier(tmp_path, monkeypatch, benchmarks):
    import versions

    def write(path, text=""):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)

    for name in ("tables/knowledge/scan.csv", "tables/nsht/leakage_bound.csv", "figures/a/b.png"):
        write(f"results/{name}")
    earlier = versions.made_in(tmp_path)  # under today's names
    assert earlier == {
        "tables/knowledge/composition_scan",
        "tables/nsht/leakage_bound",
        "figures/a/b",
    }
    jobs = {
        "scan": (1.0, ["results/tables/knowledge/composition_scan.parquet"]),
        "both": (2.0, ["results/tables/nsht/leakage_bound.csv", "results/tables/nsht/new.csv"]),
        "new": (4.0, ["results/tables/a/new.parquet", "results/tables/a/newer.parquet"]),
        "drawn": (8.0, ["results/figures/a/new.png"]),
        "page": (16.0, ["results/index.html"]),
    }
    listed = ["output_file\tlog-file(s)"]
    for name, (seconds, files) in jobs.items():
        write(f"logs/{name}.tsv", f"run_time_s\tcpu_time_s\n9.0\t{seconds}\n")
        listed += [f"{file}\tlogs/{name}.log" for file in files]
    monkeypatch.setattr(versions, "snakemake", lambda *_, **__: "\n".join(listed))
    found = versions.added(tmp_path, tmp_path, "all", earlier, versions.SMOKE)
    assert found == {"jobs": 2, "processor_s": 12.0}
