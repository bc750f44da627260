from solution import should_retry


def test_server_errors_are_tried_again():
    assert should_retry(500, 1) is True
    assert should_retry(599, 1) is True


def test_too_many_requests_are_tried_again():
    assert should_retry(429, 2) is True


def test_the_limit_ends_it():
    assert should_retry(503, 3) is False


def test_other_statuses_are_final():
    assert should_retry(499, 1) is False
    assert should_retry(501, 1) is False
    assert should_retry(600, 1) is False
