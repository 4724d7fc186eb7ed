"""Files that are written whole or not at all."""

import pytest

from noiseless.files import complete_file


def test_failed_write_leaves_what_was_there(tmp_path):
    target = tmp_path / "deep" / "t.txt"
    with complete_file(target) as partial:
        partial.write_text("old")

    def fail():
        with complete_file(target) as partial:
            partial.write_text("new, but")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert target.read_text() == "old"
    assert [each.name for each in target.parent.iterdir()] == ["t.txt"]
