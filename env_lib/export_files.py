"""The text of each file of an exported package that is not copied."""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import env_lib
from env_lib.registry import duty_module
from env_lib.rubric import table


@dataclass(frozen=True)
class About:
    """What the texts are filled with."""

    duty: str
    name: str
    """The package's name, by openenv's custom `<something>_env`."""
    title: str
    summary: str
    """One line."""
    form: str
    """The form of the duty's docstring, as a list: world, actions, reward and so on."""
    tables: str
    """Scenarios and actions, in Markdown."""
    low: float
    """The least that a step can pay."""
    high: float
    """The most that a step can pay."""
    requirements: tuple[str, ...]
    """Pinned distributions."""

    @classmethod
    def of(cls, duty: str, requirements: Sequence[str]) -> About:
        """Gather it from the duty's modules."""
        module = duty_module(duty)
        first, _, rest = inspect.cleandoc(module.__doc__ or duty).partition("\n")
        summary = first.removeprefix(f"{duty}: ").rstrip(".")
        form = re.sub(r"^(\w[\w ]*):", r"* **\1:**", rest.strip(), flags=re.MULTILINE)
        low, high = reward_range(duty)
        return cls(
            duty, f"{duty}_env", duty.title(), summary[:1].upper() + summary[1:], form,
            _tables(module), low, high, tuple(requirements),
        )  # fmt: skip


def reward_range(duty: str) -> tuple[float, float]:
    """Return bounds of a step's reward: the duty's REWARD_RANGE, else all weights at once."""
    if stated := getattr(duty_module(duty), "REWARD_RANGE", None):
        return float(stated[0]), float(stated[1])
    most = sum(map(abs, table(getattr(duty_module(duty, "rubric"), f"{duty}_rubric")()).values()))
    return -round(most, 6), round(most, 6)


def _tables(module: Any) -> str:
    kind = module.ENVIRONMENT.action_type
    scenarios = [f"| `{s.name}` | {s.title} | {s.steps} |" for s in module.SCENARIOS.values()]
    actions = [
        f"| `{name}` | {', '.join(needed)} | {kind.purpose.get(name, '')} |"
        for name, needed in kind.needs.items()
    ]
    rule = "| --- | --- | --- |"
    heads = "| scenario | title | steps |", "| action | fields | what it does |"
    return "\n".join([heads[0], rule, *scenarios, "", heads[1], rule, *actions])


def texts(about: About) -> dict[str, str]:
    """Return the files by path."""
    values = {
        **vars(about),
        "quoted": json.dumps(about.summary, ensure_ascii=False),
        "client": f"{about.title.replace('_', '')}Client",
        "version": env_lib.__version__,
        "python": f"{sys.version_info.major}.{sys.version_info.minor}",
    }
    found = {name: _filled(text, values) for name, text in TEMPLATES.items()}
    return {**found, "server/requirements.txt": "\n".join(about.requirements) + "\n"}


def _filled(text: str, values: dict[str, Any]) -> str:
    for name, value in values.items():
        text = text.replace(f"<<{name}>>", str(value))
    return text


TEMPLATES = {
    "openenv.yaml": """\
spec_version: 1
name: <<name>>
version: <<version>>
description: <<quoted>>
type: space
runtime: fastapi
app: server.app:app
port: 8000
validation:
  reward:
    range: [<<low>>, <<high>>]
    oracle_tolerance: 0.0
    floor_margin: 0.1
  resources:
    cpu: 1.0
    memory_mb: 1024
    disk_mb: 512
    episode_timeout_s: 300.0
  network:
    mode: public
  capabilities:
    verifier:
      kind: reward_channel
  types:
    tags: [software-maintenance, <<duty>>]
  execution:
    kind: openenv_ws
    probe_path: validation/runtime.json
    dockerfile: server/Dockerfile
    context: .
""",
    "__init__.py": '''\
"""<<title>>: <<summary>>."""

from .client import <<client>>

__all__ = ["<<client>>"]
''',
    "client.py": '''\
"""The client: actions as dicts or as the text of a language model, observations as dicts."""

from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult


class <<client>>(EnvClient[Any, dict[str, Any], dict[str, Any]]):
    """A session with a <<duty>> server.

    >>> with <<client>>(base_url="http://localhost:8000").sync() as session:
    ...     result = session.reset(seed=0, split="test")
    ...     result = session.step('{"action_type": ...}')
    """

    def _step_payload(self, action: Any) -> dict[str, Any]:
        return {"text": action} if isinstance(action, str) else dict(action)

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[dict[str, Any]]:
        return StepResult(
            observation=payload.get("observation", {}),
            reward=payload.get("reward"),
            done=payload.get("done", False),
            metadata=payload.get("metadata"),
        )

    def _parse_state(self, payload: dict[str, Any]) -> dict[str, Any]:
        return payload
''',
    "README.md": """\
---
title: <<title>>
emoji: 🛠️
colorFrom: blue
colorTo: green
sdk: docker
pinned: false
app_port: 8000
base_path: /web
license: apache-2.0
tags:
  - openenv
---

# <<title>>

<<summary>>.

<<form>>

<<tables>>

## Use

```python
from <<name>> import <<client>>

with <<client>>(base_url="http://localhost:8000").sync() as session:
    result = session.reset(seed=0, split="test")
    print(result.observation["prompt"])
    result = session.step("the answer of a language model")  # or a dict of the action's fields
    print(result.observation["error"], result.reward)
```

A malformed action costs its penalty and is answered in the observation; it never ends a session.
`/schema` holds the fields of actions and observations, `/web` a page to try them by hand.

## Run

```bash
pip install -r server/requirements.txt && python -m server.app --port 8000
docker build -t <<name>> -f server/Dockerfile . && docker run -p 8000:8000 <<name>>
```

This folder was written by `python -m env_lib export <<duty>>` and can be written again.
""",
    "pyproject.toml": """\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "openenv-<<duty>>"
version = "<<version>>"
description = <<quoted>>
requires-python = ">=<<python>>"
license = "Apache-2.0"
dynamic = ["dependencies"]

[project.scripts]
server = "<<name>>.server.app:main"

[tool.setuptools]
packages = ["<<name>>", "<<name>>.server"]
package-dir = { "<<name>>" = ".", "<<name>>.server" = "server" }

[tool.setuptools.package-data]
"<<name>>.server" = ["requirements.txt", "vendor/**/*"]

[tool.setuptools.dynamic]
dependencies = { file = ["server/requirements.txt"] }
""",
    "server/__init__.py": '"""The service."""\n',
    "server/app.py": '''\
"""The application, from the library and the data in `vendor`: `uvicorn server.app:app`."""

import os
import sys
from pathlib import Path

VENDOR = Path(__file__).resolve().parent / "vendor"
os.environ["MAINTAINER_GYM_ROOT"] = str(VENDOR)
sys.path.insert(0, str(VENDOR))

from env_lib import server  # noqa: E402

app = server.app("<<duty>>", web=None)


def main() -> None:
    """Serve until interrupted."""
    import argparse

    parser = argparse.ArgumentParser(description=<<quoted>>)
    parser.add_argument("--host", default="0.0.0.0")
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args()
    server.run(app, options.host, options.port)


if __name__ == "__main__":
    main()
''',
    "server/Dockerfile": """\
FROM python:<<python>>-slim
WORKDIR /app/env
COPY server/requirements.txt server/requirements.txt
RUN pip install --no-cache-dir -r server/requirements.txt
COPY . .
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=3s --start-period=60s --retries=3 \\
    CMD python -c "import urllib.request as r; r.urlopen('http://localhost:8000/health', timeout=2)"
CMD ["python", "-m", "server.app", "--host", "0.0.0.0", "--port", "8000"]
""",
    ".dockerignore": "**/__pycache__\n.git\noutputs\n",
}
