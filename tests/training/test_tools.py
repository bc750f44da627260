"""A duty as tools: the same rewards as stepping, and a schema that a template can show."""

import pytest

import env_lib
from env_lib.training.tools import tools_factory


def test_the_tools_return_is_the_episodes_return():
    tools = tools_factory("triage", split="train", steps=10)()
    assert tools.reset(seed=4, scenario="E1").startswith("\n")
    env = env_lib.make("triage", scenario="E1", split="train", steps=10)
    obs = env.reset(seed=4)
    total = 0.0
    while not obs.done:
        text = env.oracle_action().text()
        obs = env.step(env.parse(text))
        total += obs.reward
        assert tools.act(text) == obs.prompt
    assert tools.get_reward() == total
    assert "over" in tools.act("{}")
    assert tools.get_reward() == total


def test_a_malformed_call_is_answered_and_costs():
    tools = tools_factory("triage", split="train")()
    tools.reset(seed=0)
    assert "error" in tools.act("close everything")
    assert tools.get_reward() < 0


def test_reset_clears_a_pooled_instance():
    tools = tools_factory("triage", split="train")()
    tools.reset(seed=0)
    tools.act("nonsense")
    tools.reset(seed=0, prompt="ignored")
    assert tools.get_reward() == 0.0


def test_the_tool_has_a_schema():
    utils = pytest.importorskip("transformers.utils")
    schema = utils.get_json_schema(tools_factory("triage")().act)["function"]
    assert schema["name"] == "act"
    assert schema["parameters"]["required"] == ["action"]
