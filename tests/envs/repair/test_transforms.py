"""Offers and what applying them does to the text."""

import ast
import subprocess
import sys

import pytest

from env_lib.envs.repair.transforms import REGISTRY, Offer, TransformError, apply, offers

PRICE = '''\
def price(amounts, members=None, limit=10):  # in cents
    """Adds up."""
    total = 0
    for amount in amounts:   # one each
        if amount > limit and not members:
            total += max(amount, 1)

    return total  # done
'''


def ids_on(source, line):
    return [offer.transform_id for offer in offers(source) if offer.line == line]


def test_a_transformation_changes_its_place_and_leaves_layout_and_comments():
    changed = apply(PRICE, "replace_greater_than_with_greater_equal", 5)
    assert changed == PRICE.replace("amount > limit", "amount >= limit")


def test_a_guard_goes_after_the_docstring_with_the_answer_that_the_function_gives():
    changed = apply(PRICE, "add_empty_guard:amounts:zero", 3)
    guard = "    if not amounts:\n        return 0\n"
    assert changed == PRICE.replace("    total = 0\n", f"{guard}    total = 0\n")


def test_a_guard_in_a_loop_skips_the_turn():
    changed = apply(PRICE, "add_none_guard:amount:continue", 5)
    assert "        if amount is None:\n            continue\n        if amount > limit" in changed


def test_an_annotated_function_is_offered_answers_of_its_type():
    source = "def name(who: str | None) -> str:\n    return who.title()\n"
    assert {i for i in ids_on(source, 2) if i.startswith("add_none_guard")} == {
        "add_none_guard:who:empty_string"
    }


def test_a_shared_default_becomes_none_and_is_filled_in():
    source = "def keep(item, kept=[]):\n    kept.append(item)\n    return kept\n"
    assert apply(source, "make_default_none:kept", 2) == (
        "def keep(item, kept=None):\n    if kept is None:\n        kept = []\n"
        "    kept.append(item)\n    return kept\n"
    )


def test_ends_move_as_sums():
    source = "def head(xs, n):\n    return xs[:n]\n"
    once = apply(source, "shift_slice_stop_down", 2)
    assert "xs[:n - 1]" in once
    assert apply(once, "shift_slice_stop_up", 2) == source


def test_several_places_on_a_line_are_numbered_in_reading_order():
    source = "def f(a, b):\n    return g(True, False)\n"
    assert [i for i in ids_on(source, 2) if i.startswith("flip")] == [
        "flip_boolean",
        "flip_boolean#2",
    ]
    assert "g(True, True)" in apply(source, "flip_boolean#2", 2)


def test_offers_stand_in_the_order_of_the_lines_and_are_the_same_each_time():
    found = offers(PRICE)
    assert [offer.line for offer in found] == sorted(offer.line for offer in found)
    assert len(set(found)) == len(found)
    assert offers(PRICE + "") == found


def test_every_offer_applies_and_gives_other_python():
    before = ast.dump(ast.parse(PRICE))
    for offer in offers(PRICE):
        assert ast.dump(ast.parse(apply(PRICE, *offer))) != before, offer


def test_only_offered_names_are_in_the_offers():
    names = {offer.transform_id.partition("#")[0].partition(":")[0] for offer in offers(PRICE)}
    assert names <= {name for name, entry in REGISTRY.items() if entry.offered}


def test_a_number_finds_room_where_a_minus_needed_no_space():
    source = "def f():\n    return-1\n"
    assert "return(0)" in apply(source, "increment_constant", 2)


@pytest.mark.parametrize(
    ("transform_id", "line", "said"),
    [
        ("replace_greater_with_less", 5, "known: "),
        ("remove_guard", 5, "unknown transformation 'remove_guard'"),
        ("remove_not", 3, "it applies on line 5"),
        ("use_other_variable:nothing", 5, "use_other_variable:"),
        ("swap_arguments", 99, "swap_arguments does not apply on line 99; it applies on line 6"),
        ("remove_not", 99, "it applies on line 5"),
        ("flip_boolean", 3, "on line 3: "),
    ],
    ids=["unknown", "not offered", "line", "variant", "far", "beyond", "nowhere"],
)
def test_an_error_says_what_would_have_been_right(transform_id, line, said):
    with pytest.raises(TransformError) as error:
        apply(PRICE, transform_id, line)
    assert said in str(error.value)


@pytest.mark.parametrize(
    "source",
    [
        "def f(:\n",
        "x = '\0'\n",
        "x = " + "-" * 300 + "1\n",
        "x = " + "1 + " * 900 + "1\n",
        "x = 1\n" * 20_000,
    ],
    ids=["syntax", "null", "deep", "hanging", "long"],
)
def test_an_unreadable_source_has_no_offers_and_is_no_crash(source):
    assert offers(source) == []
    with pytest.raises(TransformError, match="needs Python to work on"):
        apply(source, "increment_constant", 1)


def test_a_change_in_the_text_alone_is_the_change_in_the_tree():
    from env_lib.envs.repair.corpus import functions
    from env_lib.envs.repair.transforms_survey import survey

    spliced = 0
    for function in list(functions().values())[::8]:
        found = survey(function.source)
        for site in found.sites:
            path, new = site.build()
            text = found._spliced(path, new)
            assert text in (None, found.rebuilt(path, new))
            spliced += text is not None
    assert spliced > 200


@pytest.mark.parametrize(
    ("source", "transform_id", "changed"),
    [
        ("x = (1)\n", "increment_constant", "x = (2)\n"),
        ("x = 1if y else 2\n", "increment_constant", "x = 2if y else 2\n"),
        ("x = 1\r\ny = 3\r\n", "increment_constant", "x = 2\r\ny = 3\r\n"),
        ("x = 'é', 1\n", "increment_constant", "x = 'é', 2\n"),
        ("x = (\n    1 +\n    2)\n", "increment_constant", "x = (\n    2 +\n    2)\n"),
    ],
)
def test_a_change_fits_its_surroundings(source, transform_id, changed):
    line = next(offer.line for offer in offers(source) if offer.transform_id == transform_id)
    assert apply(source, transform_id, line) == changed


def test_an_empty_source_has_no_offers():
    assert offers("") == []


def test_libcst_and_the_diff_reader_are_loaded_by_their_first_use_only():
    script = (
        "import sys; from env_lib.envs.repair import edits, mutate, transforms; "
        "print({'libcst', 'unidiff'} & set(sys.modules)); transforms.offers('x = 1'); "
        "print('libcst' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["set()", "True"]


def test_an_offer_is_a_plain_pair():
    assert Offer("remove_not", 5) == ("remove_not", 5)
