"""A page in headless Chromium, driven through its DevTools."""

from __future__ import annotations

import base64
import itertools
import json
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
BROWSER = next(filter(None, map(shutil.which, NAMES)), None)
FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-dev-shm-usage", "--window-size=1200,1000", "--remote-debugging-port=0"),
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
)


class Page:
    """A tab; `problems` holds what its scripts threw or reported as an error."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.numbers = itertools.count(1)
        self.problems: list[str] = []
        for domain in ("Page", "Runtime", "Log"):
            self.ask(f"{domain}.enable")

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            message = json.loads(self.socket.recv(timeout=60))
            if message.get("id") == number:
                assert "error" not in message, message
                return message["result"]
            self._note(message["method"], message["params"])

    def _note(self, event: str, params: dict[str, Any]) -> None:
        if event == "Runtime.exceptionThrown":
            self.problems.append(json.dumps(params["exceptionDetails"])[:600])
        elif event == "Log.entryAdded":
            entry = params["entry"]
            if entry["level"] == "error" and entry["source"] == "javascript":
                self.problems.append(entry["text"])

    def evaluate(self, script: str) -> Any:
        answer = self.ask(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def wait_for(self, condition: str, seconds: float = 40.0) -> None:
        """Let the page itself look every 50 ms until `condition` holds."""
        self.evaluate(
            "new Promise((done, fail) => {"
            f"const look = () => ({condition}) ? done(true) : setTimeout(look, 50); look();"
            f"setTimeout(() => fail(new Error({json.dumps(condition)})), {1000 * seconds}); }})"
        )

    def screenshot(self, path: Path) -> None:
        taken = self.ask("Page.captureScreenshot", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(taken["data"]))


@contextmanager
def open_page(url: str, folder: Path) -> Iterator[Page]:
    """Open `url` in a browser of its own, whose profile lies in `folder`."""
    from websockets.sync.client import connect

    assert BROWSER is not None
    command = [BROWSER, *FLAGS, f"--user-data-dir={folder}", "about:blank"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        address = f"http://127.0.0.1:{_port(process, folder / 'DevToolsActivePort')}/json/list"
        with urllib.request.urlopen(address, timeout=20) as answer:
            tab = next(tab for tab in json.load(answer) if tab["type"] == "page")
        with connect(tab["webSocketDebuggerUrl"], max_size=None, origin=None) as socket:
            page = Page(socket)
            page.ask("Page.navigate", url=url)
            yield page
    finally:
        process.terminate()
        process.wait(20)


def _port(process: subprocess.Popen[bytes], file: Path) -> int:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        assert process.poll() is None, f"the browser ended with status {process.returncode}"
        if file.is_file() and (lines := file.read_text().splitlines()):
            return int(lines[0])
        time.sleep(0.05)
    raise TimeoutError("the browser opened no port for DevTools within 60 s")
