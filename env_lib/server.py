"""The same environments as OpenEnv services: one class adapts any registered duty.

`serve` runs a server, `app` builds the application for another one. A client speaks JSON over the
WebSocket `/ws`, one session an episode; `/web` is a page to try it by hand. What a client sends is
judged inside `step` and answered in the observation; what fails on our side is logged here, and
the client learns no more than that it did.
"""

from __future__ import annotations

import asyncio
import html
import logging
import os
from collections.abc import Callable
from threading import Lock
from typing import TYPE_CHECKING, Any, NoReturn
from uuid import uuid4

import env_lib
from env_lib import openenv_parts as openenv
from env_lib.core import Environment, Observation
from env_lib.registry import duty_module, make
from env_lib.wire import MAX_SEED, RequestError, check_reset, read_action, wire_models
from env_lib.wire_guard import MessageGuard

if TYPE_CHECKING:
    from fastapi import FastAPI

LOG = logging.getLogger(__name__)
PROMPT_STYLE = "white-space: pre-wrap; overflow-wrap: anywhere; width: min(30rem, 80vw)"
BUILDING = Lock()
"""Held while an environment is made: sessions that begin together load their data once."""
WEB_VARIABLE = "ENABLE_WEB_INTERFACE"
"""openenv's own switch for the page, which Spaces set."""


class DutyService(openenv.Environment):
    """A duty behind openenv's interface, an episode an instance.

    openenv takes sessions from a factory but its page's title from an instance: calling an instance
    gives a fresh one, so that it is both.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, duty: str) -> None:
        """Prepare a duty; nothing is loaded before `reset`."""
        super().__init__()
        self.duty, self.wire, self.module = duty, wire_models(duty), duty_module(duty)
        self.slow = getattr(self.module.ENVIRONMENT, "slow_steps", False)
        self._env: Environment | None = None
        self._chosen: dict[str, Any] = {}
        self._last: Observation | None = None
        self._next_seed = 0

    def __call__(self) -> DutyService:
        """Return a fresh service of the same duty: a session's environment."""
        return type(self)(self.duty)

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        scenario: str | None = None,
        split: str | None = None,
        **options: Any,
    ) -> Any:
        """Start an episode; scenario and split are the duty's first ones by default.

        Without a seed a session plays 0, 1, 2 and so on. `options` are the duty's numeric ones.

        Raises:
            RequestError: an argument out of range; the message says what would have been right.
        """
        seed = self._next_seed if seed is None else seed
        chosen = {
            "scenario": next(iter(self.module.SCENARIOS)) if scenario is None else scenario,
            "split": next(iter(self.module.SPLITS)) if split is None else split,
            **{name: value for name, value in options.items() if value is not None},
        }
        check_reset(self.module, seed, episode_id, chosen)
        try:
            name = episode_id or uuid4().hex
            if self._env is not None and chosen == self._chosen:
                env = self._env
                first = env.reset(seed=seed, episode_id=name)
            else:
                with BUILDING:
                    env = make(self.duty, **chosen)
                    first = env.reset(seed=seed, episode_id=name)
        except Exception as error:
            if options and isinstance(error, ValueError):
                raise RequestError(str(error)) from None
            self._fail("reset")
        self._env, self._chosen, self._last = env, chosen, first
        self._next_seed = min(seed + 1, MAX_SEED)
        return self._served(first)

    def step(self, action: Any, timeout_s: float | None = None, **kwargs: Any) -> Any:
        """Make one step; what is no action or comes out of turn is answered with what is wrong."""
        if self._env is None or self._last is None or self._last.done:
            return self._out_of_turn()
        try:
            self._last = self._env.step(read_action(self._env, action))
        except Exception:
            self._fail("step")
        return self._served(self._last)

    async def reset_async(self, *args: Any, **kwargs: Any) -> Any:
        """Do as `reset` does, in a thread: a long queue takes a tenth of a second to build."""
        return await asyncio.to_thread(self.reset, *args, **kwargs)

    async def step_async(self, action: Any, timeout_s: float | None = None, **kwargs: Any) -> Any:
        """Do as `step` does, at once: a hop to a thread costs more than the step of a fast duty."""
        return await asyncio.to_thread(self.step, action) if self.slow else self.step(action)

    @property
    def state(self) -> Any:
        """The public state of the episode."""
        if self._env is None:
            return self.wire.state(duty=self.duty)
        return self.wire.state(**self._env.state.model_dump())

    def close(self) -> None:
        """Drop the episode."""
        self._env = self._last = None

    def get_metadata(self) -> Any:
        """Name and describe the service, for `/metadata` and the page."""
        first = (self.module.__doc__ or self.duty).strip().splitlines()[0]
        about = first.removeprefix(f"{self.duty}: ")
        return openenv.EnvironmentMetadata(
            name=f"{self.duty}_env",
            description=about[:1].upper() + about[1:],
            version=env_lib.__version__,
        )

    def render_web(self, observation: dict[str, Any]) -> str:
        """Draw the prompt, as the page's view of an observation."""
        prompt = html.escape(str(observation.get("prompt", "")))
        return f'<div style="{PROMPT_STYLE}">{prompt}</div>'

    def _served(self, obs: Observation) -> Any:
        # Same fields, same layout, one base more: copying field by field would cost ten times this.
        object.__setattr__(obs, "__class__", self.wire.observation)
        return obs

    def _out_of_turn(self) -> Any:
        over = self._last is not None
        message = f"{'The episode is over' if over else 'No episode is running'}; reset starts one."
        seen: Any = self.wire.observation(prompt=message, reward=0.0, done=over)
        seen.metadata = {"error": message, "reward_components": {}}
        if "error" in type(seen).model_fields:
            seen.error = message
        return seen

    def _fail(self, where: str) -> NoReturn:
        """Log what happened; tell the client, who must not read our exceptions, that it did."""
        LOG.exception("%s failed in %s", where, self.duty)
        self.close()
        raise RuntimeError(f"internal error in {where}; the server's log has it") from None


def app(duty: str, max_sessions: int = 64, web: bool | None = False) -> FastAPI:
    """Build the application of a duty, its data loaded, for up to `max_sessions` sessions at once.

    `web` adds the page at `/web`; None leaves that to openenv's variable ENABLE_WEB_INTERFACE.
    """
    service = DutyService(duty)
    service.reset()
    service.close()
    if web is None:
        web = os.environ.get(WEB_VARIABLE, "").lower() in ("true", "1", "yes")
    served = (_with_page() if web else openenv.create_fastapi_app)(
        service, service.wire.action, service.wire.observation, env_name=f"{duty}_env",
        max_concurrent_envs=max_sessions, state_cls=service.wire.state,
    )  # fmt: skip
    served.add_exception_handler(RequestError, _unprocessable)
    served.add_middleware(MessageGuard)
    return served


def _with_page() -> Callable[..., FastAPI]:
    from openenv.core.env_server.web_interface import create_web_interface_app

    os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")  # the page is to call nobody
    return create_web_interface_app


async def _unprocessable(request: Any, error: Exception) -> Any:
    from fastapi.responses import JSONResponse

    return JSONResponse({"detail": str(error)}, status_code=422)


def run(
    application: FastAPI, host: str = "127.0.0.1", port: int = 8000, log_level: str = "info"
) -> None:
    """Run an application until it is interrupted; `log_level` is uvicorn's."""
    import uvicorn

    # Compressing a kilobyte costs the server more than sending it.
    uvicorn.run(
        application,
        host=host,
        port=port,
        log_level=log_level,
        access_log=False,
        ws_per_message_deflate=False,
    )


def serve(
    duty: str, host: str = "127.0.0.1", port: int = 8000, web: bool = False, max_sessions: int = 64
) -> None:
    """Serve a duty until it is interrupted."""
    run(app(duty, max_sessions, web), host, port)
