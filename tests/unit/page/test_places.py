"""Places in a paper, however a locator spells them."""

import pytest

from noiseless.page.places import KINDS, find_places, group_places, list_enclosing_places
from noiseless.pipeline.sections import list_papers
from noiseless.statements.registry import load_statements


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("Fig. 3 and Section V.A, on Swiss homes", ["Figure 3", "Section V.A"]),
        ("fig 3", ["Figure 3"]),
        ("Figures 1, 2 and 3b", ["Figure 1", "Figure 2", "Figure 3b"]),
        ("Table 1, beta = 0.5, F = 0.55", ["Table 1"]),
        ("Proofs of Theorems IV.2 and IV.3, equal symbols", ["Theorem IV.2", "Theorem IV.3"]),
        (
            "Equations 2, 4, 7 and 13b (Proposition III.1)",
            ["Proposition III.1", *(f"Equation {each}" for each in ("2", "4", "7", "13b"))],
        ),
        ("Section 7, a filter that is never behind", ["Section 7"]),
        ("Appendix, Equation 26", ["Equation 26"]),
        ("Appendix B", ["Appendix B"]),
        ("Abstract", []),
        ("Section V.A, Adv", ["Section V.A"]),
    ],
)
def test_places_in_a_paper_are_found_in_a_text(text, places):
    assert sorted(find_places(text)) == sorted(places)


def test_place_is_found_by_what_it_is_a_part_of():
    assert list_enclosing_places("Figure 3a") == ["Figure 3a", "Figure 3"]
    assert list_enclosing_places("Section V.A") == ["Section V.A", "Section V"]
    assert list_enclosing_places("Table 1") == ["Table 1"]
    assert list_enclosing_places("Section 4.1.2")[1:] == ["Section 4.1", "Section 4"]


def test_places_are_grouped_and_in_a_readers_order():
    groups = group_places(
        ["Fig. 10", "Fig. 2b", "Figure 2", "Theorem V", "Theorem IX", "Theorem IV.2", "Table 1"]
    )
    assert groups == {
        "Figure": ["Figure 2", "Figure 10"],
        "Table": ["Table 1"],
        "Theorem": ["Theorem IV.2", "Theorem V", "Theorem IX"],
    }


def test_nearly_every_locator_names_a_place():
    locators = {each.where for each in load_statements(list_papers())}
    without = {each for each in locators if not find_places(each)}
    assert without <= {"Abstract"}
    assert set(group_places(locators)) <= set(KINDS)
