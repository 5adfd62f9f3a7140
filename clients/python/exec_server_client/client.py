"""The client: one session with a server."""

from __future__ import annotations

import asyncio
import inspect
import secrets
from dataclasses import dataclass
from typing import Any, AsyncIterator, Awaitable, Callable, Mapping, Sequence, Union

from .errors import (
    ConnectFailedError,
    ConnectionLostError,
    ExecServerError,
    OutputGapError,
    RequestError,
    RequestTimeoutError,
    StdinClosedError,
    UnexpectedAnswerError,
    UnsupportedFeatureError,
)
from .files import Files
from .link import Handler, Link
from .paths import RemotePath, below
from .observer import Sight, follow
from .process import Process
from .sandbox import Sandbox, sandbox_member
from .sequence import Exit
from .streams import OutputReader
from .transfers import FEATURE, Transfers
from .transport import Transport, open_websocket, start_program
from .trees import Trees
from .warnings import WarningHandler, Warnings

TokenSupplier = Union[str, Callable[[], str], Callable[[], Awaitable[str]], None]

DEFAULT_TIMEOUT = 60.0
DEFAULT_MAX_OUTPUT = 64 << 20

_CORE = {"inherit": "core", "ignoreDefaultExcludes": True, "exclude": [], "set": {}, "includeOnly": []}


@dataclass(frozen=True)
class Result:
    """What a program has printed, and how it ended."""

    argv: tuple[str, ...]
    stdout: bytes
    stderr: bytes
    exit: Exit
    truncated: bool = False
    """True if output beyond `max_output` was left out."""

    @property
    def returncode(self) -> int:
        return self.exit.code

    @property
    def text(self) -> str:
        """stdout as text; bytes that are not UTF-8 are replaced."""
        return self.stdout.decode("utf-8", "replace")

    def check(self) -> "Result":
        """Returns this. Raises ProgramFailedError when the exit code is not 0."""
        if self.exit.code != 0:
            raise ProgramFailedError(self)
        return self


class ProgramFailedError(Exception):
    """A program has ended with another code than 0."""

    def __init__(self, result: Result) -> None:
        tail = result.stderr[-300:].decode("utf-8", "replace").strip()
        super().__init__(f"{result.argv[0]} has ended with {result.exit.code}" + (f": {tail}" if tail else ""))
        self.result = result


class Client:
    """Session with an exec-server; made by `connect`. One event loop uses it."""

    def __init__(self, link: Link, request_timeout: float) -> None:
        self._link = link
        self.request_timeout = request_timeout
        self._processes: dict[str, Process] = {}
        self._watches: dict[int, Callable[[dict[str, Any]], None]] = {}
        self._approver_tokens: dict[str, str] = {}  # tokens of rights in use, each with the name of its right
        self._approval_closed: Callable[[dict[str, Any]], None] = lambda params: None
        self._joining: set[asyncio.Task[None]] = set()
        self.files = Files(self)
        self.trees = Trees(self)
        self._transfers: Transfers | None = None
        link.on_notification = self._notified
        link.on_resumed = self._resumed
        link.on_ended = self._ended

    # The session.

    @property
    def session_id(self) -> str | None:
        return self._link.greeting.get("sessionId")

    @property
    def features(self) -> frozenset[str]:
        """Names of the additions that the server has (docs/protocol-additions.md)."""
        return frozenset(self._link.greeting.get("features") or ())

    @property
    def environment(self) -> dict[str, Any]:
        """What the server said of its machine: `shell`, `cwd`, `platformOs`, `capabilities`, ..."""
        return self._link.greeting.get("environmentInfo") or {}

    @property
    def cwd_uri(self) -> str:
        return str(self.environment.get("cwd", "file:///"))

    @property
    def closed(self) -> bool:
        return self._link.closed

    @property
    def transfers(self) -> Transfers:
        """Whole files over HTTP beside the connection. Raises UnsupportedFeatureError where the server has none."""
        self.require(FEATURE)
        if self._transfers is None:
            raise ConnectFailedError("transfers need a ws:// or wss:// URL and a token")
        return self._transfers

    def require(self, feature: str) -> None:
        """Raises UnsupportedFeatureError when the server lacks an addition."""
        if feature not in self.features:
            raise UnsupportedFeatureError(feature)

    def on_request(self, method: str, handler: Handler) -> None:
        """Sets who answers a question of the server: `exec/approval`, `network/policyRequest`.

        The handler gets the params and returns the result. Without one the server is told that nobody answers, which
        denies.
        """
        self._link.handlers[method] = handler

    async def allow_approver(self) -> dict[str, Any]:
        """Makes a `token` with which another client may answer the questions about programs of this session, beside this one.

        It ends with the session.
        """
        self.require("exec/allowApprover")
        return await self.call("exec/allowApprover", None, repeat=False)

    async def approve(self, token: str) -> dict[str, Any]:
        """Uses such a token: the questions of that session come to the handler of `exec/approval`, with an `approverId`."""
        self.require("exec/approve")
        first = token not in self._approver_tokens
        if first:
            self._approver_tokens[token] = ""  # before the answer, because a new connection can come between
        try:
            result = await self.call("exec/approve", {"token": token}, repeat=True)
        except BaseException:
            if first:
                self._approver_tokens.pop(token, None)
            raise
        self._approver_tokens[token] = str(result.get("approverId"))
        return result

    def on_approval_closed(self, listener: Callable[[dict[str, Any]], None]) -> None:
        """Sets who is told that a question about a program needs no answer any more: the params of `exec/approvalClosed`."""
        self._approval_closed = listener

    async def _approve_again(self, token: str) -> None:
        while token in self._approver_tokens:
            try:
                await self.approve(token)
                return
            except RequestTimeoutError:
                continue  # the right is not gone: once more
            except ExecServerError as e:
                right = self._approver_tokens[token]
                if isinstance(e, RequestError) and e.code == -32600:
                    del self._approver_tokens[token]
                if not self.closed:
                    self._link.warnings.tell("exec/approve", f"the right {right} is not in use any more: {e}")
                return

    async def call(self, method: str, params: Any = None, *, repeat: bool, timeout: float | None = -1.0) -> Any:
        """Sends any request; for methods that have no wrapper here.

        :param repeat: send it again if its answer was lost with the connection; only where that does no harm
        :param timeout: seconds, None for no limit; the client's own limit by default
        """
        limit = self.request_timeout if timeout == -1.0 else timeout
        return await self._link.call(method, params, repeat=repeat, timeout=limit)

    async def end(self) -> None:
        """Ends the session and every process in it, then the connection."""
        if "session/end" in self.features:
            await self.call("session/end", None, repeat=True)
        await self.close()

    async def close(self) -> None:
        """Closes the connection. The session and its processes stay for the session's time to live."""
        await self._link.close()

    async def __aenter__(self) -> "Client":
        return self

    async def __aexit__(self, kind: object, *_: object) -> None:
        if kind is None:
            try:
                await self.end()
            except ConnectionLostError:
                pass  # the session has ended already, or will by its time to live
        await self.close()

    # Programs.

    async def exec(
        self,
        *argv: str,
        cwd: RemotePath | None = None,
        env: Mapping[str, str] | None = None,
        env_policy: Mapping[str, Any] | None = _CORE,
        stdin: bool = False,
        tty: bool | tuple[int, int] = False,
        merge_stderr: bool = False,
        sandbox: Sandbox | dict[str, Any] | str | None = None,
        timeout: float | None = None,
        idle_timeout: float | None = None,
        limits: Mapping[str, int] | None = None,
        exec_policy: Mapping[str, Any] | None = None,
        network_proxy: Mapping[str, Any] | None = None,
        metadata: Mapping[str, str] | None = None,
        arg0: str | None = None,
        buffer_bytes: int = 1 << 20,
    ) -> Process:
        """Starts a program. If the connection is lost meanwhile the start is not repeated, and fails.

        :param cwd: working directory; a relative one is below the server's
        :param env: variables, laid over the inherited ones
        :param env_policy: what is inherited of the server's variables (the core of them); None inherits nothing
        :param stdin: keep a pipe to its stdin; a terminal always has one
        :param tty: run on a terminal, of (columns, rows)
        :param merge_stderr: put stderr into stdout, in the order in which the server has read them
        :param sandbox: a Sandbox, the JSON of the protocol, or the name of a profile of the server
        :param timeout: seconds after which the server ends the program; `exit.reason` is `timeout` then
        :param idle_timeout: seconds without output after which the server ends it
        :param buffer_bytes: output that is read ahead; further output waits at the server
        """
        process_id = f"python-{secrets.token_hex(12)}"
        params: dict[str, Any] = {
            "processId": process_id,
            "argv": list(argv),
            "cwd": self.cwd_uri if cwd is None else below(self.cwd_uri, cwd),
            "env": dict(env or {}),
            "tty": bool(tty),
            "pipeStdin": stdin and not tty,
        }
        if env_policy is not None:
            params["envPolicy"] = dict(env_policy)
        optional = {
            "arg0": arg0,
            "metadata": metadata,
            "networkProxy": network_proxy,
            "sandbox": None if sandbox is None else sandbox_member(sandbox, params["cwd"]),
        }
        params.update({name: value for name, value in optional.items() if value is not None})
        additions = {
            "size": {"cols": tty[0], "rows": tty[1]} if isinstance(tty, tuple) else None,
            "timeoutMs": None if timeout is None else int(timeout * 1000),
            "idleTimeoutMs": None if idle_timeout is None else int(idle_timeout * 1000),
            "limits": limits,
            "execPolicy": exec_policy,
        }
        for name, value in additions.items():
            if value is not None:
                self.require(name)
                params[name] = value
        polled = "push" in self.features
        if polled:
            params["push"] = False
        process = Process(self, process_id, polled, buffer_bytes, merge_stderr or bool(tty))
        self._processes[process_id] = process
        try:
            result = await self.call("process/start", params, repeat=False)
        except BaseException:
            self._processes.pop(process_id, None)
            raise
        if not isinstance(result, dict):
            raise UnexpectedAnswerError("process/start: the result is no object")
        process.started(result, bool(stdin or tty))
        return process

    async def run(
        self,
        *argv: str,
        input: bytes | str | None = None,
        max_output: int = DEFAULT_MAX_OUTPUT,
        check: bool = False,
        **options: Any,
    ) -> Result:
        """Runs a program to its end and returns its output. `options` are those of `exec`.

        :param input: what the program reads from stdin
        :param max_output: most bytes that are kept of each stream; the rest is read and left out
        :param check: raise ProgramFailedError when the exit code is not 0
        """
        data = input.encode("utf-8") if isinstance(input, str) else input
        async with await self.exec(*argv, stdin=data is not None, **options) as process:

            async def send() -> None:
                if process.stdin is not None and data is not None:
                    try:
                        process.stdin.write(data)
                        await process.stdin.drain()
                        process.stdin.write_eof()
                        await process.stdin.wait_closed()
                    except StdinClosedError:
                        pass  # a program that reads no more is no error

            merged = process.stderr is process.stdout
            out, err, _ = await asyncio.gather(
                _collect(process.stdout, max_output),
                _collect(None if merged else process.stderr, max_output),
                send(),
            )
            await process.wait_closed()
            assert process.exit is not None
            result = Result(tuple(argv), out[0], err[0], process.exit, out[1] or err[1])
        return result.check() if check else result

    async def list_processes(self) -> list[dict[str, Any]]:
        """Returns the processes of the session, exited ones that are still readable included."""
        self.require("process/list")
        result = await self.call("process/list", None, repeat=True)
        return list(result["processes"])

    async def list_sessions(self) -> list[dict[str, Any]]:
        """Returns the sessions of the same principal, with their processes; the oldest first."""
        self.require("session/list")
        result = await self.call("session/list", None, repeat=True)
        return list(result["sessions"])

    async def observe(self, session_id: str, process_id: str, *, wait: float = 0.0, **more: Any) -> dict[str, Any]:
        """Looks at the output of a process of any of these sessions, and changes nothing.

        :param wait: seconds to wait for something new
        :param more: `afterSeq`, `lastBytes`, `maxBytes`, as in `session/observe`
        """
        self.require("session/observe")
        params = {"sessionId": session_id, "processId": process_id, "waitMs": int(wait * 1000), **more}
        result: dict[str, Any] = await self.call(
            "session/observe", params, repeat=True, timeout=self.request_timeout + wait
        )
        return result

    def follow(
        self, session_id: str, process_id: str, *, last_bytes: int | None = None, behind_bytes: int | None = None
    ) -> AsyncIterator[Sight]:
        """Follows a process of any of these sessions: yields its output until it has ended, and changes nothing.

        An observer that is slow passes over output instead of holding the process up.

        :param last_bytes: at the begin, about so much of the newest output; all that is kept by default
        :param behind_bytes: later, most output that may wait for the observer before it passes over the oldest
        """
        return follow(self, session_id, process_id, last_bytes, behind_bytes)

    async def wait_for(
        self, process_id: str, until: Mapping[str, Any], *, limit: float = 60.0, session_id: str | None = None
    ) -> dict[str, Any]:
        """Waits until a process has ended, has written something, is silent or listens on a port.

        :param until: one of `{"exit": True}`, `{"closed": True}`, `{"text": ...}`, `{"regex": ...}`, `{"idleMs": ...}`, `{"port": ...}`
        :param limit: seconds
        """
        self.require("process/wait")
        params: dict[str, Any] = {"processId": process_id, "until": dict(until), "limitMs": int(limit * 1000)}
        if session_id is not None:
            params["sessionId"] = session_id
        result: dict[str, Any] = await self.call(
            "process/wait", params, repeat=True, timeout=self.request_timeout + limit
        )
        return result

    # What the parts call.

    def forget(self, process: Process) -> None:
        self._processes.pop(process.id, None)

    def watch(self, number: int, listener: Callable[[dict[str, Any]], None] | None) -> None:
        if listener is None:
            self._watches.pop(number, None)
        else:
            self._watches[number] = listener

    def _notified(self, method: str, params: dict[str, Any]) -> None:
        if method == "fs/changed":
            listener = self._watches.get(params.get("watchId"))  # type: ignore[arg-type]
            if listener is not None:
                listener(params)
            return
        if method == "exec/approvalClosed":
            self._approval_closed(params)
            return
        process = self._processes.get(params.get("processId"))  # type: ignore[arg-type]
        if process is not None:
            process.pushed(method, params)

    def _resumed(self) -> None:
        for process in list(self._processes.values()):
            process.resumed()
        self._lose_watches()
        for token in list(self._approver_tokens):
            task = asyncio.ensure_future(self._approve_again(token))
            self._joining.add(task)
            task.add_done_callback(self._joining.discard)

    def _ended(self, error: ConnectionLostError) -> None:
        for process in list(self._processes.values()):
            process.lose(error)
        self._lose_watches()

    def _lose_watches(self) -> None:
        """Watches belong to a connection and end with it."""
        watches, self._watches = self._watches, {}
        for listener in watches.values():
            listener({"ended": True, "overflow": True, "changes": []})


async def _collect(reader: OutputReader | None, limit: int) -> tuple[bytes, bool]:
    if reader is None:
        return b"", False
    kept: list[bytes] = []
    size = 0
    truncated = False
    while True:
        try:
            piece = await reader.read(1 << 20)
        except OutputGapError:
            truncated = True
            continue
        if not piece:
            return b"".join(kept), truncated
        kept.append(piece[: limit - size])
        truncated |= size + len(piece) > limit
        size = min(limit, size + len(piece))


class _Connecting:
    """Result of `connect`: may be awaited, or used with `async with`."""

    def __init__(self, opening: Callable[[], Awaitable[Client]]) -> None:
        self._opening = opening
        self._client: Client | None = None

    def __await__(self) -> Any:
        return self._opening().__await__()

    async def __aenter__(self) -> Client:
        self._client = await self._opening()
        return await self._client.__aenter__()

    async def __aexit__(self, *args: Any) -> None:
        assert self._client is not None
        await self._client.__aexit__(*args)


def connect(
    url: str | None = None,
    *,
    command: Sequence[str] | None = None,
    token: TokenSupplier = None,
    headers: Mapping[str, str] | None = None,
    ssl: Any = None,
    client_name: str = "exec-server-python",
    resume: str | None = None,
    takeover: bool = False,
    session_ttl: float | None = None,
    session_name: str | None = None,
    connect_timeout: float = 10.0,
    reconnect_seconds: float = 45.0,
    request_timeout: float = DEFAULT_TIMEOUT,
    on_warning: WarningHandler | None = None,
) -> _Connecting:
    """Connects to a server: `async with connect(url) as client`, or `client = await connect(url)`.

    `async with` ends the session when its body has ended well, and leaves it when that raises.

    :param url: `ws://HOST:PORT`, `wss://...` or `unix:PATH`
    :param command: instead of a URL, a program that serves on its standard streams (`exec-server --listen stdio`)
    :param token: bearer token, or a function that returns one; asked anew for each connection
    :param ssl: an `ssl.SSLContext` for `wss://`
    :param resume: id of a session to take up again; `takeover` takes it from a connection that holds it
    :param session_ttl: seconds for which the session outlives its connection
    :param session_name: a name of the session for people
    :param reconnect_seconds: how long a lost connection is tried to be made again; 0 for not at all
    :param on_warning: gets the method and the text of warnings, each once: about requests, of a server with
        `--strict-members warn`, and about a right of an approver that is lost with a connection. By default they are logged
    """
    if (url is None) == (command is None):
        raise ValueError("connect needs either a url or a command")

    async def sent_headers() -> dict[str, str]:
        sent = dict(headers or {})
        value = token() if callable(token) else token
        if inspect.isawaitable(value):
            value = await value
        if value is not None:
            sent["Authorization"] = f"Bearer {value}"
        return sent

    async def dial(timeout: float) -> Transport:
        if command is not None:
            return await start_program(command)
        assert url is not None
        return await open_websocket(url, await sent_headers(), timeout, ssl)

    async def opening() -> Client:
        initialize: dict[str, Any] = {"clientName": client_name}
        if session_ttl is not None:
            initialize["sessionTtlMs"] = int(session_ttl * 1000)
        if session_name is not None:
            initialize["sessionName"] = session_name
        window = 0.0 if command is not None else reconnect_seconds
        link = Link(dial, initialize, connect_timeout, window, Warnings(on_warning))
        client = Client(link, request_timeout)
        if url is not None and token is not None and not url.startswith("unix:"):
            client._transfers = Transfers(client, url, sent_headers, ssl)
        await link.open(resume, takeover)
        return client

    return _Connecting(opening)
