"""The curriculum climbs by mastery, fades what is old, and can be switched off."""

from env_lib.training.curriculum import FLOOR, Curriculum

NAMES = ("E0", "E1", "E2", "E3", "E4", "E5")


def test_the_next_scenario_unlocks_at_mastery_and_not_before():
    climb = Curriculum(NAMES, mastery=0.7)
    for _ in range(10):
        climb.record("E0", 0.6)
    assert climb.unlocked == 1
    for _ in range(20):
        climb.record("E0", 0.9)
    assert climb.unlocked == 2


def test_few_or_scattered_scores_unlock_nothing():
    climb = Curriculum(NAMES, mastery=0.7)
    for _ in range(2):
        climb.record("E0", 1.0)
    assert climb.unlocked == 1
    scattered = Curriculum(NAMES, mastery=0.7)
    for score in (0.1, 1.4, 0.2, 1.5, 0.3, 1.3):
        scattered.record("E0", score)
    assert scattered.unlocked == 1


def test_earlier_scenarios_fade_and_never_vanish():
    climb = Curriculum(NAMES, mastery=0.5)
    for name in NAMES[:5]:
        for _ in range(6):
            climb.record(name, 1.0)
    weights = climb.weights()
    assert climb.unlocked == 6
    assert weights["E5"] == max(weights.values())
    assert min(weights.values()) >= FLOOR / 3
    assert abs(sum(weights.values()) - 1) < 1e-9


def test_uniform_draws_all_alike():
    drawn = Curriculum(NAMES, mastery=0.7, uniform=True).draw(12)
    assert sorted(drawn) == sorted(NAMES * 2)


def test_a_dumped_state_goes_on():
    climb = Curriculum(NAMES, mastery=0.5)
    for _ in range(6):
        climb.record("E0", 0.8)
    again = Curriculum(NAMES, mastery=0.5)
    again.load(climb.dump())
    assert again.rows(1) == climb.rows(1)
