from hypothesis import given, settings
from hypothesis import strategies as st
from solution import pack_fields

FIELDS = st.lists(st.tuples(st.integers(0, 20), st.integers(1, 4)), max_size=4)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(FIELDS)
def test_number_equals_its_binary_text(fields):
    text = "".join(f"{value % 2**width:0{width}b}" for value, width in fields)
    assert pack_fields(fields) == int(text or "0", 2)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(FIELDS, FIELDS)
def test_packing_in_two_steps_is_packing_once(first, second):
    assert pack_fields(second, pack_fields(first)) == pack_fields(first + second)


def test_bits_alone():
    assert pack_fields([(1, 1), (0, 1), (1, 1)]) == 5


def test_a_wide_field():
    assert pack_fields([(1, 1), (0, 8)]) == 256
