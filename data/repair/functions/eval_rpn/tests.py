from solution import eval_rpn


def test_two_numbers_are_added():
    assert eval_rpn("2 3 +") == 5


def test_order_matters_in_a_difference():
    assert eval_rpn("7 2 -") == 5


def test_signs_use_the_last_two_results():
    assert eval_rpn("2 3 4 * +") == 14


def test_malformed_text_has_no_value():
    assert eval_rpn("1 +") is None
    assert eval_rpn("1 2") is None
