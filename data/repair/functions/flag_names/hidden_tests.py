from hypothesis import given, settings
from hypothesis import strategies as st
from solution import flag_names

NAMES = st.lists(st.sampled_from(["r", "w", "x", "s"]), max_size=4, unique=True)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(0, 63), NAMES)
def test_names_equal_those_of_the_binary_text(mask, names):
    labels = [*names, *(f"bit {n}" for n in range(len(names), 8))]
    bits = reversed(f"{mask:08b}")
    expected = [label for label, bit in zip(labels, bits, strict=True) if bit == "1"]
    assert flag_names(mask, names) == expected


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(0, 255))
def test_unnamed_bits_add_up_to_the_mask(mask):
    shown = [int(name.removeprefix("bit ")) for name in flag_names(mask, [])]
    assert sum(2**bit for bit in shown) == mask


def test_a_high_bit():
    assert flag_names(16, ["a", "b"]) == ["bit 4"]


def test_the_lowest_bit():
    assert flag_names(1, ["a", "b"]) == ["a"]
