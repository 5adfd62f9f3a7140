"""A process on the server."""

from __future__ import annotations

import asyncio
import base64
import secrets
from typing import TYPE_CHECKING, Any

from .errors import (
    ConnectionLostError,
    ExecServerError,
    OutputGapError,
    ProcessLostError,
    RequestError,
    StaleHandleError,
    StdinClosedError,
    UnexpectedAnswerError,
)
from .sequence import Exit, Sequence
from .streams import InputWriter, OutputReader

if TYPE_CHECKING:
    from .client import Client

MAX_READ_BYTES = 512 << 10
"""Output that is asked for in one read."""

MAX_CHUNK_BYTES = 4 << 20
"""What an answer may have beyond that: servers send the first chunk whole."""

POLL_MS = 20_000
HOLE_SECONDS = 1.0
"""How long a missing event may take to come by itself before it is read."""

_FIRST_DELAY = 0.005
_MAX_DELAY = 0.2


class Process:
    """Handle of one process, shaped like `asyncio.subprocess.Process`. Use it with `async with`, which ends the process.

    The id is random and never used again, so a handle that is closed or left over cannot reach another process.
    """

    def __init__(self, client: "Client", process_id: str, polled: bool, buffer_bytes: int, merged: bool) -> None:
        self.id = process_id
        self.sandbox_type: str | None = None
        """What the server says of the process's sandbox: `none`, `linuxSeccomp`, ..."""
        self.exit: Exit | None = None
        """How the process has ended; None while it runs."""
        self._client = client
        self._polled = polled
        self._buffer_bytes = buffer_bytes
        self._changed = asyncio.Event()
        self._exited = asyncio.Event()
        self._finished = asyncio.Event()
        self._lost: ExecServerError | None = None
        self._released = False
        self.stdout = OutputReader(self._changed.set)
        """Output; of a terminal all of it."""
        self.stderr = self.stdout if merged else OutputReader(self._changed.set)
        self.stdin: InputWriter | None = None
        self._sequence = Sequence(0, self._on_output, self._on_gap, self._on_exit, self._on_finished)
        self._sequence.behind = polled
        self._write_prefix = secrets.token_hex(8) + "-"
        self._write_count = 0
        self._feed: asyncio.Task[None] | None = None

    # What users call.

    @property
    def returncode(self) -> int | None:
        return self.exit.code if self.exit else None

    async def wait(self) -> int:
        """Waits for the exit and returns its code. Output that still comes can be read.

        Raises ProcessLostError when nothing more will be heard of the process.
        """
        await self._exited.wait()
        if self.exit is None:
            assert self._lost is not None
            raise self._lost
        return self.exit.code

    async def wait_closed(self) -> int:
        """Waits for the exit and the end of the output, which a descendant may hold open."""
        await self._finished.wait()
        return await self.wait()

    async def communicate(self, input: bytes | None = None) -> tuple[bytes, bytes]:
        """Sends the input and its end, and returns all output. stderr is empty where it goes to stdout."""

        async def send() -> None:
            if self.stdin is not None:
                try:
                    self.stdin.write(input or b"")
                    await self.stdin.drain()
                    self.stdin.write_eof()
                    await self.stdin.wait_closed()
                except StdinClosedError:
                    pass  # the program has ended, or reads no more: no error, as in asyncio

        async def rest() -> bytes:
            return b"" if self.stderr is self.stdout else await self.stderr.read()

        out, err, _ = await asyncio.gather(self.stdout.read(), rest(), send())
        await self.wait()
        return out, err

    async def send_signal(self, signal: str, foreground: bool = False) -> None:
        """Sends a signal by name (`TERM`, `HUP`, `interrupt`) to the group of the process.

        :param foreground: to the job in the foreground of its terminal instead
        """
        self._check()
        if signal != "interrupt":
            self._client.require("process/signal")
        params: dict[str, Any] = {"processId": self.id, "signal": signal}
        if foreground:
            self._client.require("foreground")
            params["foreground"] = True
        await self._client.call("process/signal", params, repeat=False)

    async def terminate(self, grace: float = 2.0) -> None:
        """Sends SIGTERM to the whole tree, and SIGKILL to what is left after `grace` seconds."""
        self._check()
        params: dict[str, Any] = {"processId": self.id}
        if "graceMs" in self._client.features:
            params["graceMs"] = int(grace * 1000)
        await self._client.call("process/terminate", params, repeat=True)

    async def kill(self) -> None:
        """Kills the whole tree at once."""
        self._check()
        await self._client.call("process/terminate", {"processId": self.id}, repeat=True)

    async def resize(self, cols: int, rows: int) -> None:
        """Changes the window size of the terminal."""
        self._check()
        self._client.require("process/resize")
        await self._client.call("process/resize", {"processId": self.id, "cols": cols, "rows": rows}, repeat=True)

    async def close(self) -> None:
        """Ends the process if it runs, and releases the handle."""
        if self._released:
            return
        if self.exit is None and self._lost is None and not self._client.closed:
            try:
                await self.kill()
            except (ConnectionLostError, RequestError):
                pass  # there is nobody who could end it, or nothing left to end
        self._released = True
        self._client.forget(self)
        self._lose(StaleHandleError(f"the handle of process {self.id} was closed"))
        if self._feed is not None:
            self._feed.cancel()
            await asyncio.gather(self._feed, return_exceptions=True)

    async def __aenter__(self) -> "Process":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    # What the client calls.

    def started(self, result: dict[str, Any], stdin: bool) -> None:
        self.sandbox_type = result.get("sandboxType")
        if stdin:
            self.stdin = InputWriter(self._write, self._end_input)
        self._feed = asyncio.create_task(self._run())

    def pushed(self, method: str, params: dict[str, Any]) -> None:
        try:
            if method == "process/output":
                if not self._polled:
                    self._sequence.pushed_output(params, self._unread() < self._buffer_bytes)
            elif method == "process/exited":
                self._sequence.pushed_exit(params)
            elif method == "process/closed":
                if self._polled:
                    self._sequence.behind = True
                else:
                    self._sequence.pushed_close(params)
        except (KeyError, TypeError, ValueError) as e:
            self._lose(ProcessLostError(f"the server sent an event that cannot be read: {e!r}"))
        self._changed.set()

    def resumed(self) -> None:
        """Notes that pushed events may have been missed."""
        self._sequence.behind = True
        self._changed.set()

    def lose(self, error: ExecServerError) -> None:
        self._lose(error)

    # Output.

    def _unread(self) -> int:
        return self.stdout.unread + (0 if self.stderr is self.stdout else self.stderr.unread)

    def _may_read(self) -> bool:
        """True if there is room, or somebody waits for one stream while the other one is full."""
        return self._unread() < self._buffer_bytes or self.stdout.waiting or self.stderr.waiting

    async def _run(self) -> None:
        try:
            while not self._sequence.done and self._lost is None:
                if not (self._sequence.behind and self._may_read()):
                    await self._wait_for_change()
                    continue
                self._sequence.behind = self._polled
                await self._read()
        except ExecServerError as e:
            self._lose(e)

    async def _wait_for_change(self) -> None:
        self._changed.clear()
        hole = self._sequence.hole and not self._sequence.behind
        try:
            await asyncio.wait_for(self._changed.wait(), HOLE_SECONDS if hole else None)
        except asyncio.TimeoutError:
            if self._sequence.hole:
                self._sequence.behind = True

    async def _read(self) -> None:
        wait_ms = POLL_MS if self._polled else 0
        params = {
            "processId": self.id,
            "afterSeq": self._sequence.last,
            "maxBytes": MAX_READ_BYTES,
            "waitMs": wait_ms,
        }
        try:
            limit = self._client.request_timeout + wait_ms / 1000
            result = await self._client.call("process/read", params, repeat=True, timeout=limit)
        except RequestError as e:
            if e.server_message.endswith("is starting"):
                await asyncio.sleep(0.05)
                self._sequence.behind = True
            elif self.exit is None or self._polled:
                raise ProcessLostError(f"process {self.id} cannot be read: {e}") from e
            return
        self._check_size(result)
        if result.get("failure"):
            raise ProcessLostError(f"the server reports of process {self.id}: {str(result['failure'])[:4096]}")
        try:
            self._sequence.merge(result)
        except (KeyError, TypeError, ValueError) as e:
            raise UnexpectedAnswerError(f"process/read: {e!r}") from e

    def _check_size(self, result: Any) -> None:
        if not isinstance(result, dict):
            raise UnexpectedAnswerError("process/read: the result is no object")
        size = sum(len(chunk.get("chunk", "")) for chunk in result.get("chunks") or []) * 3 // 4
        if size > MAX_READ_BYTES + MAX_CHUNK_BYTES:
            raise UnexpectedAnswerError(f"process/read: {size} bytes of output where {MAX_READ_BYTES} were asked for")

    def _on_output(self, stream: str, data: bytes) -> None:
        (self.stderr if stream == "stderr" else self.stdout).feed(data)

    def _on_gap(self, dropped: int | None) -> None:
        self.stdout.feed_error(OutputGapError(dropped))
        if self.stderr is not self.stdout:
            self.stderr.feed_error(OutputGapError(dropped))

    def _on_exit(self, known: Exit) -> None:
        self.exit = known
        self._exited.set()

    def _on_finished(self) -> None:
        self.stdout.feed_eof()
        self.stderr.feed_eof()
        self._exited.set()
        self._finished.set()
        self._client.forget(self)

    def _lose(self, error: ExecServerError) -> None:
        if self._lost is None and not self._sequence.done:
            self._lost = error
            for stream in {self.stdout, self.stderr}:
                stream.feed_error(error)
                stream.feed_eof()
            self._exited.set()
            self._finished.set()
            self._changed.set()

    # Input.

    async def _write(self, data: bytes) -> None:
        self._check()
        self._write_count += 1
        params = {
            "processId": self.id,
            "chunk": base64.b64encode(data).decode("ascii"),
            "writeId": f"{self._write_prefix}{self._write_count}",
        }
        delay = _FIRST_DELAY
        while not await self._accepted(params):
            await asyncio.sleep(delay)
            delay = min(_MAX_DELAY, delay * 2)

    async def _accepted(self, params: dict[str, Any]) -> bool:
        try:
            # No time limit: a server may answer only when the program has read.
            result = await self._client.call("process/write", params, repeat=True, timeout=None)
        except RequestError as e:
            if e.reason == "stdinFull":
                return False
            raise
        status = result.get("status")
        if status in ("stdinClosed", "unknownProcess"):
            raise StdinClosedError(f"process {self.id} takes no input: {status}")
        return bool(status == "accepted")

    async def _end_input(self) -> None:
        self._client.require("process/closeStdin")
        await self._client.call("process/closeStdin", {"processId": self.id}, repeat=True)

    def _check(self) -> None:
        if self._released:
            raise StaleHandleError(f"the handle of process {self.id} was closed")
