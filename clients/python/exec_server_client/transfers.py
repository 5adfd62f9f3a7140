"""Whole files over HTTP beside the WebSocket, streamed and without Base64 (docs/files-over-http.md)."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import ssl as tls
from typing import TYPE_CHECKING, Any, AsyncIterator, Awaitable, Callable, Iterable, Mapping, Union
from urllib.parse import quote, urlsplit

from .errors import ConnectFailedError, ConnectionLostError, RequestTimeoutError, UnexpectedAnswerError, request_error
from .paths import RemotePath, below

if TYPE_CHECKING:
    from .client import Client

FEATURE = "/files"

PIECE_BYTES = 256 << 10
"""Bytes that are read or written at once."""

MAX_HEAD_BYTES = 64 << 10
MAX_ERROR_BYTES = 64 << 10

Source = Union[bytes, "os.PathLike[str]", Iterable[bytes], AsyncIterator[bytes]]


class Download:
    """A running download: iterate over it with `async for`. Use it with `async with`."""

    def __init__(self, connection: "_Connection", size: int, tag: str) -> None:
        self.size = size
        """Length of what comes, in bytes."""
        self.tag = tag
        """Names the state of the file, for `upload(if_match=...)`."""
        self._connection = connection
        self._left = size

    def __aiter__(self) -> "Download":
        return self

    async def __anext__(self) -> bytes:
        if self._left == 0:
            raise StopAsyncIteration
        piece = await self._connection.read(min(PIECE_BYTES, self._left))
        if not piece:
            raise ConnectionLostError(f"the download has ended {self._left} bytes early")
        self._left -= len(piece)
        return piece

    async def __aenter__(self) -> "Download":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._connection.close()


class Transfers:
    """Downloads and uploads of whole files; `client.transfers`. They need a server with a token and a URL."""

    def __init__(
        self,
        client: "Client",
        url: str,
        headers: Callable[[], Awaitable[Mapping[str, str]]],
        context: tls.SSLContext | None,
    ) -> None:
        self._client = client
        self._url = urlsplit(url)
        self._headers = headers
        self._context = context

    async def open(self, path: RemotePath, *, start: int = 0) -> Download:
        """Begins a download, from the byte `start` on."""
        headers = {"Range": f"bytes={start}-"} if start else {}
        connection = await self._request("GET", path, headers)
        try:
            status, answer = await connection.head()
            await _check("GET /files", connection, status, answer)
            return Download(connection, _length(answer), answer.get("etag", ""))
        except BaseException:
            await connection.close()
            raise

    async def download(self, path: RemotePath, target: str | os.PathLike[str]) -> int:
        """Downloads into a local file, which is replaced when the download is complete. Returns its size."""
        folder = os.path.dirname(os.path.abspath(target))
        async with await self.open(path) as incoming:
            part = os.path.join(folder, f".exec-client-{secrets.token_hex(8)}.part")
            try:
                with open(part, "xb") as file:
                    async for piece in incoming:
                        file.write(piece)
                os.replace(part, target)
            except BaseException:
                if os.path.lexists(part):
                    os.unlink(part)
                raise
            return incoming.size

    async def upload(
        self, source: Source, path: RemotePath, *, if_match: str | None = None, create: bool = False
    ) -> str:
        """Uploads a file, which appears when it has arrived completely. Returns its tag.

        :param source: a local path (`pathlib.Path`), bytes, or an iterable of bytes, asynchronous or not
        :param if_match: replace only the state with this tag
        :param create: fail if the file exists
        """
        headers = {}
        if if_match is not None:
            headers["If-Match"] = if_match
        if create:
            headers["If-None-Match"] = "*"
        if isinstance(source, os.PathLike):
            with open(source, "rb") as file:
                size = os.fstat(file.fileno()).st_size
                return await self._put(path, headers, iter(lambda: file.read(PIECE_BYTES), b""), size)
        if isinstance(source, bytes):
            return await self._put(path, headers, [source], len(source))
        return await self._put(path, headers, source, None)

    async def _put(self, path: RemotePath, headers: dict[str, str], pieces: Any, size: int | None) -> str:
        headers["Transfer-Encoding" if size is None else "Content-Length"] = "chunked" if size is None else str(size)
        asking = size is not None and size > PIECE_BYTES
        if asking:
            headers["Expect"] = "100-continue"
        connection = await self._request("PUT", path, headers)
        try:
            if asking:
                status, answer = await connection.head()
                if status != 100:
                    await _check("PUT /files", connection, status, answer)
                    raise UnexpectedAnswerError(f"PUT /files: HTTP status {status} before the content was sent")
            status, answer = await _exchange(connection, pieces, size)
            await _check("PUT /files", connection, status, answer)
            return answer.get("etag", "")
        finally:
            await connection.close()

    async def _request(self, method: str, path: RemotePath, headers: Mapping[str, str]) -> "_Connection":
        self._client.require(FEATURE)
        uri = below(self._client.cwd_uri, path)
        base = self._url.path.rstrip("/")
        lines = [f"{method} {base}/files?path={quote(uri, safe='')} HTTP/1.1", f"Host: {self._url.netloc}"]
        lines += [f"{name}: {value}" for name, value in {**await self._headers(), **headers}.items()]
        lines.append("Connection: close")
        connection = await self._connect()
        await connection.write(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"))
        return connection

    async def _connect(self) -> "_Connection":
        secure = self._url.scheme == "wss"
        port = self._url.port or (443 if secure else 80)
        context = (self._context or tls.create_default_context()) if secure else None
        limit = self._client.request_timeout
        try:
            opening = asyncio.open_connection(self._url.hostname, port, ssl=context, limit=MAX_HEAD_BYTES)
            reader, writer = await asyncio.wait_for(opening, limit)
        except (OSError, asyncio.TimeoutError) as e:
            raise ConnectFailedError(f"{self._url.netloc} cannot be reached: {e or 'no answer in time'}") from e
        return _Connection(reader, writer, limit)


class _Connection:
    """One HTTP connection for one request. A peer that neither takes nor sends anything for the limit fails it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, limit: float) -> None:
        self._reader = reader
        self._writer = writer
        self._limit = limit

    async def write(self, data: bytes) -> None:
        self._writer.write(data)
        await self.in_time(self._writer.drain())

    async def read(self, most: int) -> bytes:
        return await self.in_time(self._reader.read(most))

    async def head(self, *, limited: bool = True) -> tuple[int, dict[str, str]]:
        """Reads the status and the headers, whose names are in lower case."""
        reading = self._reader.readuntil(b"\r\n\r\n")
        try:
            text = await (self.in_time(reading) if limited else reading)
        except asyncio.IncompleteReadError as e:
            raise ConnectionLostError("the server has closed the connection without an answer") from e
        except asyncio.LimitOverrunError as e:
            raise UnexpectedAnswerError("the head of the answer is too long") from e
        except OSError as e:
            raise ConnectionLostError(f"the transfer has failed: {e}") from e
        first, *lines = text.decode("latin-1").strip().split("\r\n")
        words = first.split(" ", 2)
        if len(words) < 2 or words[0] != "HTTP/1.1" or not words[1].isdigit():
            raise UnexpectedAnswerError("the answer is not HTTP/1.1")
        pairs = (line.partition(":") for line in lines)
        return int(words[1]), {name.strip().lower(): value.strip() for name, _, value in pairs}

    async def close(self) -> None:
        self._writer.close()
        try:
            await self._writer.wait_closed()
        except OSError:
            pass  # it was cut; nothing is left to close

    async def in_time(self, work: Awaitable[Any]) -> Any:
        try:
            return await asyncio.wait_for(work, self._limit)
        except asyncio.TimeoutError as e:
            raise RequestTimeoutError(f"the transfer has stood still for {self._limit} s") from e
        except OSError as e:
            raise ConnectionLostError(f"the transfer has failed: {e}") from e


async def _exchange(connection: _Connection, pieces: Any, size: int | None) -> tuple[int, dict[str, str]]:
    """Sends a body and reads the answer. A server that refuses answers at once and does not read the rest."""
    answer = asyncio.ensure_future(connection.head(limited=False))
    try:
        await _send(connection, pieces, size, answer)
        return await connection.in_time(asyncio.shield(answer))
    finally:
        answer.cancel()
        await asyncio.gather(answer, return_exceptions=True)


async def _send(connection: _Connection, pieces: Any, size: int | None, answer: "asyncio.Future[Any]") -> None:
    sent = 0
    async for piece in _each(pieces):
        if answer.done():
            return
        sent += len(piece)
        if size is not None and sent > size:
            raise ValueError("the file became longer while it was sent")
        for at in range(0, len(piece), PIECE_BYTES):
            part = piece[at : at + PIECE_BYTES]
            try:
                await connection.write(part if size is not None else b"%x\r\n%b\r\n" % (len(part), part))
            except ConnectionLostError:
                return  # what has been read of the answer tells why
            if answer.done():
                return
    if size is None:
        await connection.write(b"0\r\n\r\n")
    elif sent < size:
        raise ValueError("the file became shorter while it was sent")


async def _each(pieces: Any) -> AsyncIterator[bytes]:
    if hasattr(pieces, "__aiter__"):
        async for piece in pieces:
            yield piece
    else:
        for piece in pieces:
            yield piece


async def _check(method: str, connection: _Connection, status: int, headers: Mapping[str, str]) -> None:
    if status in (200, 201, 204, 206):
        return
    body = b""
    while len(body) < min(_length(headers), MAX_ERROR_BYTES):
        piece = await connection.read(MAX_ERROR_BYTES)
        if not piece:
            break
        body += piece
    try:
        error = json.loads(body)["error"]
    except (ValueError, KeyError, TypeError):
        error = {"message": f"HTTP status {status}"}
    raise request_error(method, error)


def _length(headers: Mapping[str, str]) -> int:
    text = headers.get("content-length", "0")
    if not text.isdigit() or "transfer-encoding" in headers:
        raise UnexpectedAnswerError("the answer does not say its length")
    return int(text)
