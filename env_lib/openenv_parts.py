"""The parts of openenv that a service stands on, without what they drag in.

Loading any of openenv 0.10 loads the page's libraries, and by way of jsonschema a grammar of URLs:
nine of eleven seconds of processor time and two thirds of the memory, for nothing here. The page
is still there for who asks for it: its libraries load then.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def _without(*names: str) -> Iterator[None]:
    """Let modules that are not loaded yet seem absent; openenv and jsonschema do without them."""
    modules: dict[str, Any] = sys.modules
    absent = [name for name in names if name not in modules]
    modules.update(dict.fromkeys(absent))
    try:
        yield
    finally:
        for name in absent:
            del modules[name]


with _without("gradio", "rfc3987_syntax"):
    from openenv.core.env_server.http_server import create_fastapi_app
    from openenv.core.env_server.interfaces import Environment
    from openenv.core.env_server.types import Action, EnvironmentMetadata, Observation, State

__all__ = [
    "Action",
    "Environment",
    "EnvironmentMetadata",
    "Observation",
    "State",
    "create_fastapi_app",
]
