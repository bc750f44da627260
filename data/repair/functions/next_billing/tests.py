from solution import next_billing


def test_the_day_stays_in_the_next_month():
    assert next_billing(2023, 4, 15) == (2023, 5, 15)


def test_december_is_followed_by_january():
    assert next_billing(2023, 12, 31) == (2024, 1, 31)
    assert next_billing(2023, 11, 31) == (2023, 12, 31)


def test_the_day_is_cut_to_the_month():
    days = [next_billing(2023, month, 31)[2] for month in range(1, 13)]
    assert days == [28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 31]


def test_many_months_pass_years():
    assert next_billing(2023, 5, 9, 30) == (2025, 11, 9)
    assert next_billing(2023, 12, 9, 12) == (2024, 12, 9)
