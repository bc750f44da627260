"""Keeps a WebSocket session alive over messages that openenv 0.10 would close it for.

Those are JSON nested beyond the interpreter's stack, numbers with more digits than it converts,
half a surrogate pair, JSON that is no object, and binary frames. A step among them is replaced by
one that the environment answers as an invalid action, anything else by a message of unknown type.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from env_lib.wire import TOO_DEEP, UNREADABLE

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AsgiApp = Callable[[Message, Receive, Send], Awaitable[None]]

MALFORMED = '{"type": "malformed"}'
STEP = re.compile(r'\s*\{\s*"type"\s*:\s*"step"')
DEEP = 200
"""Opening brackets from which on a message may be nested too deeply."""
LONG = 4300
"""Characters from which on a message may hold a number that the interpreter does not convert."""


class MessageGuard:
    """ASGI middleware: what reaches a WebSocket's handler is text that it can read."""

    def __init__(self, app: AsgiApp) -> None:
        """Wrap `app`."""
        self.app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass the connection on, its messages replaced where they must be."""
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return

        async def guarded() -> Message:
            message = await receive()
            if message["type"] == "websocket.receive":
                message["text"] = readable(message.get("text"))
            return message

        await self.app(scope, guarded, send)


def readable(text: str | None) -> str:
    """Return `text`, or what takes its place where a handler would fail on it.

    Text that is no JSON at all comes back as it is: openenv answers it.
    """
    if text is None:
        return MALFORMED
    plain = text.startswith("{") and len(text) < LONG and text.count("[") + text.count("{") < DEEP
    if plain and "\\ud" not in text and "\\uD" not in text:
        return text
    try:
        value = json.loads(text)
        json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError:
        return text
    except RecursionError:
        return _instead(text, TOO_DEEP)
    except UnicodeEncodeError:
        return _instead(text, "half a surrogate pair is no character")
    except ValueError:
        return _instead(text, f"a whole number of {LONG} digits or more is not read")
    return text if isinstance(value, dict) else MALFORMED


def _instead(text: str, reason: str) -> str:
    if not STEP.match(text):
        return MALFORMED
    return json.dumps({"type": "step", "data": {UNREADABLE: reason}})
