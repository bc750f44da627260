"""Starts a server in a process of its own, on loopback, for as long as a test needs it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
READY_SECONDS = 240.0
"""How long a start may take: openenv alone imports for many seconds on a busy machine."""


def free_port() -> int:
    """A port of loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(
    command: Sequence[str | Path],
    *,
    cwd: Path = ROOT,
    env: Mapping[str, str] | None = None,
    meanwhile: Callable[[], object] | None = None,
) -> Iterator[str]:
    """Run `command`, a free port its last argument; give its address once it is healthy.

    `meanwhile` is called while it starts.
    """
    port = free_port()
    process = subprocess.Popen([*command, str(port)], cwd=cwd, env={**os.environ, **(env or {})})
    try:
        if meanwhile:
            meanwhile()
        wait_until_healthy(process, f"http://127.0.0.1:{port}")
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)


def wait_until_healthy(process: subprocess.Popen[bytes], url: str) -> None:
    """Ask `/health` until it answers."""
    end = time.monotonic() + READY_SECONDS
    while time.monotonic() < end:
        assert process.poll() is None, f"the server ended with status {process.returncode}"
        try:
            with urllib.request.urlopen(f"{url}/health", timeout=1):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)
    raise TimeoutError(f"{url} was not healthy within {READY_SECONDS:.0f} s")


def library_server(web: bool = False) -> list[str]:
    """The command that serves triage from this checkout; a port is still to be added."""
    code = "import sys; from env_lib.server import serve; serve('triage', port=int(sys.argv[1])"
    return [sys.executable, "-c", f"{code}, web={web})"]
