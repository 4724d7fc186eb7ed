"""How rules ran."""

import dataclasses

from noiseless.page.run_times import read_run_times


def test_run_times_of_all_jobs_of_a_rule(tmp_path):
    head = "run_time_s\tcpu_time_s\tpeak_memory_mb\n"
    (tmp_path / "shards").mkdir()
    for folder in ("results/games", "results/robustness/seed_3/games"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "london.tsv").write_text(f"{head}1\t1\t50\n")
        (tmp_path / f"{folder}_theory.tsv").write_text(f"{head}0.5\t0.5\t40\n")
    (tmp_path / "one.tsv").write_text(f"{head}3.5\t2.0\t150.25\n")
    (tmp_path / "shards" / "0.tsv").write_text(f"{head}2\t1.5\t90\n")
    (tmp_path / "shards" / "1.tsv").write_text(f"{head}4\t2.5\t80\n")
    found = read_run_times(tmp_path)
    assert [each.rule for each in found] == ["shards", "one", "games", "games_theory"]
    assert dataclasses.astuple(found[0]) == ("shards", 2, 6.0, 4.0, 90.0)
    assert dataclasses.astuple(found[1]) == ("one", 1, 3.5, 2.0, 150.25)
    assert dataclasses.astuple(found[2]) == ("games", 1, 1.0, 1.0, 50.0)
