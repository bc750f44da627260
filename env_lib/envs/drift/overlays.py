"""Whether an overlay makes a task: it breaks the healthy script, and the mended one runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from env_lib.envs.drift.records import Overlay
from env_lib.envs.drift.runner import NONE, run

FOREVER = ("timeout", "crash", "protocol")


def why_invalid(healthy: str, mended: str, inputs: Sequence[Any], overlay: Overlay) -> str:
    """Return why an overlay makes no task, "" where it does; all told by running.

    Args:
        healthy: The script as it runs without the overlay.
        mended: What is offered as its mending.
        inputs: The inputs on which values are compared.
        overlay: The drift.

    Raises:
        env_lib.sandbox.SandboxError: the sandbox itself failed.
    """
    before = run(healthy, inputs, NONE)
    if not before.ok:
        return f"the script fails without the overlay: {before.message}"
    broken = run(healthy, inputs, overlay)
    if broken.error_type == "overlay":
        return f"the overlay cannot be made: {broken.message}"
    if broken.error_type in FOREVER:
        return f"the overlay lets the script end in a {broken.error_type}"
    if broken.ok and broken.values == before.values:
        return "the overlay breaks nothing"
    after = run(mended, inputs, overlay)
    if not after.ok:
        return f"the mended script fails: {after.message}"
    if after.values != before.values:
        return "the mended script returns other values"
    return ""
