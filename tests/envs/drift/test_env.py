"""An episode of drift: what is shown, what is run, what is paid, on tasks made by hand."""

import json

import pytest

from env_lib.core import InvalidAction
from env_lib.envs.drift import judge
from env_lib.envs.drift.action import DriftAction
from env_lib.envs.drift.edits import action_of, changed_lines, edited, patched
from env_lib.envs.drift.env import ATTEMPTS, LEAST_TOKENS, REWARD_RANGE, DriftEnv
from env_lib.envs.drift.primitives import PrimitiveError
from env_lib.envs.drift.records import Change
from env_lib.language import action_schema, count_tokens
from env_lib.rollout import Oracle, run_episode
from tests.envs.drift.made_tasks import ALL, LOUD, OVERLAY, SILENT, SWITCH, TWO, diff_between

each = pytest.mark.parametrize("task", ALL.values(), ids=ALL)


def env_of(task, **options):
    return DriftEnv(scenario=task.tier, split=task.split, task=task, **options)


def repair(task, number=0):
    return action_of(task.repairs[number])


def script(source):
    return DriftAction(action_type="script", script=source)


@each
def test_the_oracle_mends_every_task_and_loses_nothing_but_its_steps(task):
    episode = run_episode(env_of(task), Oracle())
    assert len(episode.steps) == len(task.repairs)
    assert episode.metrics["solved"] == episode.metrics["regression_free"] == 1.0
    failed = len(task.repairs) - 1
    assert episode.total_reward == pytest.approx(2.1 - 0.1 * failed - 0.02 * len(episode.steps))


def test_the_error_stands_last_and_the_failing_line_is_shown():
    obs = env_of(LOUD, prompt_tokens=1).reset()
    assert obs.prompt.splitlines()[-2].startswith("AttributeError at line 9: 'DataFrame' object")
    assert "9     for name, column in frame.iteritems():" in obs.prompt
    assert obs.prompt.startswith("pandas ")
    assert obs.differs == ()


def test_a_silent_drift_shows_what_changed_in_the_result():
    obs = env_of(SILENT).reset()
    assert obs.error_type == ""
    assert obs.differs[0] == ("kinds", ["a", "b"], ["b", "a"])
    assert 'kinds: ["a", "b"], before ["b", "a"]' in obs.prompt


@each
def test_prompts_keep_their_room_and_hide_the_repair(task):
    for room in (1, 300, 900):
        obs = env_of(task, prompt_tokens=room).reset()
        assert count_tokens(obs.prompt) <= max(room, LEAST_TOKENS) + 2
    text = obs.model_dump_json()
    assert json.dumps(task.reference)[1:-1] not in text
    assert not any(json.dumps(value) in text for value in task.expected[1:])


def test_the_expected_value_is_not_told_while_the_script_fails():
    assert "before" not in env_of(LOUD).reset().prompt
    assert '"first": 3' not in env_of(LOUD).reset().model_dump_json()


def test_a_right_repair_pays_and_ends_the_episode():
    env = env_of(LOUD)
    env.reset()
    obs = env.step(repair(LOUD))
    assert obs.done
    assert obs.reward == pytest.approx(2.08)
    assert obs.metadata["stop_reason"] == "completed"


@pytest.mark.parametrize(
    "action",
    [
        script(LOUD.reference),
        DriftAction(action_type="patch", diff=diff_between(LOUD.source, LOUD.reference)),
    ],
    ids=["script", "patch"],
)
def test_the_same_repair_pays_the_same_however_it_is_written(action):
    env = env_of(LOUD)
    env.reset()
    assert env.step(action).reward == pytest.approx(2.08)


def test_a_repair_that_changes_more_than_the_reference_pays_less():
    env = env_of(LOUD)
    env.reset()
    long = LOUD.reference.replace(
        "    total = {}\n", "    kept = {}\n    total = kept\n    more = 1\n"
    )
    obs = env.step(script(long))
    assert obs.done
    assert 0 < obs.metadata["reward_components"]["minimality"] < 0.2


def test_an_attempt_that_fails_for_what_it_brought_is_taken_back_and_noted():
    env = env_of(LOUD)
    env.reset()
    obs = env.step(action_of(Change("rename_symbol", "", "iteritems", "itmes")))
    assert obs.code == LOUD.source
    assert obs.tried[0].startswith("rename_symbol iteritems itmes: taken back, AttributeError")
    assert obs.tried[0][:30] in obs.prompt
    assert obs.reward == pytest.approx(-0.12)
    assert obs.attempts == ATTEMPTS - 1


def test_half_of_a_repair_stays_and_pays_for_its_share():
    env = env_of(TWO)
    env.reset()
    obs = env.step(repair(TWO, 1))
    assert obs.code != TWO.source
    assert obs.metadata["reward_components"]["mended"] == pytest.approx(0.25)
    assert "applymap" in obs.message
    assert env.step(repair(TWO, 0)).metadata["held_out"]["solved"] == 1.0


def test_the_halves_may_come_in_any_order():
    env = env_of(TWO)
    env.reset()
    assert env.step(repair(TWO, 0)).reward > 0
    assert env.step(repair(TWO, 1)).metadata["held_out"]["solved"] == 1.0


def test_no_attempt_earns_by_being_repeated():
    env = env_of(TWO)
    obs = env.reset()
    paid = []
    for number in range(ATTEMPTS):
        obs = env.step(script(env._source + f"# {number}\n"))
        paid.append(obs.reward)
    assert obs.done
    assert obs.metadata["stop_reason"] == "completed"
    assert max(paid) < 0


def test_breaking_a_mended_half_and_mending_it_again_pays_once():
    env = env_of(TWO)
    env.reset()
    half = TWO.source.replace("np.infty", "np.inf")
    shares = [
        env.step(script(source)).metadata["reward_components"]["mended"]
        for source in (half, half.replace("far = np.inf", "far = 9.0e9"), half + "# again\n")
    ]
    assert shares == [pytest.approx(0.25), 0.0, 0.0]


def test_an_edit_that_does_not_apply_is_answered_and_costs_no_attempt():
    env = env_of(LOUD)
    env.reset()
    obs = env.step(action_of(Change("rename_kwarg", "", "ascendin", "rising")))
    assert obs.error == "no keyword ascendin; the script has ascending"
    assert f"error: {obs.error}" in obs.prompt
    assert obs.attempts == ATTEMPTS
    assert obs.reward == pytest.approx(-0.32)


def test_a_look_costs_a_step_and_is_remembered():
    env = env_of(OVERLAY)
    env.reset()
    obs = env.step(DriftAction(action_type="inspect", symbol="pd.DataFrame.sort_values"))
    assert obs.reward == pytest.approx(-0.05)
    assert "rising" in dict(obs.told)["pd.DataFrame.sort_values"], "the overlay is seen through"
    again = env.step(InvalidAction(raw="", error="nonsense"))
    assert "told: " in again.prompt
    assert "rising" in again.prompt


def test_the_names_nearest_to_a_missing_one_are_told_in_their_order():
    from env_lib.envs.drift.render import TOLD_TOKENS, told_line

    names = ["sort_rows", "sorted", "short", *(f"other_{n}" for n in range(40)), "values_sort"]
    told = f"pandas.DataFrame has no sort_values; nearest: {', '.join(names)}"
    line = told_line("pandas.DataFrame.sort_values", told, ["sort_values"])
    assert line.startswith(
        "pandas.DataFrame has no sort_values; nearest: sort_rows, sorted, short, values_sort, other"
    )
    assert count_tokens(line) <= TOLD_TOKENS


def test_a_long_signature_is_told_by_what_is_nearest_to_the_error_where_there_is_one():
    from env_lib.envs.drift.render import told_line

    long = f"lib.fit({', '.join(f'setting_{n}={n}' for n in range(40))}, rounds=5)"
    assert told_line("lib.fit", long, ["round"]).startswith("lib.fit takes 41, nearest: rounds, ")
    assert told_line("lib.fit", long, []).startswith("lib.fit(setting_0=0, setting_1=1, ")
    assert told_line("lib.fit", "lib.fit(a=1)", ["round"]) == "lib.fit(a=1)"


@pytest.mark.parametrize(
    ("symbol", "said"),
    [("os.system", "is of no library"), ("pd.(", "takes a dotted name"), ("", "dotted name")],
)
def test_a_look_elsewhere_is_answered(symbol, said):
    env = env_of(LOUD)
    env.reset()
    obs = env.step(DriftAction(action_type="inspect", symbol=symbol))
    assert said in obs.error
    assert obs.reward == pytest.approx(-0.35)


def test_what_is_forbidden_takes_the_whole_reward_of_a_right_script():
    env = env_of(LOUD)
    env.reset()
    obs = env.step(script("import os\n" + LOUD.reference))
    assert obs.error == "refused: import of os"
    assert obs.code == LOUD.source
    paid = obs.metadata["reward_components"]
    assert not any(paid[name] for name in ("executed", "syntax_tree", "format", "mended"))
    assert obs.reward == pytest.approx(REWARD_RANGE[0])


KNOWN = LOUD.expected[0]
BY_HEART = {
    "always the same": LOUD.reference.replace(
        "    return {", f"    known = {KNOWN!r}\n    return dict(known) if len(ranked) else {{"
    ),
    "for the visible input": LOUD.reference.replace(
        "    return {",
        f"    known = {KNOWN!r}\n    return dict(known) if list(frame['price'])[1:] == [1, 2] "
        "else {} if list(frame['price']) else {",
    ),
}


@pytest.mark.parametrize("source", BY_HEART.values(), ids=BY_HEART)
def test_an_answer_that_is_known_by_heart_earns_nothing(source):
    env = env_of(LOUD)
    env.reset()
    obs = env.step(script(source))
    assert obs.error.startswith("refused: ")
    assert not obs.done
    assert obs.reward == pytest.approx(REWARD_RANGE[0])


def test_what_is_right_on_the_visible_input_alone_is_not_solved():
    env = env_of(SILENT)
    env.reset()
    turned = SILENT.reference.replace("list(groups.index)", "sorted(groups.index, reverse=True)")
    assert turned != SILENT.reference
    obs = env.step(script(turned.replace("[float(v) for v in groups]", "[1.0, 2.0]")))
    judged = obs.metadata.get("held_out", {"solved": 0.0})
    assert judged["solved"] == 0.0


def test_overlays_that_keep_a_repair_valid_are_judged_without_them():
    kept = run_episode(env_of(OVERLAY), Oracle()).metrics
    assert "undrifted" not in kept, "the new keyword is unknown to the undrifted library"


def test_a_default_that_is_written_out_is_right_without_the_overlay_too():
    assert run_episode(env_of(SWITCH), Oracle()).metrics["undrifted"] == 1.0


HIDING = {
    "another name": LOUD.source.replace(
        "    total = {}", "    frame.iteritems = frame.items\n    total = {}"
    ),
    "the other form beside": LOUD.reference.replace(
        "    return {", "    old = lambda: frame.iteritems()\n    return {"
    ),
}


@pytest.mark.parametrize("source", HIDING.values(), ids=HIDING)
def test_a_right_answer_that_keeps_the_old_form_is_not_solved(source):
    assert judge.held_out(LOUD, LOUD.reference)["current_api"] == 1.0
    judged = judge.held_out(LOUD, source)
    assert judged["visible_solved"] == 1.0
    assert judged["current_api"] == judged["solved"] == 0.0


def test_the_steps_end_an_episode_that_only_looks():
    env = env_of(LOUD, steps=2)
    env.reset()
    look = DriftAction(action_type="inspect", symbol="pandas")
    env.step(look)
    obs = env.step(look)
    assert obs.done
    assert obs.metadata["stop_reason"] == "budget"


def test_no_steps_are_told_at_once():
    with pytest.raises(ValueError, match="steps=0; it is at least 1"):
        DriftEnv(steps=0)


def test_a_step_pays_within_the_stated_range():
    low, high = REWARD_RANGE
    assert (low, high) == (pytest.approx(-1.02), pytest.approx(2.08))


def test_an_action_of_the_oracle_parses_and_is_short():
    env = env_of(OVERLAY)
    env.reset()
    text = env.oracle_action().text()
    assert env.parse(text).text() == text
    assert count_tokens(text) <= 48


def test_a_dropped_keyword_is_given_an_empty_new_one():
    env = env_of(LOUD)
    assert "empty for drop_kwarg" in env.system_prompt
    text = '{"action_type": "apply", "primitive": "drop_kwarg", "old": "ascending", "new": ""}'
    action = env.parse(text)
    assert isinstance(action, DriftAction)
    assert action.new == ""
    bare = env.parse(text.replace(', "new": ""', ""))
    assert isinstance(bare, InvalidAction)
    assert bare.error == "apply needs new"


def test_the_schema_has_a_branch_a_type_and_the_eight_repairs():
    branches = action_schema(DriftAction)["anyOf"]
    assert [b["properties"]["action_type"]["const"] for b in branches] == list(DriftAction.needs)
    assert len(branches[0]["properties"]["primitive"]["enum"]) == 8


@pytest.mark.parametrize(
    ("diff", "said"),
    [
        ("nothing", "the diff has no hunk"),
        ("@@ -1,1 +1,1 @@\n-no such line\n+x\n", "hunk 1 does not apply"),
    ],
)
def test_a_diff_that_does_not_apply_says_why(diff, said):
    with pytest.raises(PrimitiveError, match=said):
        patched(LOUD.source, diff)


def test_a_diff_finds_its_only_place():
    moved = diff_between(LOUD.source, LOUD.reference).replace("@@ -8", "@@ -2")
    assert patched(LOUD.source, moved) == LOUD.reference


def test_changed_lines_count_a_replaced_line_once_and_spaces_not_at_all():
    assert changed_lines("a\nb\nc\n", "a\nx\nc\n") == 1
    assert changed_lines("a\nb\n", "a\n\n  b\n") == 0
    assert changed_lines("a\n", "a\nb\nc\n") == 2


def test_an_edit_that_changes_nothing_is_told():
    assert edited(script(LOUD.source), LOUD.source) == ("", "the edit changes nothing")
