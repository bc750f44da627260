import asyncio
import json
import logging
import math
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import pytest

import env_lib
from env_lib import core, registry
from tests import malformed
from tests.chromium import BROWSER, open_page
from tests.serving import library_server, serving

pytest.importorskip("openenv", reason="the serve extra is not installed")
SESSIONS = 32


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    # The server and this process import openenv side by side.
    with serving(
        library_server(web=True), meanwhile=lambda: import_module("openenv.cli")
    ) as address:
        yield address


@pytest.fixture(scope="module")
def session(url: str) -> Iterator[Any]:
    from websockets.sync.client import connect

    with connect(f"{url.replace('http', 'ws', 1)}/ws", max_size=None) as socket:
        told = ask(socket, "reset", seed=3, scenario="E5", episode_id="nasty")
        assert told["type"] == "observation"
        yield socket


def ask(socket: Any, kind: str, **data: Any) -> dict[str, Any]:
    return tell(
        socket, json.dumps({"type": kind, "data": data} if kind != "state" else {"type": kind})
    )


def tell(socket: Any, message: str | bytes) -> dict[str, Any]:
    socket.send(message)
    return json.loads(socket.recv(timeout=30))


# Sessions -------------------------------------------------------------------------------------


def settings(number: int) -> dict[str, Any]:
    return {"scenario": ("E0", "E1", "E2", "E3")[number % 4], "split": "train", "steps": 12}


def played_here(number: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The actions of a random policy, and what the environment shows in this process."""
    env, policy = env_lib.make("triage", **settings(number)), env_lib.policy("triage", "random")
    obs = env.reset(seed=number)
    policy.start(env, number)
    actions, seen = [], [obs]
    while not obs.done:
        action = policy(obs)
        obs = env.step(action)
        actions.append(action.model_dump(exclude_none=True))
        seen.append(obs)
    return actions, [json.loads(obs.model_dump_json()) for obs in seen]


async def played_there(url: str, number: int, actions: list[dict[str, Any]]) -> tuple[Any, Any]:
    """What a session over the wire shows for the same actions, and its state at the end."""
    from openenv.core import GenericEnvClient

    async with GenericEnvClient(base_url=url) as client:
        results = [
            await client.reset(seed=number, episode_id=f"session {number}", **settings(number))
        ]
        for action in actions:
            results.append(await client.step(action))
        state = await client.state()
    return [{**r.observation, "reward": r.reward, "done": r.done} for r in results], state


def test_32_sessions_at_once_each_see_their_own_episode_and_no_other(url: str) -> None:
    here = [played_here(number) for number in range(SESSIONS)]

    async def all_there() -> list[Any]:
        return await asyncio.gather(
            *(played_there(url, number, actions) for number, (actions, _) in enumerate(here))
        )

    for number, (seen, state) in enumerate(asyncio.run(all_there())):
        actions, expected = here[number]
        assert seen == expected
        assert state["episode_id"] == f"session {number}"
        assert state["step_count"] == len(actions)
        assert state["seed"] == number
    prompts = {json.dumps(expected) for _, expected in here}
    assert len(prompts) == SESSIONS


def test_a_language_models_text_is_read_as_the_fields_would_be(url: str) -> None:
    async def both() -> list[Any]:
        actions, _ = played_here(5)
        texts = [{"text": json.dumps(action)} for action in actions]
        return [await played_there(url, 5, sent) for sent in (actions, texts)]

    (fields, _), (texts, _) = asyncio.run(both())
    assert fields == texts


def test_a_session_without_seeds_plays_one_episode_after_the_other(url: str) -> None:
    from openenv.core import GenericEnvClient

    async def seeds() -> list[int]:
        async with GenericEnvClient(base_url=url) as client:
            found = []
            for _ in range(3):
                await client.reset()
                found.append((await client.state())["seed"])
            return found

    assert asyncio.run(seeds()) == [0, 1, 2]


# What is malformed ----------------------------------------------------------------------------


@pytest.mark.parametrize("action", malformed.ACTIONS.values(), ids=malformed.ACTIONS)
def test_a_malformed_action_is_answered_and_the_session_lives(session: Any, action: str) -> None:
    before = ask(session, "state")["data"]
    told = tell(session, f'{{"type": "step", "data": {action}}}')
    assert told["type"] == "observation"
    seen, reward = told["data"]["observation"], told["data"]["reward"]
    assert 0 < len(seen["error"]) < 5000
    assert "error: " in seen["prompt"]
    assert math.isfinite(reward)
    assert seen["metadata"]["reward_components"]["invalid_action"] < 0
    assert not told["data"]["done"]
    after = ask(session, "state")["data"]
    assert after == {**before, "step_count": before["step_count"] + 1}
    assert after["episode_id"] == "nasty"


@pytest.mark.parametrize("message", malformed.MESSAGES.values(), ids=malformed.MESSAGES)
def test_a_malformed_message_is_refused_and_the_session_lives(session: Any, message: str) -> None:
    before = ask(session, "state")
    told = tell(session, message)
    assert told["type"] == "error" or "error" in told["data"]
    assert not any(trace in json.dumps(told) for trace in ("Traceback", "site-packages", "env_lib"))
    assert ask(session, "state") == before


def test_a_binary_message_is_refused_and_the_session_lives(session: Any) -> None:
    before = ask(session, "state")
    assert tell(session, b"\x00\xff")["type"] == "error"
    assert ask(session, "state") == before


def test_after_all_of_that_the_session_takes_a_right_action(session: Any) -> None:
    told = tell(session, '{"type": "step", "data": {}}')
    number = told["data"]["observation"]["thread"]["number"]
    told = ask(session, "step", action_type="wait", target_issue_id=number, label=None)
    assert told["data"]["observation"]["error"] == ""


def test_a_refused_reset_says_what_would_have_been_right(session: Any) -> None:
    told = ask(session, "reset", scenario="E99")
    assert told["data"]["message"] == "scenario 'E99'; wanted: E0, E1, E2, E3, E4, E5"
    told = ask(session, "reset", steps=1)
    assert told["data"]["message"] == "steps=1; an episode needs at least 5"


def test_a_step_out_of_turn_is_answered_and_pays_nothing(url: str) -> None:
    from openenv.core import GenericEnvClient

    async def out_of_turn() -> list[Any]:
        async with GenericEnvClient(base_url=url) as client:
            before = await client.step({"text": "x"})
            await client.reset(steps=5)
            while not (last := await client.step({"text": "x"})).done:
                pass
            return [before, last, await client.step({"text": "x"}), await client.state()]

    before, last, after, state = asyncio.run(out_of_turn())
    assert (before.reward, before.done) == (0.0, False)
    assert before.observation["prompt"] == "No episode is running; reset starts one."
    assert last.metadata["stop_reason"] == "budget"
    assert (after.reward, after.done) == (0.0, True)
    assert after.observation["error"] == "The episode is over; reset starts one."
    assert state["step_count"] == 5


# The rest of the interface --------------------------------------------------------------------


def test_openenv_finds_the_running_service_valid(url: str) -> None:
    from openenv.cli.__main__ import app
    from typer.testing import CliRunner

    done = CliRunner().invoke(app, ["validate", "--url", url, "--json"])
    report = json.loads(done.stdout)
    assert done.exit_code == 0, report["summary"]
    assert report["passed"]
    assert [c["id"] for c in report["criteria"] if not c["passed"]] == []


def test_the_schema_says_which_fields_an_action_has(url: str) -> None:
    import requests

    schema = requests.get(f"{url}/schema", timeout=10).json()
    action = schema["action"]
    known = env_lib.make("triage").action_type
    assert set(action["properties"]) == {*known.model_fields, "text", "metadata"}
    assert action["properties"]["action_type"]["enum"] == list(known.needs)
    assert {"required": ["text"]} in action["anyOf"]
    assert {"prompt", "thread", "error", "reward", "done"} <= set(
        schema["observation"]["properties"]
    )
    assert {"episode_id", "step_count", "seed"} <= set(schema["state"]["properties"])


def test_a_refused_reset_over_http_is_the_callers_fault(url: str) -> None:
    import requests

    answer = requests.post(f"{url}/reset", json={"scenario": "E99"}, timeout=10)
    assert answer.status_code == 422
    assert "wanted: E0" in answer.json()["detail"]
    assert requests.post(f"{url}/reset", json={"seed": 1}, timeout=10).status_code == 200


@pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed: apt-get install chromium")
def test_the_page_shows_the_environment_and_plays_a_step(url: str, tmp_path: Path) -> None:
    text = "(document.body?.innerText ?? '')"
    with open_page(f"{url}/web/", tmp_path / "profile") as page:
        page.wait_for(f"{text}.includes('Run step')")
        assert "triage_env" in page.evaluate("document.title")
        shown = page.evaluate(text)
        assert "Triage" in shown
        assert "issue queue of an open-source project" in shown
        press = "[...document.querySelectorAll('button')].find(b => b.innerText == '{}').click()"
        page.evaluate(press.format("Reset"))
        page.wait_for(f"{text}.includes('queue: ')")
        page.evaluate(press.format("Run step"))
        page.wait_for(f"{text}.includes('is unknown; known: ')")
        page.screenshot(tmp_path / "page.png")
        assert page.evaluate("document.body.scrollWidth <= innerWidth")
        assert page.evaluate("document.body.scrollHeight") < 4000
        assert page.problems == []
    assert (tmp_path / "page.png").stat().st_size > 20_000


# Any duty -------------------------------------------------------------------------------------


class Guess(core.Action):
    needs: ClassVar = {"guess": ("number",)}
    purpose: ClassVar = {"guess": "name the number"}
    number: int


class GuessEnv(core.Environment):
    duty = "guess"
    action_type = Guess
    observation_type = core.Observation
    slow_steps = True

    def __init__(self, scenario: str = "easy", split: str = "train", most: int = 9) -> None:
        self.most = most

    def reset(self, seed: int = 0, episode_id: str | None = None) -> core.Observation:
        self.secret, self.count, self.name = seed % self.most, 0, episode_id
        return core.Observation(prompt=f"0 to {self.most}?")

    def step(self, action: core.Action) -> core.Observation:
        self.count += 1
        if isinstance(action, core.InvalidAction):
            return core.Observation(prompt=f"error: {action.error}", reward=-1.0)
        if action.number > self.most:
            raise KeyError(f"the secret is {self.secret}")
        right = action.number == self.secret
        return core.Observation(prompt="yes" if right else "no", reward=float(right), done=right)

    @property
    def state(self) -> core.State:
        return core.State(episode_id=self.name, step_count=self.count, duty="guess")

    def oracle_action(self) -> Guess:
        return Guess(action_type="guess", number=self.secret)

    def held_out(self) -> dict[str, float]:
        return {}


@pytest.fixture
def guess(monkeypatch: pytest.MonkeyPatch) -> Any:
    from env_lib.server import DutyService
    from env_lib.wire import wire_models

    module = ModuleType("guessing.env", "guess: a number is guessed.\n\nMore.")
    scenario = core.Scenario("easy", "an easy one", 5)
    vars(module).update(ENVIRONMENT=GuessEnv, SCENARIOS={"easy": scenario}, SPLITS=("train",))
    monkeypatch.setitem(sys.modules, "guessing", ModuleType("guessing"))
    monkeypatch.setitem(sys.modules, "guessing.env", module)
    monkeypatch.setitem(registry.DUTIES, "guess", "guessing")
    yield DutyService("guess")()
    wire_models.cache_clear()


def test_any_registered_duty_is_served_by_the_same_class(guess: Any) -> None:
    from openenv.core.env_server.types import Observation

    sent = guess.wire.action.model_validate

    async def play() -> list[Any]:
        return [
            await guess.reset_async(seed=14, most=10),
            await guess.step_async(sent({"action_type": "guess", "number": 3})),
            await guess.step_async(sent({"action_type": "guess", "number": "four"})),
            await guess.step_async(sent({"text": '{"action_type": "guess", "number": 4}'})),
        ]

    seen = asyncio.run(play())
    assert all(isinstance(obs, Observation) for obs in seen)
    assert [obs.reward for obs in seen] == [None, 0.0, -1.0, 1.0]
    assert seen[0].prompt == "0 to 10?"
    assert "number" in seen[2].prompt
    assert guess.state.step_count == 3
    assert guess.get_metadata().description == "A number is guessed."


def test_what_fails_on_our_side_is_logged_and_not_told(
    guess: Any, caplog: pytest.LogCaptureFixture
) -> None:
    guess.reset(seed=7)
    with caplog.at_level(logging.ERROR), pytest.raises(RuntimeError) as caught:
        guess.step(guess.wire.action(action_type="guess", number=1000))
    assert str(caught.value) == "internal error in step; the server's log has it"
    assert "the secret is 7" in caplog.text
    assert guess.step(guess.wire.action()).prompt == "No episode is running; reset starts one."
