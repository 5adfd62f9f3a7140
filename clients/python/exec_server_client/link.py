"""One session and its current connection: requests, answers, and the way back after a loss."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any, Awaitable, Callable

from .errors import (
    ConnectFailedError,
    ConnectionLostError,
    ExecServerError,
    RequestError,
    RequestTimeoutError,
    SessionBusyError,
    SessionLostError,
    UnexpectedAnswerError,
    UpgradeRefusedError,
    request_error,
)
from .transport import Transport
from .warnings import Warnings

MAX_LOSSES = 20
"""Connections that may be lost under a request before it fails: its answer may be the cause."""

MAX_QUESTIONS = 1_024
"""Questions of the server that may be open at once."""

FIRST_DELAY = 0.05
MAX_DELAY = 2.0
FIRST_ATTEMPT = 4.0
"""Limit of the first attempt to resume in seconds, so that a silent connection does not use up the session's time."""

TAKEN_OVER = "resumed by another connection"
SERVER_ENDS = "1001 server is shutting down"

Handler = Callable[[dict[str, Any]], Awaitable[Any]]


class _Call:
    def __init__(self, method: str, params: Any, repeat: bool, timeout: float | None) -> None:
        self.method = method
        self.params = params
        self.repeat = repeat
        self.timeout = timeout
        self.losses = 0
        self.future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._timer: asyncio.TimerHandle | None = None

    def sent(self) -> None:
        """Starts the time limit, which runs only while the request is on a connection."""
        if self.timeout is not None:
            loop = asyncio.get_running_loop()
            late = RequestTimeoutError(f"{self.method}: no answer within {self.timeout} s")
            self._timer = loop.call_later(self.timeout, self.fail, late)

    def unsent(self) -> None:
        self.losses += 1
        self._stop()

    def complete(self, result: Any) -> None:
        self._stop()
        if not self.future.done():
            self.future.set_result(result)

    def fail(self, error: BaseException) -> None:
        self._stop()
        if not self.future.done():
            self.future.set_exception(error)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class _Connection:
    """One transport: ids of requests, and the tasks that read and write."""

    def __init__(self, link: "Link", transport: Transport) -> None:
        self._link = link
        self.transport = transport
        self._next_id = 1
        self.pending: dict[int, _Call] = {}
        self._outgoing: asyncio.Queue[str | None] = asyncio.Queue()
        self._questions: set[asyncio.Task[None]] = set()
        self.ended = False
        self._writer = asyncio.create_task(self._write())
        self._reader = asyncio.create_task(self._read())

    def submit(self, call: _Call) -> None:
        number = self._next_id
        self._next_id += 1
        self.pending[number] = call
        call.future.add_done_callback(lambda _: self.pending.pop(number, None))
        message = {"id": number, "method": call.method}
        if call.params is not None:
            message["params"] = call.params
        call.sent()
        self._post(message)

    def notify(self, method: str) -> None:
        self._post({"method": method, "params": {}})

    def _post(self, message: dict[str, Any]) -> None:
        self._outgoing.put_nowait(json.dumps(message, separators=(",", ":")))

    async def _write(self) -> None:
        try:
            while (message := await self._outgoing.get()) is not None:
                await self.transport.send(message)
        except (ExecServerError, OSError, EOFError):
            pass  # the reader sees the end of the connection and says why
        except Exception:  # noqa: BLE001 - websockets has its own hierarchy, and the reader reports the end
            pass

    async def _read(self) -> None:
        why = ""
        try:
            async for text in self.transport.messages():
                self._take(text)
        except (ExecServerError, OSError, ValueError) as e:
            why = str(e)
        except asyncio.CancelledError:
            why = "closed by this client"
        self._end(why or self.transport.close_reason())

    def _take(self, text: str | bytes) -> None:
        message = json.loads(text)
        if not isinstance(message, dict):
            raise UnexpectedAnswerError("the server sent something that is no JSON object")
        if "method" in message:
            params = message.get("params")
            params = params if isinstance(params, dict) else {}
            if "id" in message:
                self._question(message["id"], str(message["method"]), params)
            else:
                self._link.notified(str(message["method"]), params)
            return
        call = self.pending.get(message.get("id"))  # type: ignore[arg-type]
        if call is None:
            return  # an answer that came too late
        self._link.warnings.answered(call.method, message)
        if "error" in message:
            call.fail(request_error(call.method, message["error"]))
        else:
            call.complete(message.get("result"))

    def _question(self, number: Any, method: str, params: dict[str, Any]) -> None:
        if len(self._questions) >= MAX_QUESTIONS:
            raise UnexpectedAnswerError(f"the server asks more than {MAX_QUESTIONS} questions at once")
        task = asyncio.create_task(self._answer(number, method, params))
        self._questions.add(task)
        task.add_done_callback(self._questions.discard)

    async def _answer(self, number: Any, method: str, params: dict[str, Any]) -> None:
        handler = self._link.handlers.get(method)
        if handler is None:
            self._post({"id": number, "error": {"code": -32601, "message": f"this client does not know `{method}`"}})
            return
        try:
            self._post({"id": number, "result": await handler(params)})
        except Exception as e:  # noqa: BLE001 - whatever a handler raises is told to the server
            self._post({"id": number, "error": {"code": -32603, "message": f"{type(e).__name__}: {e}"}})

    def _end(self, why: str) -> None:
        if self.ended:
            return
        self.ended = True
        self._outgoing.put_nowait(None)
        self._writer.cancel()
        for task in self._questions:
            task.cancel()
        unanswered = [call for call in self.pending.values() if not call.future.done()]
        self._link.lost(self, unanswered, why)

    async def close(self) -> None:
        try:
            await asyncio.wait_for(self.transport.close(), 5)
        except (asyncio.TimeoutError, OSError):
            pass  # the socket is dropped with the task below
        self._reader.cancel()
        await asyncio.gather(self._reader, self._writer, return_exceptions=True)
        self._end("closed by this client")


class Link:
    """Session with a server. Resumes it over a new connection after a loss, until `reconnect_seconds` have passed."""

    def __init__(
        self,
        dial: Callable[[float], Awaitable[Transport]],
        initialize: dict[str, Any],
        connect_timeout: float,
        reconnect_seconds: float,
        warnings: Warnings,
    ) -> None:
        self._dial = dial
        self._initialize = initialize
        self._connect_timeout = connect_timeout
        self._reconnect_seconds = reconnect_seconds
        self.warnings = warnings
        self.handlers: dict[str, Handler] = {}
        self.on_notification: Callable[[str, dict[str, Any]], None] = lambda method, params: None
        self.on_resumed: Callable[[], None] = lambda: None
        self.on_ended: Callable[[ConnectionLostError], None] = lambda error: None
        self.greeting: dict[str, Any] = {}
        self._connection: _Connection | None = None
        self._waiting: list[_Call] = []
        self._ending: ConnectionLostError | None = None
        self._reconnecting: asyncio.Task[None] | None = None

    async def open(self, resume: str | None, takeover: bool) -> None:
        """Makes the first connection; one attempt."""
        connection, greeting = await self._connect(self._connect_timeout, resume, takeover)
        if connection.ended:
            raise ConnectFailedError(f"the connection ended after the handshake: {connection.transport.close_reason()}")
        self._adopt(connection, greeting)

    async def call(self, method: str, params: Any = None, *, repeat: bool, timeout: float | None) -> Any:
        """Sends a request and waits for its result.

        :param repeat: send it again after a loss; else the call fails with ConnectionLostError then
        :param timeout: seconds for the answer, counted while there is a connection; None is no limit
        """
        call = _Call(method, params, repeat, timeout)
        self._dispatch(call)
        try:
            return await call.future
        finally:
            if call in self._waiting:
                self._waiting.remove(call)
            call.future.cancel()

    async def close(self) -> None:
        """Ends the connection. The session stays on the server for its time to live."""
        connection = self._connection
        self._finish(ConnectionLostError("closed by this client"))
        if self._reconnecting is not None:
            self._reconnecting.cancel()
            await asyncio.gather(self._reconnecting, return_exceptions=True)
        if connection is not None:
            await connection.close()

    @property
    def closed(self) -> bool:
        return self._ending is not None

    def notified(self, method: str, params: dict[str, Any]) -> None:
        self.on_notification(method, params)

    def _dispatch(self, call: _Call) -> None:
        if self._ending is not None:
            call.fail(self._ending)
        elif self._connection is None:
            self._waiting.append(call)
        else:
            self._connection.submit(call)

    async def _connect(
        self, timeout: float, resume: str | None, takeover: bool
    ) -> tuple[_Connection, dict[str, Any]]:
        transport = await self._dial(timeout)
        connection = _Connection(self, transport)
        params = dict(self._initialize)
        if resume is not None:
            params["resumeSessionId"] = resume
            if takeover:
                params["takeover"] = True
        call = _Call("initialize", params, False, timeout)
        connection.submit(call)
        try:
            greeting = await call.future
            if not isinstance(greeting, dict):
                raise UnexpectedAnswerError("initialize: the result is no object")
        except BaseException:
            await connection.close()
            raise
        connection.notify("initialized")
        return connection, greeting

    def _adopt(self, connection: _Connection, greeting: dict[str, Any]) -> None:
        self.greeting = greeting
        self._connection = connection
        due, self._waiting = self._waiting, []
        for call in due:
            if not call.future.done():
                self._dispatch(call)

    def lost(self, connection: _Connection, unanswered: list[_Call], why: str) -> None:
        """Sorts the calls of a connection that has ended, and looks for the next one."""
        current = connection is self._connection
        if current:
            self._connection = None
        for call in unanswered:
            if current and call.repeat and call.losses < MAX_LOSSES:
                call.unsent()
                self._waiting.append(call)
            else:
                call.fail(ConnectionLostError(f"{call.method}: {why}"))
        if current and self._ending is None:
            self._recover(why)

    def _recover(self, why: str) -> None:
        session = self.greeting.get("sessionId")
        if TAKEN_OVER in why:
            self._finish(SessionLostError(f"another client has taken over the session: {why}"))
        elif why.startswith(SERVER_ENDS):
            self._finish(SessionLostError(f"the server has ended the session and its programs: {why}"))
        elif session is None or self._reconnect_seconds <= 0:
            self._finish(ConnectionLostError(why))
        else:
            self._reconnecting = asyncio.create_task(self._reconnect(session, why))

    async def _reconnect(self, session: str, why: str) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._reconnect_seconds
        delay = FIRST_DELAY
        attempt_limit = FIRST_ATTEMPT
        failure = "no attempt was made"
        while (left := deadline - loop.time()) > 0:
            limit = min(left, attempt_limit, self._connect_timeout)
            began = loop.time()
            try:
                connection, greeting = await self._connect(limit, session, False)
            except UpgradeRefusedError as e:
                if e.permanent:
                    self._finish(SessionLostError(f"session {session} is lost: {e}"))
                    return
                failure = str(e)
            except SessionBusyError as e:
                failure = str(e)
            except RequestError as e:
                if e.code == -32600:
                    self._finish(SessionLostError(f"session {session} is gone, and its processes with it: {e}"))
                    return
                failure = str(e)
            except (ConnectFailedError, ExecServerError, OSError) as e:
                failure = str(e)
            else:
                if connection.ended:
                    failure = "the new connection was lost, too"
                elif greeting.get("sessionId") != session:
                    await connection.close()
                    self._finish(SessionLostError(f"the server did not resume session {session}"))
                    return
                else:
                    self._adopt(connection, greeting)
                    self.on_resumed()
                    return
            if loop.time() - began >= limit:
                attempt_limit *= 2
            await asyncio.sleep(delay * random.uniform(0.5, 1.0))
            delay = min(MAX_DELAY, delay * 2)
        self._finish(
            ConnectionLostError(f"{why}; not connected again within {self._reconnect_seconds} s: {failure}")
        )

    def _finish(self, error: ConnectionLostError) -> None:
        if self._ending is not None:
            return
        self._ending = error
        self._connection = None
        waiting, self._waiting = self._waiting, []
        for call in waiting:
            call.fail(error)
        self.on_ended(error)
