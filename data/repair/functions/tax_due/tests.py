from solution import tax_due


def test_the_lowest_rate():
    assert tax_due(1000) == 100


def test_the_middle_rate_applies_to_the_part_above():
    assert tax_due(3000) == 500


def test_the_highest_rate_applies_to_the_part_above():
    assert tax_due(6000) == 1300


def test_small_parts_are_rounded_down():
    assert tax_due(5002) == 900
    assert tax_due(9) == 0
    assert tax_due(-500) == 0
