from solution import camel_to_snake


def test_a_capital_starts_a_word():
    assert camel_to_snake("maxRetryCount") == "max_retry_count"


def test_the_first_letter_gets_no_underscore():
    assert camel_to_snake("PageSize") == "page_size"


def test_capitals_in_a_row_stay_together():
    assert camel_to_snake("parseURL") == "parse_url"


def test_a_capital_after_one_letter():
    assert camel_to_snake("aB") == "a_b"
