"""Run untrusted Python and learn from it nothing but what trusted tests say.

A clean helper process (the zygote) is started once, preloads what is asked and forks two
children a run: the *candidate*, which holds the untrusted code, and the *checker*, which holds
the tests. They are joined by a socket on which only plain data travels, so there is no report
that the untrusted code could reach, patch or fake. A run passes when exactly the expected ids
report once each from the checker, the checker ends well, and a canary that must fail has failed.

Tiers, by what the system has: `full` (Landlock and seccomp), `sealed` (seccomp alone: the
candidate opens no file at all), `monty` (another interpreter, for the subset of Python that it
knows), `process` (two child processes: the verdict is as safe, the machine is not). Each
outcome names its tier and its layers; `layers()` says what this machine has.

Not covered: bugs of the kernel (for hostile people use a virtual machine); weak tests, which a
wrong program passes honestly; answers that a program guesses from calls repeated too often;
wall-clock times and addresses, which differ between runs; tests that reach into the module's
internals or share live objects with it; what `process` says it does not contain: reading and
writing files, the network, and children that leave their session.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from env_lib.sandbox.limits import Limits, Outcome, SandboxError, TestResult

if TYPE_CHECKING:
    from env_lib.sandbox.client import Sandbox
    from env_lib.sandbox.probe import layers

__all__ = ["Limits", "Outcome", "Sandbox", "SandboxError", "TestResult", "layers"]


def __getattr__(name: str) -> Any:
    """Load the working parts at first use."""
    if name == "Sandbox":
        from env_lib.sandbox.client import Sandbox

        return Sandbox
    if name == "layers":
        from env_lib.sandbox.probe import layers

        return layers
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
