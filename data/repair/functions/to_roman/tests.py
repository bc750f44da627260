from solution import to_roman


def test_units_are_added():
    assert to_roman(8) == "VIII"


def test_four_and_nine_are_short():
    assert to_roman(4) == "IV"
    assert to_roman(9) == "IX"


def test_tens_come_first():
    assert to_roman(37) == "XXXVII"


def test_forty_and_fifty():
    assert to_roman(44) == "XLIV"
    assert to_roman(56) == "LVI"
