"""Rules read messages and signatures; exploits stay at the floor, on tasks made by hand."""

import pytest

from env_lib.envs.drift import guessing, reading
from env_lib.envs.drift.action import DriftObservation
from env_lib.envs.drift.env import DriftEnv
from env_lib.envs.drift.policies import (
    EXPLOITS,
    POLICIES,
    RIGHT,
    Guided,
    Noop,
    PrimitiveSearch,
    SignatureReader,
    TracebackReader,
    audit_policies,
)
from env_lib.envs.drift.records import Change
from env_lib.rollout import run_episode
from tests.envs.drift.made_tasks import ALL, LOUD, OVERLAY, SILENT, SWITCH

UNEXPECTED = "Config.__init__() got an unexpected keyword argument 'step'"
MESSAGES = {
    "did you mean a keyword": (
        "TypeError", f"{UNEXPECTED}. Did you mean 'steps'?", ("rename_kwarg", "step", "steps"),
    ),
    "unexpected keyword": ("TypeError", UNEXPECTED, ("drop_kwarg", "step", "")),
    "did you mean an attribute": (
        "AttributeError", "'Frame' object has no attribute 'itmes'. Did you mean: 'items'?",
        ("rename_symbol", "itmes", "items"),
    ),
    "did you mean an import": (
        "ImportError", "cannot import name 'Conf' from 'lib' (lib.py). Did you mean: 'Config'?",
        ("rename_symbol", "Conf", "Config"),
    ),
    "use instead": (
        "AttributeError", "`np.infty` was removed in the NumPy 2.0 release. Use `np.inf` instead.",
        ("rename_symbol", "infty", "inf"),
    ),
    "renamed to": (
        "TypeError", "`skip` has been renamed to `jump`.", ("rename_symbol", "skip", "jump"),
    ),
    "a column": (
        "ValueError", "Column 'txt' not in the dataset. Current columns: ['text', 'label']",
        ("rename_column", "txt", "text"),
    ),
}  # fmt: skip


def seen(message="", error_type="", code="x = 1\n", line=1, **more):
    return DriftObservation(
        prompt="", error_type=error_type, message=message, code=code, line=line, **more
    )


@pytest.mark.parametrize(("kind", "message", "wanted"), MESSAGES.values(), ids=MESSAGES)
def test_a_message_is_read(kind, message, wanted):
    first = next(reading.from_message(seen(message, kind)))
    assert (first.primitive, first.old, first.new) == wanted


def test_a_message_that_recommends_nothing_suggests_nothing():
    assert list(reading.from_message(seen("list index out of range", "IndexError"))) == []


CALL = "from lib import Config\nConfig(step=3, size=2)\n"


def test_a_signature_is_read_for_the_likest_free_parameter():
    told = "lib.Config(size=1, max_steps=4, verbose=False)"
    found = list(reading.from_signature(seen(UNEXPECTED, code=CALL, line=2), told))
    assert found[0] == Change("rename_kwarg", "", "step", "max_steps")
    assert Change("drop_kwarg", "", "step", "") in found
    assert not any(change.new == "size" for change in found), "it is in use"


def test_with_nothing_like_it_a_keyword_is_dropped_before_its_like_in_kind_are_tried():
    told = "lib.Config(size=1, verbose=False, times=4)"
    found = list(reading.from_signature(seen(UNEXPECTED, code=CALL, line=2), told))
    assert found == [
        Change("drop_kwarg", "", "step", ""), Change("rename_kwarg", "", "step", "times"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("message", "code", "wanted"),
    [
        (UNEXPECTED, CALL, "lib.Config"),
        ("'Frame' object has no attribute 'x'", "from lib import Frame\n", "lib.Frame.x"),
        ("'Frame' object has no attribute 'x'", "import lib\n", "lib.Frame.x"),
        ("module 'numpy' has no attribute 'x'", "", "numpy.x"),
        ("cannot import name 'x' from 'a.b' (c)", "", "a.b.x"),
        ("list index out of range", "", ""),
    ],
)
def test_what_is_worth_a_look_is_named(message, code, wanted):
    obs = seen(message, code=code, line=2, versions=(("lib", "1"),))
    assert guessing.wanted_look(obs) == wanted


def played(policy, task):
    return run_episode(DriftEnv(scenario=task.tier, split="test", task=task), policy())


@pytest.mark.parametrize("task", ALL.values(), ids=ALL)
def test_noop_solves_nothing(task):
    metrics = played(Noop, task).metrics
    assert metrics["solved"] == metrics["visible_solved"] == 0.0


def test_the_readers_and_the_search_solve_more_the_more_they_look():
    solved = {
        policy.name: {t.id for t in (*ALL.values(), SWITCH) if played(policy, t).metrics["solved"]}
        for policy in (TracebackReader, SignatureReader, PrimitiveSearch)
    }
    assert solved["traceback_reader"] == set()
    assert {"loud", "silent"} <= solved["signature_reader"] < solved["primitive_search"]
    assert {OVERLAY.id, SWITCH.id} <= solved["primitive_search"]


def test_the_signature_reader_looks_first():
    steps = played(SignatureReader, LOUD).steps
    assert [step.action["action_type"] for step in steps] == ["inspect", "apply"]


@pytest.mark.parametrize("name", [*EXPLOITS, *audit_policies()])
def test_exploits_earn_nothing_and_solve_nothing(name):
    policy = {**POLICIES, **audit_policies()}[name]
    for task in (LOUD, SILENT):
        episode = played(policy, task)
        assert episode.total_reward < 0
        assert episode.metrics["solved"] == 0.0


def test_the_search_leaves_the_episode_as_it_is():
    env = DriftEnv(scenario="D1", split="test", task=LOUD)
    obs = env.reset()
    policy = PrimitiveSearch()
    policy.start(env, 0)
    before = env.state
    list(policy.suggestions(obs))
    assert env.state == before


def test_a_right_script_is_the_furthest():
    assert RIGHT > (1, -1, 0) > (0, 99, 0)


@pytest.mark.parametrize(
    ("message", "code", "wanted"),
    [
        (
            "`np.str` was a deprecated alias for the builtin `str`. To avoid this, use `str`",
            "import numpy as np\nx = np.str\n",
            Change("replace_symbol", "", "np.str", "str"),
        ),
        (
            "`regex` is removed. use `pattern` instead",
            "x = Field(regex='a')\n",
            Change("rename_kwarg", "", "regex", "pattern"),
        ),
    ],
)
def test_a_message_that_names_what_stands_there_now_is_followed(message, code, wanted):
    assert next(iter(reading.from_message(seen(message, code=code, line=2)))) == wanted


def test_guided_writes_no_name_of_an_overlay_that_was_not_seen():
    env, guided = DriftEnv(task=OVERLAY), Guided()
    obs = env.reset(seed=0)
    guided.start(env, 0)
    while not obs.done:
        action = guided(obs)
        if action.action_type == "apply":
            assert action.new in obs.prompt
        obs = env.step(action)
    assert obs.metadata["held_out"]["solved"] == 1.0
    assert obs.step > 1, "the name is found by a look"


def test_guided_looks_before_it_repairs():
    done = run_episode(DriftEnv(task=LOUD), Guided(), seed=0)
    assert [step.action["action_type"] for step in done.steps] == ["inspect", "apply"]
    assert done.metrics["solved"] == 1.0
