from solution import lru_hits


def test_a_key_is_missed_once():
    assert lru_hits(["a", "a", "a"], 2) == 2


def test_the_oldest_key_is_dropped():
    assert lru_hits(["a", "b", "c", "a"], 2) == 0


def test_use_makes_a_key_young():
    assert lru_hits(["a", "b", "a", "c", "a"], 2) == 2


def test_size_is_the_number_of_keys():
    assert lru_hits(["a", "b", "c", "a"], 3) == 1
