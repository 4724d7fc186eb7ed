"""Keyed randomness: one stream for each set of coordinates."""

import ast

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import streams
from noiseless.papers.deterministic.information import random_relations
from noiseless.papers.knowledge.algorithm6 import draw_problem
from noiseless.papers.knowledge.appendix import branchings
from noiseless.papers.noiseless.cases import draw_maps, mechanisms
from noiseless.papers.nsht.cases import leaks, policies
from noiseless.papers.nsht.section_4 import _draw_densities, densities
from noiseless.pipeline.configuration import load_config
from noiseless.seeds import make_generator
from noiseless.theory.hypotheses import draw_policies

coordinates = st.lists(st.one_of(st.integers(), st.text(max_size=5)), max_size=4)


@given(st.integers(0, 2**63), coordinates, coordinates)
def test_streams_are_equal_only_for_equal_coordinates(seed, first, second):
    draws = [
        make_generator(seed, *each).integers(2**62, size=4).tolist() for each in (first, second)
    ]
    assert (draws[0] == draws[1]) == (first == second)


def test_streams_tell_types_apart_and_do_not_change():
    assert (
        make_generator(1, 1).random()
        != make_generator(1, 1.0).random()
        != make_generator(1, "1").random()
    )
    # A change here changes every published table: it needs a new version.
    assert make_generator(2019, "membership", "n", 4).integers(10**9) == 704792119


STREAMS = streams.find_streams()
# Loops in which all rounds draw the same, and why.
SHARED = {
    ("games/homes.py", "name"): "`cell` has it",
    ("games/homes.py", "release"): "`cell` has its mechanism and its target",
    ("papers/beyond/comparison_meter.py", "release"): "the same noise at all errors",
}


def test_the_streams_are_those_of_the_list():
    """A coordinate that is dropped, added or renamed changes every table drawn from the stream."""
    listed = yaml.safe_load(streams.LIST.read_text(encoding="utf-8"))
    assert len(STREAMS) > 60
    assert streams.build_list(STREAMS) == listed["calls"]
    assert streams.find_keys() == listed["keys"]


@pytest.mark.parametrize("stream", STREAMS, ids=lambda each: f"{each.file}:{each.call.lineno}")
def test_every_round_of_a_loop_draws_a_stream_of_its_own(stream):
    """What a loop runs over is in the key, so that random cases are not one case many times."""
    named = frozenset().union(*map(streams.find_names, stream.coordinates))
    reasons = {name for file, name in SHARED if file == stream.file}
    loops = [streams.find_names(loop.target) for loop in stream.loops]
    assert [names for names in loops if not names & (named | reasons)] == []


def draw(stream, changed=None):
    """Numbers of a stream whose coordinates that are no texts are 7, but for one of them."""
    key = []
    for place, each in enumerate(stream.coordinates):
        is_changed = place == changed
        if isinstance(each, ast.Constant):
            key.append(f"not {each.value}" if is_changed and place else each.value)
            if is_changed and not place:
                key[-1] += 1
        elif isinstance(each, ast.Starred):
            key += [7, 9 if is_changed else 8]
        else:
            key.append(9 if is_changed else 7)
    return make_generator(*key).integers(2**62, size=4).tolist()


@pytest.mark.parametrize("stream", STREAMS, ids=lambda each: f"{each.file}:{each.call.lineno}")
def test_every_coordinate_changes_what_is_drawn(stream):
    drawn = [draw(stream, changed) for changed in (None, *range(len(stream.coordinates)))]
    assert len({tuple(each) for each in drawn}) == len(stream.coordinates) + 1


@pytest.mark.parametrize("file", [None, "config/smoke.yaml"])
def test_random_cases_are_different_cases(file, root):
    """The numbers of cases that tables and settings name count none of them twice."""
    config = load_config(*([root / file] if file else []))
    seed, drawn = config["seed"], {}
    for universe in (policies, leaks, densities):
        sizes = universe.smoke if file else universe.paper
        for size in sizes["random"]:
            drawn[universe.name, size] = (
                _draw_densities(size, sizes["pairs"], seed)
                if universe is densities
                else draw_policies(size, sizes["maps"], reports=size, seed=seed)
            )
    sizes = mechanisms.smoke if file else mechanisms.paper
    for each in sizes["random_universes"]:
        drawn["guarantees", *each] = draw_maps(each, sizes["random_maps"], seed)
    drawn["relations",] = (
        each.pairs for each in random_relations.function(**random_relations.paper, seed=seed)
    )
    drawn["algorithm 6",] = (
        str(draw_problem(2, 2, number, epsilon_nats=0.5, seed=seed))
        for number in range(branchings.paper["problems"])
    )
    for name, cases in drawn.items():
        cases = list(cases)
        assert cases, name
        assert len(set(cases)) == len(cases), name
