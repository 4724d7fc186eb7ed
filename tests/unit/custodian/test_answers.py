"""What a custodian of meters is told, from tables whose every number is known."""

from noiseless.custodian.answers import meters_answer
from recommended import AIMS, RELEASES, recommendation_tables


def words_of(answer):
    return " ".join([*(text for _, text in answer.points), *answer.sentences])


def test_the_answer_for_meters():
    answer = meters_answer(recommendation_tables(), **AIMS)
    assert answer.headline == "Publish weekly means of at least 64 homes, rounded to 2 kWh a day."
    text = words_of(answer)
    assert "wrong by 0.57 kWh a day (5.7 %; at most 6.3 % for as many other homes)" in text
    assert "in 55 of 100 games (50 to 59 for as many other homes)" in text
    assert "From one value: in 51 of 100" in text  # 50 + 50 * 0.025
    assert "It is certain (95 %) for homes like yours that it stays at most 60 of 100" in text
    assert "easiest to find: in 67 of 100; the home that is easiest to find: in 75" in text
    assert "One who knows every other home in the mean: 96 of 100 games" in text
    assert "learned from 150 of your homes" in text
    assert "two 1 times" in text
    assert "named in 54 to 56 of 100 games" in text
    assert "Never recommended" in text
    assert "8 homes rounded to 50 kWh" in text
    assert [title for title, _ in answer.options] == ["Daily means", "Weekly means"]


def test_what_is_not_certain_is_not_to_be_published():
    tables = recommendation_tables(certain=0)
    answer = meters_answer(tables, **AIMS)
    assert answer.headline == (
        "The best that we found, not shown to be safe: weekly means of at least 64 homes, rounded "
        "to 2 kWh a day."
    )
    assert "is not certain" in words_of(answer)
    assert "It is certain" not in words_of(answer)
    assert any("More homes" in each for each in answer.helps)
    assert not any(each.startswith("Weekly means") for each in answer.publish)


def test_too_few_homes_are_the_headline_and_what_helps_is_said():
    releases = {key: (*numbers[:-1], 0) for key, numbers in RELEASES.items()}
    tables = recommendation_tables(releases, certain=0)
    answer = meters_answer(tables, **AIMS)
    assert answer.headline == "300 homes are too few: no mean of them was shown to be safe."
    assert "weekly means of 64 homes" in answer.sentences[0]
    assert any("More homes" in each for each in answer.helps)
    assert any("Laplace noise with the same error: 56 of 100" in each for each in answer.helps)
    assert not any("means of" in each.lower() for each in answer.publish)


def test_where_no_rounding_is_useful_the_answer_says_so():
    releases = {key: (*numbers[:-2], 0, 0) for key, numbers in RELEASES.items()}
    tables = recommendation_tables(releases, certain=0)
    answer = meters_answer(tables, **AIMS)
    assert answer.headline.startswith("Nothing that was tried is good enough")
    assert "keeps the mean within 10 %" in answer.sentences[0]


def test_few_homes_get_what_can_be_said():
    tables = recommendation_tables({(4, 1.0, 1): (0.9, 0.9, 0.3, 0, 1, 0)}, possible=0)
    answer = meters_answer(tables, **AIMS)
    assert answer.headline == "300 homes are too few for a recommendation."
    assert (
        "Daily means of 4 of your homes, rounded to 1 kWh, are wrong by 3 %" in answer.sentences[1]
    )
    assert "95 of 100 games" in answer.sentences[1]
