"""Copies of whole directories between this machine and the server."""

from __future__ import annotations

import asyncio
import os
import stat
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Awaitable, BinaryIO, Iterator

from .errors import UnexpectedAnswerError
from .paths import RemotePath, below, from_uri

if TYPE_CHECKING:
    from .client import Client

IN_FLIGHT = 8
"""Files that are copied at once."""

MAX_DEPTH = 128
"""Deepest directory that is copied."""

BLOCK_BYTES = 1 << 20


@dataclass
class Copied:
    """Result of a copy."""

    files: int = 0
    directories: int = 0
    size: int = 0
    skipped: list[str] = field(default_factory=list)
    """Paths below the source that are neither files nor directories."""


class Trees:
    """Uploads and downloads of directories; `client.trees`.

    The target is made if it is missing; files in it are replaced, others stay. Permission bits are kept. Links and special
    files are not copied but listed. Contents go in blocks, so that memory stays constant. Nothing that a server sends leaves
    the target: a name that is not one name ends the download, and links are not followed.
    """

    def __init__(self, client: "Client") -> None:
        self._client = client

    async def upload(self, source: str | os.PathLike[str], target: RemotePath) -> Copied:
        """Copies a local directory to the server."""
        copied = Copied()
        slots = asyncio.Semaphore(IN_FLIGHT)
        root = from_uri(below(self._client.cwd_uri, target))
        work: list[Awaitable[None]] = []
        await self._upload(os.fspath(source), root, "", 0, copied, work, slots)
        await _all(work)
        return copied

    async def download(self, source: RemotePath, target: str | os.PathLike[str]) -> Copied:
        """Copies a directory of the server to this machine."""
        copied = Copied()
        slots = asyncio.Semaphore(IN_FLIGHT)
        root = from_uri(below(self._client.cwd_uri, source))
        work: list[Awaitable[None]] = []
        await self._download(root, os.fspath(target), "", 0, copied, work, slots)
        await _all(work)
        return copied

    async def _upload(
        self,
        source: str,
        target: str,
        name: str,
        depth: int,
        copied: Copied,
        work: list[Awaitable[None]],
        slots: asyncio.Semaphore,
    ) -> None:
        _check_depth(depth, name)
        await self._client.files.mkdir(target)
        copied.directories += 1
        with os.scandir(source) as entries:
            for entry in sorted(entries, key=lambda one: one.name):
                there = f"{target}/{entry.name}"
                if entry.is_dir(follow_symlinks=False):
                    await self._upload(entry.path, there, f"{name}{entry.name}/", depth + 1, copied, work, slots)
                elif entry.is_file(follow_symlinks=False):
                    work.append(self._upload_file(entry.path, there, copied, slots))
                else:
                    copied.skipped.append(name + entry.name)

    async def _upload_file(self, source: str, target: str, copied: Copied, slots: asyncio.Semaphore) -> None:
        async with slots:
            number = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            with os.fdopen(number, "rb") as file:
                size = await self._client.files.write_blocks(target, _blocks(file))
                mode = stat.S_IMODE(os.fstat(number).st_mode) & 0o777
            if "fs/setMode" in self._client.features:
                await self._client.files.chmod(target, mode)
            copied.size += size
            copied.files += 1

    async def _download(
        self,
        source: str,
        target: str,
        name: str,
        depth: int,
        copied: Copied,
        work: list[Awaitable[None]],
        slots: asyncio.Semaphore,
    ) -> None:
        _check_depth(depth, name)
        if os.path.islink(target) and depth > 0:
            raise ValueError(f"{target} is a link; nothing is downloaded through it")
        os.makedirs(target, exist_ok=True)
        copied.directories += 1
        for entry in await self._client.files.entries(source):
            child = _checked(entry["fileName"])
            there = from_uri(entry["path"]) if entry.get("path") else f"{source}/{child}"
            here = os.path.join(target, child)
            listed = entry.get("isDirectory") or entry.get("isFile")
            # The listing describes the target of a link, which may be anywhere, or a directory above.
            if listed and (await self._client.files.stat(there)).is_symlink:
                copied.skipped.append(name + child)
            elif entry.get("isDirectory"):
                await self._download(there, here, f"{name}{child}/", depth + 1, copied, work, slots)
            elif entry.get("isFile"):
                work.append(self._download_file(there, here, copied, slots))
            else:
                copied.skipped.append(name + child)

    async def _download_file(self, source: str, target: str, copied: Copied, slots: asyncio.Semaphore) -> None:
        async with slots:
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
            with os.fdopen(os.open(target, flags, 0o666), "wb") as file:
                async for block in self._client.files.read_blocks(source):
                    file.write(block)
                    copied.size += len(block)
                mode = (await self._client.files.stat(source)).mode
                if mode is not None:
                    os.fchmod(file.fileno(), mode & 0o777)
            copied.files += 1


async def _all(work: list[Awaitable[None]]) -> None:
    """Runs everything. After a failure the others are stopped, and the failure is raised."""
    tasks = [asyncio.ensure_future(one) for one in work]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    return iter(lambda: file.read(BLOCK_BYTES), b"")


def _checked(name: str) -> str:
    """Returns a name from the server that is one name and nothing else."""
    if name in ("", ".", "..") or "/" in name or os.sep in name or "\0" in name:
        raise UnexpectedAnswerError(f"the server names a file {name!r}, which is no name of a file")
    return name


def _check_depth(depth: int, name: str) -> None:
    if depth > MAX_DEPTH:
        raise ValueError(f"{name} is deeper than {MAX_DEPTH} directories")
