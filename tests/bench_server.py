"""Measures served steps a second of a duty, beside an echo environment of openenv in the same run.

`run()` starts both servers in processes of their own on loopback, then lets 1, 8 and 32 sessions
play side by side, turn and turn about. The echo is what openenv's own template makes: it answers
with what it was sent. Alone, the module serves one of the two: `bench_server.py echo|triage PORT`.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import time
from pathlib import Path
from typing import Any

SESSIONS = (1, 8, 32)
ROUNDS = 6
SECONDS = 0.8
SEEDS = 4
NUMBER = re.compile(r'"thread":\{"repo":"[^"]*","number":(\d+)')
ROOT = Path(__file__).resolve().parents[1]


def echo_app() -> Any:
    """Build the application of a minimal openenv environment."""
    from openenv.core.env_server.http_server import create_app
    from openenv.core.env_server.interfaces import Environment
    from openenv.core.env_server.types import Action, Observation, State

    class EchoAction(Action):
        message: str

    class EchoObservation(Observation):
        message: str = ""

    class Echo(Environment):
        SUPPORTS_CONCURRENT_SESSIONS = True

        def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> Any:
            self._state = State(episode_id=episode_id)
            return EchoObservation(message="ready")

        def step(self, action: Any, timeout_s: float | None = None, **_: Any) -> Any:
            self._state.step_count += 1
            return EchoObservation(message=action.message, reward=float(len(action.message)))

        @property
        def state(self) -> State:
            return self._state

    return create_app(
        Echo, EchoAction, EchoObservation, env_name="echo_env", max_concurrent_envs=64
    )


def main(name: str, port: int) -> None:
    """Serve the echo, or a duty, with the same settings."""
    from env_lib.server import app
    from env_lib.server import run as serve_app

    serve_app(echo_app() if name == "echo" else app(name), port=port, log_level="warning")


async def _play(socket: Any, duty: bool, until: float) -> int:
    """Step until the clock says so and return how often; the time of resets counts.

    The client is as light as can be, so that it is the service that is measured.
    """
    steps, seed, done = 0, 0, True
    action = '{"type": "step", "data": {"message": "wait"}}'
    while time.perf_counter() < until:
        if done:
            await socket.send(f'{{"type": "reset", "data": {{"seed": {seed % SEEDS}}}}}')
            seed += 1
        else:
            await socket.send(action)
            steps += 1
        answer = await socket.recv()
        done = '"done":true' in answer
        if duty and (found := NUMBER.search(answer)):
            fields = f'"action_type": "wait", "target_issue_id": {found[1]}'
            action = f'{{"type": "step", "data": {{{fields}}}}}'
    return steps


async def _rate(url: str, duty: bool, sessions: int, seconds: float) -> float:
    from websockets.asyncio.client import connect

    address = f"{url.replace('http', 'ws', 1)}/ws"
    sockets = [await connect(address, compression=None) for _ in range(sessions)]
    until = time.perf_counter() + seconds
    counts = await asyncio.gather(*(_play(socket, duty, until) for socket in sockets))
    await asyncio.gather(*(socket.close() for socket in sockets))
    return sum(counts) / seconds


def run(duty: str = "triage", rounds: int = ROUNDS, seconds: float = SECONDS) -> dict[str, Any]:
    """Return `{sessions: {"echo": steps/s, duty: steps/s, "ratio": duty / echo}}`.

    Each figure is the best of the rounds: what else the machine does can only slow a server down.
    """
    from tests.serving import serving

    table: dict[str, Any] = {}
    script = [sys.executable, __file__]
    path = {"PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}
    with serving([*script, "echo"], env=path) as echo, serving([*script, duty], env=path) as served:
        asyncio.run(_rate(served, True, 1, seconds / 2))
        for sessions in SESSIONS:
            rates: dict[str, list[float]] = {"echo": [], duty: []}
            for _ in range(rounds):
                rates["echo"].append(asyncio.run(_rate(echo, False, sessions, seconds)))
                rates[duty].append(asyncio.run(_rate(served, True, sessions, seconds)))
            row = {name: max(values) for name, values in rates.items()}
            table[str(sessions)] = {**row, "ratio": row[duty] / row["echo"]}
    return table


if __name__ == "__main__":
    if len(sys.argv) == 3:
        main(sys.argv[1], int(sys.argv[2]))
    else:
        sys.path.insert(0, str(ROOT))
        for count, row in run().items():
            print(count, {name: round(value, 2) for name, value in row.items()})
