"""Errors of mypy are found in what it prints; ``make lint`` runs it on the package."""

import type_errors

OUTPUT = """\
workflow/noiseless/page/build.py:3: error: Incompatible types  [assignment]
workflow/noiseless/page/build.py:3: note: See the documentation
tests/typed_client.py:9: error: Incompatible types  [assignment]
Found 2 errors in 2 files (checked 210 source files)
""".splitlines()


def test_errors_are_found_of_all_files_or_of_one():
    assert type_errors.find_errors(OUTPUT) == [OUTPUT[0], OUTPUT[2]]
    assert type_errors.find_errors(OUTPUT, type_errors.CLIENT) == [OUTPUT[2]]
    assert type_errors.find_errors(OUTPUT[-1:]) == []
