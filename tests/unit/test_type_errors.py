"""The list of type errors can only become shorter, and what has none stays so."""

import pytest

import type_errors

OUTPUT = """\
workflow/noiseless/page/build.py:3: error: Incompatible types  [assignment]
workflow/noiseless/page/build.py:3: note: See the documentation
workflow/noiseless/page/build.py:9: error: Incompatible types  [assignment]
workflow/noiseless/games/pairs.py:1: error: Incompatible types  [assignment]
Found 3 errors in 2 files (checked 210 source files)
"""


def test_errors_are_counted_by_file():
    assert type_errors.counted(OUTPUT) == {"page/build.py": 2, "games/pairs.py": 1}
    with pytest.raises(ValueError, match="elsewhere"):
        type_errors.counted("elsewhere.py:1: error: Incompatible types  [assignment]")


def test_more_errors_and_fewer_ones_are_told():
    found = {"page/build.py": 2}
    assert type_errors.differences(found, found) == []
    assert "where 1 are allowed" in type_errors.differences(found, {"page/build.py": 1})[0]
    assert "where 0 are allowed" in type_errors.differences(found, {})[0]
    assert "shortens" in type_errors.differences(found, {"page/build.py": 3})[0]
    assert "shortens" in type_errors.differences(found, found | {"gone.py": 1})[0]


def test_list_holds_files_that_exist_and_none_of_the_clean_ones(root):
    package = root / type_errors.PACKAGE
    for name in type_errors.CLEAN:
        assert (package / name).exists()
    for file, errors in type_errors.listed().items():
        assert (package / file).is_file(), file
        assert not type_errors.is_clean(file), file
        assert errors > 0
    assert type_errors.is_clean("games/pairs.py")


def test_shortening_never_lengthens():
    allowed = {"a.py": 2, "b.py": 5, "gone.py": 1}
    found = {"a.py": 3, "b.py": 4, "new.py": 1, "games/pairs.py": 1}
    assert type_errors.shortened(found, allowed) == {"a.py": 2, "b.py": 4}
