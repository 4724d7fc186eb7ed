"""A function whose name begins with no verb is named with its file, its line and a remedy."""

import pytest

import function_names

GOOD = """
class Reader:
    def __init__(self):
        def compute_width():
            return 1

    @property
    def width(self):
        return 2

    def is_wide(self):
        return True


def _load_widths():
    return []
"""


@pytest.fixture
def check(tmp_path):
    def check(file, source):
        path = tmp_path / "workflow" / file
        path.parent.mkdir(parents=True)
        path.write_text(source)
        return function_names.check_names(tmp_path / "workflow")

    return check


def test_verbs_predicates_properties_and_dunder_methods_pass(check):
    assert check("noiseless/games/made_up.py", GOOD) == (4, [])


@pytest.mark.parametrize(
    ("file", "source", "place"),
    [
        ("noiseless/made_up.py", "\ndef _told():\n    pass\n", "noiseless/made_up.py:2: `_told`"),
        (
            "scripts/nsht/made_up.py",
            "class A:\n    def width_of(self):\n        pass\n",
            "scripts/nsht/made_up.py:2: `width_of`",
        ),
        (
            "noiseless/made_up.py",
            "def count_all():\n    async def cell():\n        pass\n",
            "noiseless/made_up.py:2: `cell`",
        ),
        (
            "rules/made_up.smk",
            "rule a:\n    input: 'b'\n\ndef seed_of(wildcards):\n    pass\n",
            "rules/made_up.smk:4: `seed_of`",
        ),
    ],
    ids=["function", "method", "nested function", "rule"],
)
def test_other_names_are_told_with_a_remedy(check, file, source, place):
    _, messages = check(file, source)
    assert len(messages) == 1
    assert messages[0].startswith(f"workflow/{place} begins with no verb. Rename it")


def test_every_exception_has_a_reason_and_a_file(root):
    for each in function_names.KNOWN["exceptions"]:
        assert each["reason"]
        assert any((root / "workflow").glob(each["files"])), each["files"]
        words = {name.strip("_").split("_")[0] for name in each["names"].split()}
        assert not words & function_names.VERBS
