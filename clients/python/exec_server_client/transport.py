"""Transports: a WebSocket, a WebSocket over a Unix socket, or the standard streams of a server that is started here."""

from __future__ import annotations

import asyncio
from typing import Any, AsyncIterator, Mapping, Protocol, Sequence

import websockets
from websockets.exceptions import ConnectionClosed

from .errors import ConnectFailedError, UpgradeRefusedError

MAX_MESSAGE_BYTES = 64 << 20
"""Largest message in either direction (docs/protocol.md, "Transport")."""

PING_SECONDS = 20
"""Time between two pings, and the longest wait for an answer."""


class Transport(Protocol):
    """Sends and receives messages, each the text of one JSON value."""

    async def send(self, message: str) -> None: ...

    def messages(self) -> AsyncIterator[str | bytes]: ...

    async def close(self) -> None: ...

    def close_reason(self) -> str:
        """Returns why the other side ended, as far as it said so."""
        ...


class _WebSocket:
    def __init__(self, socket: Any) -> None:
        self._socket = socket

    async def send(self, message: str) -> None:
        await self._socket.send(message)

    async def messages(self) -> AsyncIterator[str | bytes]:
        try:
            while True:
                yield await self._socket.recv()
        except ConnectionClosed:
            return

    async def close(self) -> None:
        await self._socket.close()

    def close_reason(self) -> str:
        code = getattr(self._socket, "close_code", None)
        reason = getattr(self._socket, "close_reason", None) or ""
        return f"{code} {reason}".strip() if code is not None else "the connection was cut"


class _Program:
    """A server on the standard streams of a child process, one JSON value a line."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def send(self, message: str) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        stdin.write(message.encode("utf-8") + b"\n")
        await stdin.drain()

    async def messages(self) -> AsyncIterator[str | bytes]:
        stdout = self._process.stdout
        assert stdout is not None
        while True:
            try:
                line = await stdout.readline()
            except ValueError:  # longer than the limit
                return
            if not line:
                return
            if line.strip():
                yield line

    async def close(self) -> None:
        stdin = self._process.stdin
        if stdin is not None:
            stdin.close()
        await self._process.wait()

    def close_reason(self) -> str:
        return f"the server program has ended with {self._process.returncode}"


async def open_websocket(url: str, headers: Mapping[str, str], timeout: float, ssl: Any = None) -> Transport:
    """Connects to `ws://`, `wss://` or `unix:PATH`.

    Raises UpgradeRefusedError when the server refuses, ConnectFailedError when it cannot be reached in time.
    """
    options: dict[str, Any] = {
        "max_size": MAX_MESSAGE_BYTES,
        "compression": None,
        "ping_interval": PING_SECONDS,
        "ping_timeout": PING_SECONDS,
        "open_timeout": timeout,
        "close_timeout": 2,
        "max_queue": 16,
    }
    modern = int(websockets.__version__.split(".")[0]) >= 14
    options["additional_headers" if modern else "extra_headers"] = dict(headers)
    try:
        if url.startswith("unix:"):
            path = url[len("unix:") :]
            unix = websockets.unix_connect(path, uri="ws://localhost/", **options)
            return _WebSocket(await unix)
        if ssl is not None:
            options["ssl"] = ssl
        return _WebSocket(await websockets.connect(url, **options))
    except websockets.exceptions.InvalidURI as e:
        raise ConnectFailedError(f"not a URL of a server: {e}") from e
    except websockets.exceptions.InvalidHandshake as e:
        status = getattr(e, "status_code", None) or getattr(getattr(e, "response", None), "status_code", None)
        if status is None:
            raise ConnectFailedError(f"{url} does not speak WebSocket: {e}") from e
        raise UpgradeRefusedError(url, status) from e
    except (OSError, asyncio.TimeoutError, EOFError) as e:
        raise ConnectFailedError(f"{url} cannot be reached: {e or 'no answer in time'}") from e


async def start_program(command: Sequence[str]) -> Transport:
    """Starts a server such as `exec-server --listen stdio`, or `ssh HOST exec-server --listen stdio`."""
    try:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=MAX_MESSAGE_BYTES
        )
    except OSError as e:
        raise ConnectFailedError(f"{command[0]} cannot be started: {e}") from e
    return _Program(process)
