import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

import env_lib
from env_lib.replay import replay_html, write_replay
from env_lib.rollout import Episode

BROWSER = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
NASTY = '<script>document.title=1</script><img src=x onerror="document.title=2"> & "q" \x00 \u202e'


@pytest.fixture(scope="module")
def episode() -> Episode:
    env = env_lib.make("triage", scenario="E1", split="test", steps=6)
    return env_lib.run_episode(env, env_lib.policy("triage", "keyword_triager"), seed=1)


class Reader(HTMLParser):
    """Collects tags and text, and checks that every tag that opens closes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.text: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_a_replay_shows_every_prompt_action_reward_and_component(episode: Episode) -> None:
    page = Reader(replay_html(episode))
    text = "".join(page.text)
    assert page.open == []
    assert page.tags.count("section") == 1
    for step in episode.steps:
        assert step.prompt in text
        assert f"{step.reward:+.2f}" in text
        assert (
            f"{step.action['action_type']}(target_issue_id={step.action['target_issue_id']}" in text
        )
    for name, value in episode.components.items():
        assert (name in text) == (value != 0)
    assert f"{episode.total_reward:+.2f}" in text


def test_two_episodes_stand_side_by_side(episode: Episode) -> None:
    other = replace(episode, policy="another")
    page = Reader(replay_html(episode, other))
    assert page.tags.count("section") == 2
    assert "another" in page.text


def test_what_an_episode_says_is_shown_and_never_run(episode: Episode) -> None:
    action = {"action_type": "invalid", "raw": NASTY, "error": NASTY}
    step = replace(episode.steps[0], prompt=NASTY, text=NASTY, action=action)
    page = Reader(replay_html(replace(episode, policy=NASTY, steps=[step])))
    assert {"script", "img"} & set(page.tags) == set()
    assert NASTY in page.text


def test_a_replay_asks_for_nothing_from_outside(episode: Episode) -> None:
    text = re.sub(r"<pre>.*?</pre>", "", replay_html(episode), flags=re.DOTALL)
    assert re.findall(r"https?:|url\(|@import|<script|<link|src=", text) == []


def test_no_episode_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        replay_html()


@pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")
def test_a_browser_renders_the_page(episode: Episode, tmp_path: Path) -> None:
    step = replace(episode.steps[0], prompt=NASTY, text=NASTY)
    page = write_replay(
        tmp_path / "replay.html", replace(episode, steps=[step, *episode.steps]), episode
    )
    flags = (
        "headless no-sandbox disable-gpu disable-quic no-first-run disable-background-networking"
    )
    flags += " disable-component-update disable-sync dump-dom"
    command = [
        BROWSER,
        *(f"--{flag}" for flag in flags.split()),
        f"--user-data-dir={tmp_path / 'profile'}",
    ]
    done = subprocess.run(
        [*command, page.as_uri()], capture_output=True, text=True, timeout=60, check=True
    )
    assert f"<title>keyword_triager and keyword_triager on {episode.duty}</title>" in done.stdout
    assert done.stdout.count("<details>") == 2 * len(episode.steps) + 1 + 2
    assert [p.name for p in tmp_path.iterdir()].count("replay.html") == 1
