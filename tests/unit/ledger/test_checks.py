"""The function of one statement, run."""

import pytest

from noiseless.errors import ConfigError
from noiseless.ledger.checks import check_statement, find_statement


def test_a_statement_that_holds_has_no_counter_example():
    lines = list(check_statement("noiseless-thm7"))
    assert lines[0].startswith("noiseless-thm7: noiseless, Theorem 7")
    assert any(line.startswith("found:    holds, no exception in ") for line in lines)
    assert not any(line.startswith(("example", "because", "mend")) for line in lines)


@pytest.mark.parametrize(
    ("name", "said"), [("toy-thm1", "begins with a paper"), ("nsht-thm9", "Did you mean `nsht-thm")]
)
def test_another_name_is_refused(name, said):
    with pytest.raises(ConfigError, match=said):
        find_statement(name)
