"""Client for exec-server: programs and files of another machine over one WebSocket.

    async with connect("ws://127.0.0.1:8080") as client:
        result = await client.run("uname", "-a")
        print(result.text)
"""

from .client import Client, ProgramFailedError, Result, connect
from .errors import (
    ConnectFailedError,
    ConnectionLostError,
    ExecServerError,
    NotFoundError,
    OutputGapError,
    OutputLimitError,
    ProcessLostError,
    RequestError,
    RequestTimeoutError,
    SessionBusyError,
    SessionLostError,
    StaleHandleError,
    StdinClosedError,
    UnexpectedAnswerError,
    UnsupportedFeatureError,
    UpgradeRefusedError,
)
from .files import FileInfo, Files, Watch
from .observer import Sight
from .process import Process
from .sandbox import Sandbox
from .sequence import Exit
from .transfers import Download, Transfers
from .trees import Copied, Trees

__all__ = [
    "Client",
    "ConnectFailedError",
    "ConnectionLostError",
    "Copied",
    "Download",
    "ExecServerError",
    "Exit",
    "FileInfo",
    "Files",
    "NotFoundError",
    "OutputGapError",
    "OutputLimitError",
    "Process",
    "ProcessLostError",
    "ProgramFailedError",
    "RequestError",
    "RequestTimeoutError",
    "Result",
    "Sandbox",
    "SessionBusyError",
    "SessionLostError",
    "Sight",
    "StaleHandleError",
    "StdinClosedError",
    "Transfers",
    "Trees",
    "UnexpectedAnswerError",
    "UnsupportedFeatureError",
    "UpgradeRefusedError",
    "Watch",
    "connect",
]
