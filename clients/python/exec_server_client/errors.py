"""Errors of the client. All of them are an ExecServerError."""

from __future__ import annotations

from typing import Any


class ExecServerError(Exception):
    """Base of all errors of this package."""


class ConnectFailedError(ExecServerError):
    """No connection could be made."""


class UpgradeRefusedError(ConnectFailedError):
    """The server answered the upgrade to a WebSocket with an HTTP status other than 101."""

    def __init__(self, url: str, status: int) -> None:
        super().__init__(f"{url} refuses the connection with HTTP status {status}")
        self.status = status

    @property
    def permanent(self) -> bool:
        """True if another attempt with the same credentials cannot succeed."""
        return self.status in (400, 401, 403, 404)


class RequestError(ExecServerError):
    """The server answered a request with an error (docs/protocol.md, "Envelope")."""

    def __init__(self, method: str, code: int, message: str, data: Any = None) -> None:
        super().__init__(f"{method}: {message}")
        self.method = method
        self.code = code
        self.server_message = message
        self.data = data if isinstance(data, dict) else {}

    @property
    def reason(self) -> str | None:
        """Name of the cause, if the server gives one (docs/protocol-additions.md, "`data` of errors")."""
        return self.data.get("reason")

    @property
    def errno(self) -> int | None:
        return self.data.get("errno")


class NotFoundError(RequestError):
    """A file or a file handle does not exist."""


class SessionBusyError(RequestError):
    """The session is attached to another connection; worth another attempt."""


class RequestTimeoutError(ExecServerError):
    """No answer came in time. Whether the server has carried the request out is not known."""


class ConnectionLostError(ExecServerError):
    """The connection was lost, and the request must not be repeated, or there was no new connection in time."""


class SessionLostError(ConnectionLostError):
    """The session is gone; its processes have ended, or belong to another client."""


class UnsupportedFeatureError(ExecServerError):
    """The server lacks an addition to the protocol. Nothing was sent."""

    def __init__(self, feature: str) -> None:
        super().__init__(f"the server does not have the feature `{feature}`")
        self.feature = feature


class UnexpectedAnswerError(ExecServerError):
    """An answer is not what the protocol says, or larger than what was asked for."""


class ProcessLostError(ExecServerError):
    """Nothing more will be heard of a process."""


class StdinClosedError(ExecServerError):
    """The process takes no input (any more)."""


class StaleHandleError(ExecServerError):
    """The handle was closed; it never reaches another process."""


class OutputGapError(ExecServerError):
    """Output is missing at this place, because the server had to drop it. The next read goes on behind the gap."""

    def __init__(self, dropped_bytes: int | None) -> None:
        size = "an unknown number of" if dropped_bytes is None else str(dropped_bytes)
        super().__init__(f"{size} bytes of output are missing")
        self.dropped_bytes = dropped_bytes


class OutputLimitError(ExecServerError):
    """More output waits for its reader than may wait."""


def request_error(method: str, error: Any) -> RequestError:
    """Returns the exception for the `error` member of an answer."""
    if not isinstance(error, dict):
        return RequestError(method, -32603, "an error that is no object")
    code = error.get("code")
    kind = {-32004: NotFoundError, -32010: SessionBusyError}.get(code, RequestError)
    return kind(method, code if isinstance(code, int) else -32603, str(error.get("message", "")), error.get("data"))
