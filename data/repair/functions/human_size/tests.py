from solution import human_size


def test_bytes_have_no_decimal():
    assert human_size(999) == "999 B"


def test_kilobytes_have_one_decimal():
    assert human_size(1000) == "1.0 KB"
    assert human_size(65890) == "65.8 KB"


def test_a_million_bytes_are_a_megabyte():
    assert human_size(999999) == "999.9 KB"
    assert human_size(1000000) == "1.0 MB"


def test_gigabytes_are_the_last_unit():
    assert human_size(999999999) == "999.9 MB"
    assert human_size(1234500000000) == "1234.5 GB"
    assert human_size(2399000000) == "2.3 GB"
