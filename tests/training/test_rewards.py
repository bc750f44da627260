"""What TRL's trainer is told of sampled answers."""

from env_lib.training.rewards import flat_share


def test_a_group_is_flat_where_all_its_answers_earned_the_same():
    assert flat_share([0, 0, 1, 1], [0.5, 0.5, 1.0, -1.0]) == 0.5
    assert flat_share([0, 1, 0, 1], [0.5, 1.0, 0.5, 1.0]) == 1.0
    assert flat_share([7, 7, 7], [0.1 + 0.2, 0.3, 0.31]) == 0.0
