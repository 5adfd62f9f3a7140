"""Files of the server (docs/protocol.md, "Files")."""

from __future__ import annotations

import asyncio
import base64
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, AsyncIterator, Iterable

from .errors import UnexpectedAnswerError
from .paths import RemotePath, below, from_uri
from .sandbox import Sandbox, sandbox_member

if TYPE_CHECKING:
    from .client import Client

BLOCK_BYTES = 1 << 20
"""Size of one block (docs/protocol.md, "Limits")."""

MAX_WAITING_CHANGES = 1_024
"""Notifications of a watch that wait for whoever reads them; the next one says that some are missing."""


_List = list  # `Files.list` hides the name


@dataclass(frozen=True)
class FileInfo:
    """What the server says of a file."""

    is_directory: bool
    is_file: bool
    is_symlink: bool
    size: int
    modified_at_ms: int
    mode: int | None


class Files:
    """File methods of a session. A relative path is below the server's working directory.

    :ivar sandbox: every call takes one, as `Client.exec` does
    """

    def __init__(self, client: "Client") -> None:
        self._client = client

    async def read(self, path: RemotePath, *, sandbox: Sandbox | dict[str, Any] | str | None = None) -> bytes:
        """Returns the content of a file of any size."""
        return b"".join([block async for block in self.read_blocks(path, sandbox=sandbox)])

    async def read_blocks(
        self, path: RemotePath, *, sandbox: Sandbox | dict[str, Any] | str | None = None
    ) -> AsyncIterator[bytes]:
        """Yields the content of a file in blocks of at most 1 MiB."""
        handle = secrets.token_hex(12)
        await self._call("fs/open", {"handleId": handle, "path": self._uri(path), "mode": "read"}, sandbox, repeat=False)
        try:
            offset = 0
            while True:
                block = await self._client.call(
                    "fs/readBlock", {"handleId": handle, "offset": offset, "len": BLOCK_BYTES}, repeat=False
                )
                data = _decoded("fs/readBlock", block, "chunk")
                if len(data) > BLOCK_BYTES:
                    raise UnexpectedAnswerError(f"fs/readBlock: {len(data)} bytes where {BLOCK_BYTES} were asked for")
                if data:
                    yield data
                offset += len(data)
                if block.get("eof") or not data:
                    return
        finally:
            if not self._client.closed:
                await self._client.call("fs/close", {"handleId": handle}, repeat=False)

    async def write(
        self, path: RemotePath, data: bytes, *, sandbox: Sandbox | dict[str, Any] | str | None = None
    ) -> None:
        """Makes or replaces a file. One above 16 MiB is written in blocks."""
        if len(data) <= 16 * BLOCK_BYTES:
            params = {"path": self._uri(path), "dataBase64": base64.b64encode(data).decode("ascii")}
            await self._call("fs/writeFile", params, sandbox, repeat=False)
            return
        await self.write_blocks(path, [data], sandbox=sandbox)

    async def write_blocks(
        self,
        path: RemotePath,
        pieces: Iterable[bytes] | AsyncIterator[bytes],
        *,
        sandbox: Sandbox | dict[str, Any] | str | None = None,
    ) -> int:
        """Makes or replaces a file from pieces of any length. Returns its size."""
        handle = secrets.token_hex(12)
        await self._call(
            "fs/open", {"handleId": handle, "path": self._uri(path), "mode": "replace"}, sandbox, repeat=False
        )
        try:
            offset = 0
            async for block in _blocks(pieces):
                chunk = base64.b64encode(block).decode("ascii")
                await self._client.call(
                    "fs/writeBlock", {"handleId": handle, "offset": offset, "chunk": chunk}, repeat=False
                )
                offset += len(block)
            return offset
        finally:
            if not self._client.closed:
                await self._client.call("fs/close", {"handleId": handle}, repeat=False)

    async def append(self, path: RemotePath, data: bytes, *, sandbox: Sandbox | dict[str, Any] | str | None = None) -> int:
        """Writes behind the end of a file, which is made when there is none. Returns its new size."""
        self._client.require("fs/append")
        params = {"path": self._uri(path), "dataBase64": base64.b64encode(data).decode("ascii")}
        return int((await self._call("fs/append", params, sandbox, repeat=False))["size"])

    async def stat(
        self, path: RemotePath, *, follow: bool = True, sandbox: Sandbox | dict[str, Any] | str | None = None
    ) -> FileInfo:
        params: dict[str, Any] = {"path": self._uri(path), "followSymlinks": follow}
        if "mode" in self._client.features:
            params["mode"] = True
        found = await self._call("fs/getMetadata", params, sandbox, repeat=True)
        return FileInfo(
            is_directory=bool(found.get("isDirectory")),
            is_file=bool(found.get("isFile")),
            is_symlink=bool(found.get("isSymlink")),
            size=int(found.get("size", 0)),
            modified_at_ms=int(found.get("modifiedAtMs", 0)),
            mode=found.get("mode"),
        )

    async def list(self, path: RemotePath, *, sandbox: Sandbox | dict[str, Any] | str | None = None) -> list[str]:
        """Returns the names in a directory, sorted."""
        return sorted(entry["fileName"] for entry in await self.entries(path, sandbox=sandbox))

    async def entries(
        self, path: RemotePath, *, sandbox: Sandbox | dict[str, Any] | str | None = None
    ) -> _List[dict[str, Any]]:
        """Returns what is in a directory as the server says it: `fileName`, `isDirectory`, `isFile`."""
        found = await self._call("fs/readDirectory", {"path": self._uri(path)}, sandbox, repeat=True)
        return _List(found["entries"])

    async def walk(
        self, path: RemotePath, *, sandbox: Sandbox | dict[str, Any] | str | None = None, **options: Any
    ) -> dict[str, Any]:
        """Returns `{entries, errors, truncated}` of a tree, with native paths. `options` are those of `fs/walk`."""
        params = {"path": self._uri(path), "options": options}
        found = await self._call("fs/walk", params, sandbox, repeat=True)
        for entry in found.get("entries", []) + found.get("errors", []):
            entry["path"] = from_uri(entry["path"])
        return dict(found)

    async def mkdir(
        self, path: RemotePath, *, parents: bool = True, sandbox: Sandbox | dict[str, Any] | str | None = None
    ) -> None:
        await self._call("fs/createDirectory", {"path": self._uri(path), "recursive": parents}, sandbox, repeat=False)

    async def remove(
        self,
        path: RemotePath,
        *,
        recursive: bool = True,
        missing_ok: bool = True,
        sandbox: Sandbox | dict[str, Any] | str | None = None,
    ) -> None:
        params = {"path": self._uri(path), "recursive": recursive, "force": missing_ok}
        await self._call("fs/remove", params, sandbox, repeat=False)

    async def copy(
        self,
        source: RemotePath,
        target: RemotePath,
        *,
        recursive: bool = False,
        sandbox: Sandbox | dict[str, Any] | str | None = None,
    ) -> None:
        """Copies a file, or a tree with `recursive`, on the server."""
        params = {"sourcePath": self._uri(source), "destinationPath": self._uri(target), "recursive": recursive}
        await self._call("fs/copy", params, sandbox, repeat=False)

    async def rename(
        self,
        source: RemotePath,
        target: RemotePath,
        *,
        replace: bool = False,
        sandbox: Sandbox | dict[str, Any] | str | None = None,
    ) -> None:
        self._client.require("fs/rename")
        params = {"sourcePath": self._uri(source), "destinationPath": self._uri(target), "replace": replace}
        await self._call("fs/rename", params, sandbox, repeat=False)

    async def chmod(
        self, path: RemotePath, mode: int, *, sandbox: Sandbox | dict[str, Any] | str | None = None
    ) -> None:
        self._client.require("fs/setMode")
        await self._call("fs/setMode", {"path": self._uri(path), "mode": mode}, sandbox, repeat=True)

    async def search(
        self,
        path: RemotePath,
        pattern: str,
        *,
        sandbox: Sandbox | dict[str, Any] | str | None = None,
        **options: Any,
    ) -> dict[str, Any]:
        """Returns lines below a directory that contain a text: `{matches, files, skipped, truncated}`."""
        self._client.require("fs/search")
        params = {"path": self._uri(path), "pattern": pattern, **options}
        found = await self._call("fs/search", params, sandbox, repeat=True)
        for match in found.get("matches", []):
            match["path"] = from_uri(match["path"])
        return dict(found)

    async def watch(self, path: RemotePath, *, recursive: bool = False) -> "Watch":
        """Watches a file or the entries of a directory. Use it with `async with`, and iterate over it."""
        self._client.require("fs/watch")
        watch = Watch(self._client, secrets.randbits(48))
        self._client.watch(watch.id, watch.changed)
        try:
            params = {"watchId": watch.id, "path": self._uri(path), "recursive": recursive}
            await self._client.call("fs/watch", params, repeat=False)
        except BaseException:
            self._client.watch(watch.id, None)
            raise
        return watch

    def _uri(self, path: RemotePath) -> str:
        return below(self._client.cwd_uri, path)

    async def _call(
        self, method: str, params: dict[str, Any], sandbox: Sandbox | dict[str, Any] | str | None, *, repeat: bool
    ) -> dict[str, Any]:
        if sandbox is not None:
            params = {**params, "sandbox": sandbox_member(sandbox, self._client.cwd_uri)}
        result = await self._client.call(method, params, repeat=repeat)
        if not isinstance(result, dict):
            raise UnexpectedAnswerError(f"{method}: the result is no object")
        return result


class Watch:
    """Changes of a watched file or directory: `async for change in watch`.

    A change has `changes` (`[{path, kind}]`), and `overflow` when some were lost. The iteration ends with the watch,
    which belongs to a connection and is lost with it.
    """

    def __init__(self, client: "Client", number: int) -> None:
        self.id = number
        self._client = client
        self._changes: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self._lost = False
        self._ended = False

    def changed(self, params: dict[str, Any]) -> None:
        if self._ended:
            return
        if self._changes.qsize() >= MAX_WAITING_CHANGES:
            self._lost = True
        else:
            change = {**params, "changes": [{**c, "path": from_uri(c["path"])} for c in params.get("changes", [])]}
            if self._lost:
                change["overflow"] = True
                self._lost = False
            self._changes.put_nowait(change)
        if params.get("ended"):
            self._ended = True
            self._changes.put_nowait(None)

    async def close(self) -> None:
        self._client.watch(self.id, None)
        if not self._ended and not self._client.closed:
            self._ended = True
            self._changes.put_nowait(None)
            await self._client.call("fs/unwatch", {"watchId": self.id}, repeat=False)

    def __aiter__(self) -> "Watch":
        return self

    async def __anext__(self) -> dict[str, Any]:
        change = await self._changes.get()
        if change is None:
            self._changes.put_nowait(None)
            raise StopAsyncIteration
        return change

    async def __aenter__(self) -> "Watch":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


async def _blocks(pieces: Iterable[bytes] | AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Yields the same bytes in blocks of the size that the protocol allows."""
    waiting = bytearray()

    def whole() -> list[bytes]:
        blocks = []
        while len(waiting) >= BLOCK_BYTES:
            blocks.append(bytes(waiting[:BLOCK_BYTES]))
            del waiting[:BLOCK_BYTES]
        return blocks

    if hasattr(pieces, "__aiter__"):
        async for piece in pieces:
            waiting += piece
            for block in whole():
                yield block
    else:
        for piece in pieces:
            waiting += piece
            for block in whole():
                yield block
    if waiting:
        yield bytes(waiting)


def _decoded(method: str, result: Any, member: str) -> bytes:
    try:
        return base64.b64decode(result[member], validate=True)
    except (KeyError, TypeError, ValueError) as e:
        raise UnexpectedAnswerError(f"{method}: `{member}` cannot be read: {e!r}") from e
