"""A sample of the mutants: breaking the code changes the verdict that judges it."""

import subprocess
import sys

import pytest

MUTANTS = "tests/mutants"


@pytest.fixture(scope="module")
def harness(root):
    sys.path.insert(0, str(root / MUTANTS))
    try:
        import harness

        yield harness
    finally:
        sys.path.remove(str(root / MUTANTS))


def test_rows_can_be_used(harness, root):
    """Every old text stands once in its file, and every claim is there."""
    from noiseless.ledger.claims import load_claims

    package = root / "workflow" / "noiseless"
    claims = {claim.id for claim in load_claims(package / "papers")}
    mutants = harness.read_mutants()
    assert len({each.name for each in mutants}) == len(mutants)
    for each in mutants:
        text = (package / each.file).read_text(encoding="utf-8")
        assert text.count(each.old) == 1, each.name
        assert each.old != each.new, each.name
        assert set(each.claims) <= claims, each.name


@pytest.mark.slow
def test_quick_mutants_change_verdicts(harness, root):
    quick = [each.name for each in harness.read_mutants() if each.quick]
    assert 4 <= len(quick) <= 8
    done = subprocess.run(
        [sys.executable, MUTANTS, *quick], cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(quick)} of {len(quick)} mutants change every verdict" in done.stdout


def test_a_mutant_that_changes_nothing_fails(harness):
    mutant = harness.Mutant("nothing", "a.py", "a", "b", ("toy-1",))
    result = harness.Result(mutant, {"toy-1": "reproduced"}, {"toy-1": "reproduced"})
    assert not result.as_expected
    assert "UNCHANGED" in harness.report([result])
    known = harness.Mutant("nothing", "a.py", "a", "b", ("toy-1",), open=True)
    assert harness.Result(known, result.before, result.after).as_expected
    assert not harness.Result(known, result.before, {"toy-1": "differs"}).as_expected


def test_page_of_quality_is_up_to_date_and_survivors_are_few(root, monkeypatch):
    """Every change that is on record can be made still; an equivalent one says why it is."""
    monkeypatch.syspath_prepend(str(root / MUTANTS))
    import sampled

    assert sampled.page() == (root / "docs" / "quality.md").read_text(encoding="utf-8")
    rows = sampled.load()
    assert len({sampled._key(row) for row in rows}) == len(rows) >= 40
    for row in rows:
        source = (root / sampled.PACKAGE / row["file"]).read_text(encoding="utf-8")
        assert sampled.put(source, row) != source
        assert row["outcome"] in ("killed", "equivalent", "survived")
        assert ("why" in row) == (row["outcome"] == "equivalent")
    assert sum(row["outcome"] == "survived" for row in rows) <= len(rows) / 20
    for tests in sampled.TESTS.values():
        assert all((root / "tests" / "unit" / name).is_file() for name in tests)


def test_a_change_is_one_line_of_code(root, monkeypatch):
    monkeypatch.syspath_prepend(str(root / MUTANTS))
    import random

    import sampled

    changes = sampled.draw(random.Random(1), ["mechanisms/families/laplace.py"])
    source = (root / sampled.PACKAGE / "mechanisms/families/laplace.py").read_text(encoding="utf-8")
    for _ in range(5):
        row = next(changes)
        changed = sampled.put(source, row)
        assert sampled.one_line(source, changed) == (row["line"], row["old"], row["new"])
        assert sampled._code(changed) != sampled._code(source)
    annotated = "def f(x: int | None) -> int | None:\n    return x\n"
    assert all(
        sampled.changed(annotated, *each) is None
        for found in sampled.places(annotated).values()
        for each in found
    )
