"""Output and input of a process, shaped like the streams of `asyncio.subprocess`."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import AsyncIterator, Awaitable, Callable

from .errors import OutputLimitError, StaleHandleError

MAX_UNREAD_BYTES = 64 << 20
"""Output of one stream that may wait while the other stream is read."""


class OutputReader:
    """Reads one output stream of a process.

    One task reads at a time. A place where the server had to drop output raises OutputGapError once; the next read goes
    on behind it.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self._items: deque[bytes | BaseException] = deque()
        self._changed = changed
        self._arrived = asyncio.Event()
        self._ended = False
        self._overflown = False
        self.unread = 0
        """Bytes that wait to be read."""
        self.waiting = False
        """True while a task waits for more."""

    async def read(self, n: int = -1) -> bytes:
        """Returns at most `n` bytes, at least one unless the stream has ended; all until the end when `n` is -1."""
        if n == 0:
            return b""
        if n < 0:
            return b"".join([piece async for piece in self.chunks()])
        item = await self._next()
        if len(item) > n:
            self._put_back(item[n:])
            item = item[:n]
        return item

    async def readexactly(self, n: int) -> bytes:
        """Returns exactly `n` bytes. Raises asyncio.IncompleteReadError when the stream ends before."""
        got = bytearray()
        while len(got) < n:
            piece = await self.read(n - len(got))
            if not piece:
                raise asyncio.IncompleteReadError(bytes(got), n)
            got += piece
        return bytes(got)

    async def readline(self) -> bytes:
        """Returns one line with its newline; the rest without one at the end; nothing after that."""
        line = bytearray()
        while piece := await self._next():
            end = piece.find(b"\n")
            if end >= 0:
                self._put_back(piece[end + 1 :])
                return bytes(line) + piece[: end + 1]
            line += piece
            if len(line) > MAX_UNREAD_BYTES:
                raise OutputLimitError(f"a line has more than {MAX_UNREAD_BYTES} bytes; read it with read(n)")
        return bytes(line)

    async def chunks(self) -> AsyncIterator[bytes]:
        """Yields output in the pieces in which it came."""
        while piece := await self._next():
            yield piece

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._lines()

    async def _lines(self) -> AsyncIterator[bytes]:
        while line := await self.readline():
            yield line

    def at_eof(self) -> bool:
        return self._ended and not self._items

    async def _next(self) -> bytes:
        while not self._items:
            if self._ended:
                return b""
            self._arrived.clear()
            self.waiting = True
            self._changed()
            try:
                await self._arrived.wait()
            finally:
                self.waiting = False
        item = self._items.popleft()
        if isinstance(item, BaseException):
            raise item
        self.unread -= len(item)
        self._changed()
        return item

    def _put_back(self, rest: bytes) -> None:
        if rest:
            self._items.appendleft(rest)
            self.unread += len(rest)

    # What the process calls.

    def feed(self, data: bytes) -> None:
        if not data or self._overflown or self._ended:
            return
        if self.unread + len(data) > MAX_UNREAD_BYTES:
            self._overflown = True
            self.feed_error(OutputLimitError(f"more than {MAX_UNREAD_BYTES} bytes of output were not read; the rest is dropped"))
            return
        self._items.append(data)
        self.unread += len(data)
        self._arrived.set()

    def feed_error(self, error: BaseException) -> None:
        self._items.append(error)
        self._arrived.set()

    def feed_eof(self) -> None:
        self._ended = True
        self._arrived.set()


class InputWriter:
    """Writes to the stdin of a process: `write` takes bytes, `drain` waits until the server has them.

    Raises StdinClosedError when the process takes no input.
    """

    def __init__(self, send: Callable[[bytes], Awaitable[None]], end: Callable[[], Awaitable[None]]) -> None:
        self._send = send
        self._end = end
        self._pending = bytearray()
        self._eof = False
        self._lock = asyncio.Lock()
        self._closing: asyncio.Task[None] | None = None

    def write(self, data: bytes) -> None:
        """Adds bytes, which are sent by the next `drain` or `write_eof`."""
        if self._eof:
            raise StaleHandleError("write after write_eof")
        self._pending += data

    def writelines(self, lines: list[bytes]) -> None:
        for line in lines:
            self.write(line)

    async def drain(self) -> None:
        """Sends what was written and waits until the server has taken it, which it does as fast as the program reads."""
        async with self._lock:
            while self._pending:
                piece = bytes(self._pending[: 1 << 20])
                del self._pending[: 1 << 20]
                await self._send(piece)

    def write_eof(self) -> None:
        """Ends the input, behind everything that was written. `wait_closed` waits until that is done."""
        if not self._eof:
            self._eof = True
            self._closing = asyncio.create_task(self._finish())
            self._closing.add_done_callback(lambda task: task.cancelled() or task.exception())

    def close(self) -> None:
        self.write_eof()

    async def wait_closed(self) -> None:
        if self._closing is not None:
            await asyncio.shield(self._closing)

    async def _finish(self) -> None:
        await self.drain()
        await self._end()
