"""The command line: help, JSON, and an exit status that can be trusted."""

import io
import json
import subprocess
import sys

import pytest

import env_lib
from env_lib import cli
from env_lib.reverify import write_episodes


def run(capsys, *arguments):
    status = cli.main(list(arguments))
    return status, capsys.readouterr()


def run_json(capsys, *arguments):
    status, shown = run(capsys, *arguments, "--json")
    return status, json.loads(shown.out)


@pytest.mark.parametrize("command", [command.name for command in cli.COMMANDS])
def test_every_command_explains_itself_and_knows_json(capsys, command):
    with pytest.raises(SystemExit) as stop:
        cli.main([command, "--help"])
    assert stop.value.code == 0
    assert "--json" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["fly"],
        ["play"],
        ["play", "no_such_duty"],
        ["play", "triage", "--scenario", "E9"],
        ["play", "triage", "--policy", "nobody"],
        ["play", "triage", "--steps", "0"],
        ["play", "triage", "--steps", "2"],
        ["audit", "triage", "--seeds", "-1"],
        ["audit", "triage", "--split", "moon"],
        ["evaluate", "triage", "--policies", "nobody"],
        ["evaluate", "triage", "--yardstick", "train.csv"],
        ["evaluate", "triage", "--yardstick", "no/train.csv", "no/test.csv"],
        ["evaluate", "triage", "--yardstick", "train.txt", "test.txt"],
        ["evaluate", "triage", "--yardstick", "train.csv", "test.csv", "--steps", "9"],
        ["evaluate", "repair", "--yardstick", "train.csv", "test.csv"],
        ["reverify", "no/such/run"],
        ["generate", "triage"],
        ["generate", "repair"],
        ["run", "--profile", "huge"],
        ["validate", "triage", "--split", "moon"],
    ],
    ids=" ".join,
)
def test_bad_arguments_end_with_status_two_and_a_reason(capsys, arguments):
    with pytest.raises(SystemExit) as stop:
        cli.main(arguments)
    assert stop.value.code == 2
    assert len(capsys.readouterr().err) > 20


def test_the_module_runs_as_a_program():
    done = subprocess.run(
        [sys.executable, "-m", "env_lib", "list", "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["duties"] == env_lib.list_envs()


def test_list_names_duties_scenarios_and_policies(capsys):
    status, shown = run(capsys, "list")
    assert status == 0
    for word in ("triage", "E5", "test", "keyword_triager"):
        assert word in shown.out


def test_a_policy_can_be_watched_step_by_step(capsys):
    status, told = run_json(
        capsys, "play", "triage", "--scenario", "E1", "--steps", "8", "--policy", "oracle"
    )
    assert status == 0
    assert told["total_reward"] == pytest.approx(sum(step["reward"] for step in told["steps"]))
    status, shown = run(
        capsys, "play", "triage", "--scenario", "E1", "--steps", "8", "--policy", "oracle"
    )
    assert status == 0
    assert shown.out.count("workflow_efficiency -0.02") == len(told["steps"])
    assert "completed: " in shown.out


def test_a_shift_is_played_by_hand_until_the_player_leaves(capsys, monkeypatch):
    env = env_lib.make("triage", scenario="E0", split="test", steps=8)
    env.reset(seed=0)
    typed = f"what is this?\n{env.oracle_action().text()}\nq\n"
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    status, shown = run(capsys, "play", "triage", "--scenario", "E0", "--steps", "8")
    assert status == 0
    assert "You triage the issue queue" in shown.out
    assert "invalid_action -0.50" in shown.out
    assert "error: no JSON object at the start" in shown.out
    assert "action_match +1.00" in shown.out
    assert "running: 2 steps" in shown.out


def test_generated_episodes_hold_every_prompt_and_an_action_that_parses(capsys, tmp_path):
    file = tmp_path / "episodes.jsonl"
    arguments = [
        "generate",
        "triage",
        "--scenario",
        "E2",
        "--split",
        "train",
        "--n",
        "2",
        "--steps",
        "10",
        "--seed",
        "5",
    ]
    status, told = run_json(capsys, *arguments, "--out", str(file))
    assert (status, told["episodes"]) == (0, 2)
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert [row["seed"] for row in rows] == [5, 6]
    assert told["prompts"] == sum(len(row["steps"]) for row in rows)
    env = env_lib.make("triage", scenario="E2", split="train", steps=10)
    obs = env.reset(seed=5)
    for step in rows[0]["steps"]:
        assert step["prompt"] == obs.prompt
        obs = env.step(env.parse(json.dumps(step["action"])))
        assert obs.error == ""
    assert obs.done


def test_validate_checks_data_and_promises(capsys):
    status, told = run_json(capsys, "validate", "triage")
    assert {name: fault for name, fault in told["checks"].items() if fault} == {}
    assert (status, told["ok"]) == (0, True)
    assert "same trajectory in another process" in told["checks"]


def test_a_broken_promise_is_named_and_gives_status_one(capsys, monkeypatch):
    from env_lib.envs.triage import policies

    monkeypatch.setattr(policies, "NO_PROFIT", ("E0",))  # the quiet day pays anyone who labels
    monkeypatch.setattr(policies, "audit_policies", dict)
    status, told = run_json(capsys, "audit", "triage", "--seeds", "2", "--jobs", "1")
    assert (status, told["ok"]) == (1, False)
    broken = [promise["name"] for promise in told["promises"] if not promise["holds"]]
    assert broken == ["no exploit earns on E0"]


def test_evaluate_prints_the_table_and_writes_it(capsys, tmp_path):
    arguments = [
        "evaluate",
        "triage",
        "--policies",
        "random,oracle",
        "--scenario",
        "E0,E1",
        "--seeds",
        "2",
        "--jobs",
        "1",
    ]
    status, told = run_json(capsys, *arguments, "--steps", "10", "--out", str(tmp_path / "t.csv"))
    assert status == 0
    assert [(row["policy"], row["scenario"]) for row in told["rows"]] == [
        ("random", "E0"),
        ("oracle", "E0"),
        ("random", "E1"),
        ("oracle", "E1"),
    ]
    assert (tmp_path / "t.csv").read_text().startswith("policy,scenario,")
    status, shown = run(capsys, *arguments, "--steps", "10")
    assert "normalised" in shown.out


def test_reverify_tells_a_true_run_from_a_changed_one(capsys, tmp_path):
    env = env_lib.make("triage", scenario="E0", split="test", steps=8)
    file = tmp_path / "eval" / "episodes" / "random__E0.jsonl"
    write_episodes(file, [env_lib.run_episode(env, env_lib.policy("triage", "random"), 0)])
    status, told = run_json(capsys, "reverify", str(tmp_path))
    assert (status, told["ok"], told["episodes"]) == (0, True, 1)
    file.write_text(file.read_text().replace('"reward": -', '"reward": -1', 1))
    status, shown = run(capsys, "reverify", str(tmp_path))
    assert status == 1
    assert "broken: random__E0.jsonl line 1: step" in shown.err


def test_doctor_names_what_is_missing_and_how_to_get_it(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("MAINTAINER_GYM_CACHE", str(tmp_path))
    status, told = run_json(capsys, "doctor")
    rows = {row["what"]: row for row in told["rows"]}
    assert status == 0
    assert rows["python"]["ok"]
    assert "942" in rows["data of triage"]["found"]
    weights = rows["weights of SmolLM2-135M-Instruct"]
    assert (weights["ok"], weights["how"]) == (False, "python -m env_lib doctor --weights")


def test_export_refuses_a_folder_that_holds_something_else(capsys, tmp_path):
    pytest.importorskip("yaml")
    (tmp_path / "mine.txt").write_text("keep me")
    with pytest.raises(SystemExit) as stop:
        cli.main(["export", "triage", "--out", str(tmp_path)])
    assert stop.value.code == 2
    assert (tmp_path / "mine.txt").read_text() == "keep me"
