"""The two kinds of guarantee."""

from noiseless.mechanisms.guarantees import BitsOfRange, NatsOfDifferentialPrivacy


def test_statistics_say_the_unit_and_delta_where_there_is_one():
    assert BitsOfRange(3.0).statistics == {"epsilon_bits": 3.0}
    assert NatsOfDifferentialPrivacy(3.0).statistics == {"epsilon_nats": 3.0}
    assert NatsOfDifferentialPrivacy(3.0, 0.1).statistics == {"epsilon_nats": 3.0, "delta": 0.1}
    assert BitsOfRange(3.0) != NatsOfDifferentialPrivacy(3.0)
