"""What this machine has to contain a run with, tried and not assumed."""

from __future__ import annotations

import importlib.util
import platform
import sys

from env_lib.sandbox import fallback
from env_lib.sandbox.limits import SandboxError
from env_lib.sandbox.slot import Slot

WALLS = ("landlock", "seccomp", "uid")
HELD = ("network", "processes", "signals", "reading", "writing")


def layers() -> dict[str, bool | str]:
    """Return layer -> whether a run here has it, or a word more; for `python -m env_lib doctor`.

    `tier` is how far runs are contained. `network`, `processes`, `signals`, `reading` and
    `writing` say whether a child behind the walls was stopped when it tried them; off Linux they
    and the walls are named as missing.
    """
    monty: bool | str = fallback.monty_binary() is not None
    if not monty:
        monty = "not installed: pip install pydantic-monty"
    found: dict[str, bool | str] = {
        "system": f"{platform.system()} {platform.machine()}",
        "rlimits": importlib.util.find_spec("resource") is not None,
        "session": sys.platform != "win32",
        "monty": monty,
    }
    if sys.platform != "linux":
        missing = dict.fromkeys(WALLS, f"missing: {platform.system()} has no such wall here")
        gaps = dict.fromkeys(HELD, "not contained")
        return {**found, "tier": "monty" if monty is True else "process", **missing, **gaps}
    slot = Slot((), ())
    try:
        slot.start()
        hello = slot.hello
    except SandboxError as error:
        return {**found, "tier": "none", "failure": str(error)}
    finally:
        slot.close()
    tier = hello["tier"]
    return {
        **found,
        "tier": "monty" if tier == "process" and monty is True else tier,
        "landlock": f"ABI {hello['landlock']}" if hello["landlock"] else False,
        "seccomp": hello["seccomp"],
        "uid": hello["uid"],
        **hello["held"],
    }
