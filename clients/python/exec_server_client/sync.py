"""The same client for programs without asyncio: it runs an event loop on a thread of its own.

    with connect("ws://127.0.0.1:8080") as client:
        print(client.run("uname", "-a").text)
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from typing import Any, Awaitable, Callable, Iterator, TypeVar

from . import client as _async
from .client import Result
from .files import FileInfo, Watch
from .observer import Sight
from .process import Process as AsyncProcess
from .sequence import Exit
from .transfers import Transfers as AsyncTransfers
from .trees import Copied
from .trees import Trees as AsyncTrees

T = TypeVar("T")


class _Loop:
    """An event loop on a daemon thread."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="exec-server-client", daemon=True)
        self._thread.start()

    def run(self, work: Awaitable[T]) -> T:
        if threading.current_thread() is self._thread:
            raise RuntimeError("a handler of the client may not call it; use the asyncio client there")

        async def whole() -> T:
            return await work

        future = asyncio.run_coroutine_threadsafe(whole(), self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _on_a_thread(work: Callable[[dict[str, Any]], Any], params: dict[str, Any]) -> Any:
    """Calls what may wait, on a thread of its own: a pool could be full of questions that wait for people."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Any] = loop.create_future()

    def settle(result: Any, error: BaseException | None) -> None:
        if done.done():
            return  # the connection has ended meanwhile
        if error is None:
            done.set_result(result)
        else:
            done.set_exception(error)

    def call() -> None:
        result, error = None, None
        try:
            result = work(params)
        except Exception as e:  # noqa: BLE001 - whatever a handler raises is told to the server
            error = e
        with contextlib.suppress(RuntimeError):  # the client was closed meanwhile, and its loop with it
            loop.call_soon_threadsafe(settle, result, error)

    threading.Thread(target=call, name="exec-server-question", daemon=True).start()
    return await done


class Process:
    """Handle of a process; see `exec_server_client.Process`."""

    def __init__(self, loop: _Loop, process: AsyncProcess) -> None:
        self._loop = loop
        self._process = process

    @property
    def id(self) -> str:
        return self._process.id

    @property
    def exit(self) -> Exit | None:
        return self._process.exit

    @property
    def returncode(self) -> int | None:
        return self._process.returncode

    def read(self, n: int = -1) -> bytes:
        """Reads stdout."""
        return self._loop.run(self._process.stdout.read(n))

    def read_stderr(self, n: int = -1) -> bytes:
        return self._loop.run(self._process.stderr.read(n))

    def __iter__(self) -> Iterator[bytes]:
        """Yields the lines of stdout."""
        while line := self._loop.run(self._process.stdout.readline()):
            yield line

    def write(self, data: bytes) -> None:
        """Writes to stdin, and waits until the server has it."""
        stdin = self._process.stdin
        if stdin is None:
            raise ValueError("the process was started without stdin")
        stdin.write(data)
        self._loop.run(stdin.drain())

    def write_eof(self) -> None:
        stdin = self._process.stdin
        if stdin is None:
            raise ValueError("the process was started without stdin")

        async def end() -> None:
            stdin.write_eof()
            await stdin.wait_closed()

        self._loop.run(end())

    def communicate(self, input: bytes | None = None) -> tuple[bytes, bytes]:
        return self._loop.run(self._process.communicate(input))

    def wait(self) -> int:
        return self._loop.run(self._process.wait())

    def send_signal(self, signal: str, foreground: bool = False) -> None:
        self._loop.run(self._process.send_signal(signal, foreground))

    def terminate(self, grace: float = 2.0) -> None:
        self._loop.run(self._process.terminate(grace))

    def kill(self) -> None:
        self._loop.run(self._process.kill())

    def resize(self, cols: int, rows: int) -> None:
        self._loop.run(self._process.resize(cols, rows))

    def close(self) -> None:
        self._loop.run(self._process.close())

    def __enter__(self) -> "Process":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Files:
    """Files of the server; the methods and their parameters are those of `exec_server_client.Files`."""

    def __init__(self, loop: _Loop, files: Any) -> None:
        self._loop = loop
        self._files = files

    def read(self, *args: Any, **options: Any) -> bytes:
        return self._loop.run(self._files.read(*args, **options))

    def write(self, *args: Any, **options: Any) -> None:
        self._loop.run(self._files.write(*args, **options))

    def append(self, *args: Any, **options: Any) -> int:
        return self._loop.run(self._files.append(*args, **options))

    def stat(self, *args: Any, **options: Any) -> FileInfo:
        return self._loop.run(self._files.stat(*args, **options))

    def list(self, *args: Any, **options: Any) -> list[str]:
        return self._loop.run(self._files.list(*args, **options))

    def walk(self, *args: Any, **options: Any) -> dict[str, Any]:
        return self._loop.run(self._files.walk(*args, **options))

    def mkdir(self, *args: Any, **options: Any) -> None:
        self._loop.run(self._files.mkdir(*args, **options))

    def remove(self, *args: Any, **options: Any) -> None:
        self._loop.run(self._files.remove(*args, **options))

    def copy(self, *args: Any, **options: Any) -> None:
        self._loop.run(self._files.copy(*args, **options))

    def rename(self, *args: Any, **options: Any) -> None:
        self._loop.run(self._files.rename(*args, **options))

    def chmod(self, *args: Any, **options: Any) -> None:
        self._loop.run(self._files.chmod(*args, **options))

    def search(self, *args: Any, **options: Any) -> dict[str, Any]:
        return self._loop.run(self._files.search(*args, **options))

    def watch(self, *args: Any, **options: Any) -> Iterator[dict[str, Any]]:
        """Yields changes; the watch ends with the generator."""
        watch: Watch = self._loop.run(self._files.watch(*args, **options))

        async def following() -> dict[str, Any] | None:
            try:
                return await watch.__anext__()
            except StopAsyncIteration:
                return None

        try:
            while (change := self._loop.run(following())) is not None:
                yield change
        finally:
            self._loop.run(watch.close())


class Trees:
    """Copies of directories; see `exec_server_client.Trees`."""

    def __init__(self, loop: _Loop, trees: AsyncTrees) -> None:
        self._loop = loop
        self._trees = trees

    def upload(self, *args: Any) -> Copied:
        return self._loop.run(self._trees.upload(*args))

    def download(self, *args: Any) -> Copied:
        return self._loop.run(self._trees.download(*args))


class Transfers:
    """Whole files over HTTP; see `exec_server_client.Transfers`."""

    def __init__(self, loop: _Loop, transfers: AsyncTransfers) -> None:
        self._loop = loop
        self._transfers = transfers

    def upload(self, *args: Any, **options: Any) -> str:
        return self._loop.run(self._transfers.upload(*args, **options))

    def download(self, *args: Any) -> int:
        return self._loop.run(self._transfers.download(*args))


class Client:
    """Session with a server; see `exec_server_client.Client`. Threads may share it."""

    def __init__(self, loop: _Loop, client: _async.Client) -> None:
        self._loop = loop
        self._client = client
        self.files = Files(loop, client.files)
        self.trees = Trees(loop, client.trees)

    @property
    def session_id(self) -> str | None:
        return self._client.session_id

    @property
    def features(self) -> frozenset[str]:
        return self._client.features

    @property
    def environment(self) -> dict[str, Any]:
        return self._client.environment

    @property
    def transfers(self) -> Transfers:
        return Transfers(self._loop, self._client.transfers)

    def run(self, *argv: str, **options: Any) -> Result:
        return self._loop.run(self._client.run(*argv, **options))

    def exec(self, *argv: str, **options: Any) -> Process:
        return Process(self._loop, self._loop.run(self._client.exec(*argv, **options)))

    def list_processes(self) -> list[dict[str, Any]]:
        return self._loop.run(self._client.list_processes())

    def list_sessions(self) -> list[dict[str, Any]]:
        return self._loop.run(self._client.list_sessions())

    def observe(self, *args: Any, **options: Any) -> dict[str, Any]:
        return self._loop.run(self._client.observe(*args, **options))

    def follow(self, *args: Any, **options: Any) -> Iterator[Sight]:
        """Yields what is new of a process until its output has ended."""
        sights = self._client.follow(*args, **options)

        async def next_sight() -> Sight | None:
            return await anext(sights, None)

        while (sight := self._loop.run(next_sight())) is not None:
            yield sight

    def wait_for(self, *args: Any, **options: Any) -> dict[str, Any]:
        return self._loop.run(self._client.wait_for(*args, **options))

    def on_request(self, method: str, handler: Callable[[dict[str, Any]], Any]) -> None:
        """Sets who answers a question of the server. The handler is called on a thread of its own; it may wait and use the client."""

        async def answer(params: dict[str, Any]) -> Any:
            return await _on_a_thread(handler, params)

        self._client.on_request(method, answer)

    def allow_approver(self) -> dict[str, Any]:
        return self._loop.run(self._client.allow_approver())

    def approve(self, token: str) -> dict[str, Any]:
        return self._loop.run(self._client.approve(token))

    def on_approval_closed(self, listener: Callable[[dict[str, Any]], None]) -> None:
        """Sets who is told that a question needs no answer any more. The listener may neither wait nor use the client."""
        self._client.on_approval_closed(listener)

    def end(self) -> None:
        """Ends the session and every process in it, then the connection."""
        self._loop.run(self._client.end())
        self._loop.stop()

    def close(self) -> None:
        """Closes the connection; the session stays for its time to live."""
        self._loop.run(self._client.close())
        self._loop.stop()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *error: Any) -> None:
        self._loop.run(self._client.__aexit__(*error))
        self._loop.stop()


def connect(url: str | None = None, **options: Any) -> Client:
    """Connects to a server; the parameters are those of `exec_server_client.connect`."""
    loop = _Loop()
    try:
        return Client(loop, loop.run(_async.connect(url, **options)))
    except BaseException:
        loop.stop()
        raise
