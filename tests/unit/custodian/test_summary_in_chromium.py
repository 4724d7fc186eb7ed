"""The page of a user's dataset in a browser: the answer fits a phone, axe-core finds no fault."""

import matplotlib.pyplot as plt
import pandas as pd
import pytest

from chromium import MODES
from noiseless.custodian.people import people_answer, people_tables
from noiseless.custodian.summary import summary_page
from noiseless.custodian.trips import release_table, trips_answer
from noiseless.papers.noiseless.trips import place_budget_table
from noiseless.seeds import generator
from noiseless.tables import Provenance

PHONE = (390, 844)
ANSWER_ENDS = "document.querySelector('.answer').getBoundingClientRect().bottom"
WIDER = "document.documentElement.scrollWidth > innerWidth"
ROWS = pd.DataFrame({"statement": ["A share."], "observed": [0.5]}).assign(
    **{"low": 0.4, "high": 0.6, "over": "days", "number": 10, "of": "trips"}
)


def of_people():
    draw = generator(2, "page")
    table = pd.DataFrame(
        {
            **{f"answer to question {k}": draw.integers(0, 9, 400).astype(float) for k in range(8)},
            "illness": draw.choice(["yes", "no"], 400),
        }
    )
    asked = {"identifying": list(table)[:-1], "sensitive": ["illness"], "k": 5, "diversity": 2}
    made = people_tables(table, **asked)
    return people_answer({f"people_{name}": each for name, each in made.items()}, None)


def of_trips():
    box = {"latitude_range_deg": [48.0, 49.0], "longitude_range_deg": [2.0, 3.0]}
    ends = ["pickup_latitude", "pickup_longitude", "dropoff_latitude", "dropoff_longitude"]
    rides = pd.DataFrame([[48.1, 2.1, 48.9, 2.9], [48.9, 2.9, 48.1, 2.1]] * 6000, columns=ends)
    hours = pd.to_timedelta(rides.index // 10, unit="h")
    rides["pickup_time"] = pd.Timestamp("2024-03-01") + hours
    asked = {"epsilon_bits": [1, 4], **box}
    made = release_table(rides, **asked, dataset="rides", seed=1)
    return trips_answer({"trips_release": made, "trips_budget": place_budget_table(**asked)})


@pytest.fixture(scope="module", params=["people", "trips"])
def page(request, tmp_path_factory):
    """The page of an answer to publish, with a figure; and the answer."""
    folder = tmp_path_factory.mktemp("own")
    figure, axes = plt.subplots()
    axes.plot([0, 1])
    figure.savefig(folder / "figure.png")
    plt.close(figure)
    answer = of_people() if request.param == "people" else of_trips()
    assert answer.is_to_publish
    drawn = [(folder / "figure.png", "A **figure**.")] * 2
    named = {"dataset": "my-town", "kind": request.param, "provenance": Provenance("code")}
    path = folder / "summary.html"
    path.write_text(summary_page(answer, ROWS, drawn, **named), encoding="utf-8")
    return path.as_uri(), answer


def test_one_screen_of_a_phone_says_what_counts(tab, page):
    url, answer = page
    tab.resize(*PHONE)
    tab.open(url)
    assert tab.evaluate(ANSWER_ENDS) <= PHONE[1]
    said = tab.evaluate("document.querySelector('.answer').innerText")
    for name in ("Error", "Risk", "From whom", "How sure"):
        assert name in said
    assert answer.headline in said
    assert "not" not in answer.headline
    assert not tab.evaluate(WIDER)
    assert [each for each in tab.requests if not each.startswith("data:image/png")] == [url]


@pytest.mark.parametrize(("width", "scheme"), MODES)
def test_axe_finds_nothing(tab, page, axe, width, scheme):
    url, _ = page
    tab.resize(width, 900)
    tab.prefer(scheme)
    tab.open(url)
    tab.evaluate("document.querySelector('details').open = true")
    assert tab.inaccessible(axe) == {}
    assert tab.complaints == []
