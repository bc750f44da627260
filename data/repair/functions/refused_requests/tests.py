from solution import refused_requests


def test_a_full_bucket_serves_its_capacity():
    assert refused_requests([0, 0, 0], 2) == 1


def test_a_token_comes_back_each_second():
    assert refused_requests([0, 1, 2], 1) == 0


def test_the_bucket_holds_no_more_than_its_capacity():
    assert refused_requests([9, 9, 9], 1) == 2


def test_tokens_gather_while_nobody_asks():
    assert refused_requests([0, 0, 2, 2, 2], 2) == 1
