"""Inputs are told apart by their content, and what was read is what the provenance says."""

import os

import pytest

from forked_snakemake import run_snakemake
from noiseless.data import contents
from noiseless.data.contents import compute_content_digests
from noiseless.data.prepare import identify_source, read_source
from noiseless.errors import DataError
from noiseless.files import compute_file_sha256

OLD_S = 10**9


def digest(path, tmp_path):
    return compute_content_digests({"path": path}, cache=tmp_path / "cache.json")["path"]


def test_digest_follows_the_content_whatever_the_times_say(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("first")
    first = digest(path, tmp_path)
    assert first == compute_file_sha256(path)[:16] == digest(path, tmp_path)
    # Another file of the same size and of an older date takes its place.
    other = tmp_path / "other.csv"
    other.write_text("other")
    os.utime(other, (OLD_S, OLD_S))
    other.replace(path)
    second = digest(path, tmp_path)
    assert second != first
    # It is changed in place, and its date set back.
    path.write_text("third")
    os.utime(path, (OLD_S, OLD_S))
    assert digest(path, tmp_path) not in (first, second)
    path.write_text("first")
    assert digest(path, tmp_path) == first


def test_a_file_is_read_once(tmp_path, monkeypatch):
    path = tmp_path / "data.csv"
    path.write_text("first")
    expected = digest(path, tmp_path)
    monkeypatch.setattr(contents, "compute_file_sha256", lambda _: pytest.fail("read again"))
    assert digest(path, tmp_path) == expected


@pytest.mark.parametrize("content", ["", "[1]", "{", '{"x": 3}'])
def test_a_damaged_cache_is_ignored(tmp_path, content):
    path = tmp_path / "data.csv"
    path.write_text("first")
    expected = digest(path, tmp_path)
    damaged = content.replace("x", str(path))
    (tmp_path / "cache.json").write_text(damaged)
    assert digest(path, tmp_path) == expected
    assert compute_content_digests({"a": tmp_path / "none"}, cache=tmp_path / "c") == {
        "a": "not here"
    }


def test_a_folder_is_its_names_and_contents(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "a.csv").write_text("1")
    found = [digest(folder, tmp_path)]
    (folder / "b.csv").write_text("1")
    found.append(digest(folder, tmp_path))
    (folder / "b.csv").rename(folder / "c.csv")
    found.append(digest(folder, tmp_path))
    (folder / "c.csv").write_text("2")
    found.append(digest(folder, tmp_path))
    assert len(set(found)) == 4


IDENTITY = {"dataset": "my-town", "tier": "local", "registered": {}}


def test_a_file_that_changes_while_it_is_read_is_an_error(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("first")
    files = {"path": path}
    result, source = read_source(path.read_text, files=files, **IDENTITY)
    assert (result, source.sha256) == ("first", compute_file_sha256(path))

    def read_and_change():
        text = path.read_text()
        path.write_text("other")
        return text

    with pytest.raises(DataError, match="changed while it was read"):
        read_source(read_and_change, files=files, **IDENTITY)


def test_the_digest_of_a_folder_is_that_of_all_its_files(tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.csv").write_text(name)
    before = identify_source(files={"path": tmp_path}, **IDENTITY)
    (tmp_path / "b.csv").write_text("c")
    assert identify_source(files={"path": tmp_path}, **IDENTITY) != before
    with pytest.raises(DataError, match="no such file"):
        identify_source(files={"path": tmp_path / "none"}, **IDENTITY)


SNAKEFILE = """
from noiseless.data.contents import compute_content_digests

rule copy:
    input:
        path="data.csv",
    output:
        "copy.csv",
    params:
        content=compute_content_digests({"path": "data.csv"}),
    shell:
        "cat {input} > {output}"
"""


@pytest.mark.slow
def test_snakemake_runs_again_for_an_older_file_of_another_content(tmp_path):
    (tmp_path / "Snakefile").write_text(SNAKEFILE)
    path = tmp_path / "data.csv"

    def run():
        code, output = run_snakemake(
            ["--cores", "1", "--quiet", "all"],
            folder=tmp_path,
            environment=os.environ,
            timeout_s=120,
        )
        assert code == 0, output
        return (tmp_path / "copy.csv").read_text(), (tmp_path / "copy.csv").stat().st_mtime_ns

    path.write_text("first")
    assert run()[0] == "first"
    (tmp_path / "older.csv").write_text("older")
    os.utime(tmp_path / "older.csv", (OLD_S, OLD_S))
    (tmp_path / "older.csv").replace(path)
    text, written = run()
    assert text == "older"
    assert run() == (text, written)
