"""What this machine has to contain a run with, tried and not assumed."""

from __future__ import annotations

import platform

from env_lib.sandbox import fallback
from env_lib.sandbox.client import Sandbox
from env_lib.sandbox.limits import Limits, SandboxError

WALLS = ("landlock", "seccomp", "uid")
HELD = ("network", "processes", "signals", "reading", "writing")


RLIMITS = ("cpu", "as", "fsize", "nofile", "nproc")


def layers() -> dict[str, bool | str]:
    """Return layer -> whether a run here has it, or a word more; for `python -m env_lib doctor`.

    One empty program is run, and what stood around it is told. `tier` is how far runs are
    contained, "none" where that run failed; `failure` says why then, and no layer is named.
    `network`, `processes`, `signals`, `reading` and `writing` say whether a child behind the walls
    was stopped when it tried them; off Linux they and the walls are named as missing.
    """
    monty: bool | str = fallback.monty_binary() is not None
    if not monty:
        monty = "not installed: pip install pydantic-monty"
    found: dict[str, bool | str] = {
        "system": f"{platform.system()} {platform.machine()}",
        "monty": monty,
    }
    try:
        with Sandbox(preload=()) as box:
            out = box.run_call({"empty.py": ""}, "empty", None, limits=Limits(wall_s=20, cpu_s=20))
            hello = box.hello()
    except SandboxError as error:
        return {**found, "tier": "none", "failure": str(error)}
    if out.error:
        return {**found, "tier": "none", "failure": f"an empty program ends as {out.error}"}
    stood: dict[str, bool | str] = {
        "tier": out.tier,
        "session": "session" in out.layers,
        "private_folder": "folder" in out.layers,
        "no_new_privileges": "no_new_privs" in out.layers,
        **{f"rlimit_{name}": f"rlimit_{name}" in out.layers for name in RLIMITS},
    }
    if not hello:
        missing = dict.fromkeys(WALLS, f"missing: {platform.system()} has no such wall here")
        return {**found, **stood, **missing, **dict.fromkeys(HELD, "not contained")}
    return {
        **found,
        **stood,
        "landlock": f"ABI {hello['landlock']}" if hello["landlock"] else False,
        "seccomp": hello["seccomp"],
        "uid": hello["uid"],
        **hello["held"],
    }
