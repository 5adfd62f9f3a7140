"""Types of the protocol (exec-server, app-server dialect). Generated from docs/schema/app.json; do not edit."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union

from .types import (
    EmptyResult,
    Error,
    ErrorData,
    FileSystemEntry,
    FileSystemPermissions,
    NetworkAccess,
    PermissionProfile,
    PolicyPath,
    RequestId,
    SpecialPath,
)


class _AppInitializeParams(TypedDict):
    clientInfo: "ClientInfo"
    """name and version of the client"""


class AppInitializeParams(_AppInitializeParams, total=False):
    """Params of `initialize` in the app-server dialect."""

    capabilities: Union["InitializeCapabilities", None]
    """optional abilities of the peer"""


class _AppInitializeResult(TypedDict):
    userAgent: str
    """name and version of the server, and of the client"""
    codexHome: str
    """folder of settings, which clients expect to be named"""
    platformFamily: str
    """`unix`."""
    platformOs: str
    """`linux`."""


class AppInitializeResult(_AppInitializeResult, total=False):
    """Result of `initialize` in the app-server dialect."""

    methods: List[str]
    """addition of this server, written unless it is empty: the methods that it has"""


class _ClientInfo(TypedDict):
    name: str
    """name"""
    version: str
    """version"""


class ClientInfo(_ClientInfo, total=False):
    """Name and version of a client."""

    title: Union[str, None]
    """name for people"""


class _CommandExecParams(TypedDict):
    command: List[str]
    """the program and its arguments"""


class CommandExecParams(_CommandExecParams, total=False):
    """Params of `command/exec`."""

    processId: Union[str, None]
    """name for follow-up calls, unique on its connection while the command runs"""
    tty: bool
    """true to run on a terminal"""
    streamStdin: bool
    """true to send input with follow-up calls"""
    streamStdoutStderr: bool
    """true to get output in notifications"""
    outputBytesCap: Union[int, None]
    """most bytes that are kept of each stream"""
    disableOutputCap: bool
    """true for no such bound"""
    timeoutMs: Union[int, None]
    """time limit in milliseconds"""
    disableTimeout: bool
    """true for no time limit"""
    cwd: Union[str, None]
    """relative ones start at the server's directory"""
    env: Union[Dict[str, Union[str, None]], None]
    """variables to set, or to remove if empty"""
    size: Union["CommandSize", None]
    """size of the terminal"""
    sandboxPolicy: Union["CommandSandboxPolicy", None]
    """legacy policy, converted to a profile of the workspace that is the server's directory"""
    permissionProfile: Union[str, "PermissionProfile", None]
    """profile of the workspace that is the command's directory"""


class CommandExecResizeParams(TypedDict):
    """Params of `command/exec/resize`."""

    processId: str
    """Name that the start has given to the command."""
    size: "CommandSize"


class _CommandExecResult(TypedDict):
    exitCode: int
    """its status; 128 + N if signal N ended it, 124 if its time was over"""
    stdout: str
    """captured text; empty if it was streamed"""
    stderr: str
    """captured text; empty if it was streamed"""


class CommandExecResult(_CommandExecResult, total=False):
    """Result of `command/exec`."""

    stdoutCapReached: bool
    """true if stdout was cut at its bound"""
    stderrCapReached: bool
    """true if stderr was cut at its bound"""
    timedOut: bool
    """addition: true if the time limit has ended it"""
    signal: Union[str, None]
    """addition: signal that has ended it"""
    outputDrainTimedOut: bool
    """true if a descendant held the output open after the exit"""


class _CommandExecTerminateParams(TypedDict):
    processId: str
    """Name that the start has given to the command."""


class CommandExecTerminateParams(_CommandExecTerminateParams, total=False):
    """Params of `command/exec/terminate`."""

    graceMs: Union[int, None]
    """time between SIGTERM and SIGKILL in milliseconds; SIGKILL at once when absent"""


class _CommandExecWriteParams(TypedDict):
    processId: str
    """Name that the start has given to the command."""


class CommandExecWriteParams(_CommandExecWriteParams, total=False):
    """Params of `command/exec/write`."""

    deltaBase64: Union[str, None]
    """Bytes for the input."""
    closeStdin: bool
    """True ends the input behind the bytes."""


class CommandOutputDelta(TypedDict):
    """Notification that carries output of a `command/exec`."""

    processId: str
    """name of the command"""
    stream: Literal["stdout", "stderr"]
    """the stream"""
    deltaBase64: str
    """The bytes."""
    capReached: bool
    """true if output of this stream was dropped; it is then the last one of the stream"""


class CommandSandboxPolicyPart1(TypedDict):
    type: Literal["dangerFullAccess"]


class _CommandSandboxPolicyPart2(TypedDict):
    type: Literal["readOnly"]


class CommandSandboxPolicyPart2(_CommandSandboxPolicyPart2, total=False):
    networkAccess: bool
    access: "ReadOnlyAccess"


class _CommandSandboxPolicyPart3(TypedDict):
    type: Literal["externalSandbox"]


class CommandSandboxPolicyPart3(_CommandSandboxPolicyPart3, total=False):
    networkAccess: Literal["restricted", "enabled"]


class _CommandSandboxPolicyPart4(TypedDict):
    type: Literal["workspaceWrite"]


class CommandSandboxPolicyPart4(_CommandSandboxPolicyPart4, total=False):
    writableRoots: List[str]
    networkAccess: bool
    excludeTmpdirEnvVar: bool
    excludeSlashTmp: bool
    readOnlyAccess: "ReadOnlyAccess"
# Sandbox policy of older releases, converted to a profile of the server's directory.
CommandSandboxPolicy = Union["CommandSandboxPolicyPart1", "CommandSandboxPolicyPart2", "CommandSandboxPolicyPart3", "CommandSandboxPolicyPart4"]


class CommandSize(TypedDict):
    """Size of a terminal in characters. Zero is read here and refused later, as in the reference server."""

    rows: int
    """rows"""
    cols: int
    """columns"""


class InitializeCapabilities(TypedDict, total=False):
    """Optional abilities of a client."""

    experimentalApi: bool
    """true if the client may use experimental methods and members"""
    optOutNotificationMethods: Union[List[str], None]
    """notifications that the client does not want"""


class _KillParams(TypedDict):
    processHandle: str
    """Name that the start has given to the command."""


class KillParams(_KillParams, total=False):
    """Params of `process/kill`."""

    graceMs: Union[int, None]
    """time between SIGTERM and SIGKILL in milliseconds; SIGKILL at once when absent"""

# Params of `permissionProfile/list`; the server looks at none of their members.
ProfileListParams = Union[Dict[str, Any], None]


class ProfileListResult(TypedDict):
    """Result of `permissionProfile/list`: all profiles, on one page."""

    data: List["ProfileListRow"]
    """the profiles"""
    nextCursor: None
    """Always null: there is one page."""


class ProfileListRow(TypedDict):
    """One profile."""

    id: str
    """name of the profile"""
    description: Union[str, None]
    """words of the operator about it"""
    allowed: bool
    """false if the operator's floor refuses it"""


class ReadOnlyAccessPart5(TypedDict):
    type: Literal["fullAccess"]


class _ReadOnlyAccessPart6(TypedDict):
    type: Literal["restricted"]


class ReadOnlyAccessPart6(_ReadOnlyAccessPart6, total=False):
    includePlatformDefaults: bool
    readableRoots: List[str]
# Places that may be read, a member of older releases; the strict dialect refuses it.
ReadOnlyAccess = Union["ReadOnlyAccessPart5", "ReadOnlyAccessPart6"]


class ResizePtyParams(TypedDict):
    """Params of `process/resizePty`."""

    processHandle: str
    """Name that the start has given to the command."""
    size: "CommandSize"


class _SpawnExited(TypedDict):
    processHandle: str
    """name of the command"""
    exitCode: int
    """exit code; 128 + N if signal N has ended the program"""
    stdout: str
    """captured text; empty if it was streamed"""
    stdoutCapReached: bool
    """true if stdout was cut at its bound"""
    stderr: str
    """captured text; empty if it was streamed"""
    stderrCapReached: bool
    """true if stderr was cut at its bound"""


class SpawnExited(_SpawnExited, total=False):
    """Notification `process/exited` of the app-server dialect. In the other dialect a notification of that
    name has other members."""

    outputDrainTimedOut: bool
    """true if a descendant held the output open after the exit"""


class SpawnOutputDelta(TypedDict):
    """Notification that carries output of a `process/spawn`."""

    processHandle: str
    """name of the command"""
    stream: Literal["stdout", "stderr"]
    """the stream"""
    deltaBase64: str
    """The bytes."""
    capReached: bool
    """true if output of this stream was dropped; it is then the last one of the stream"""


class _SpawnParams(TypedDict):
    command: List[str]
    """the program and its arguments"""
    cwd: str
    """working directory"""
    processHandle: str
    """name for follow-up calls"""


class SpawnParams(_SpawnParams, total=False):
    """Params of `process/spawn`."""

    tty: bool
    """true to run on a terminal"""
    streamStdin: bool
    """true to send input with follow-up calls"""
    streamStdoutStderr: bool
    """true to get output in notifications"""
    outputBytesCap: Union[int, None]
    """cap of each stream; the default was filled in, and empty means none"""
    timeoutMs: Union[int, None]
    """time limit; the default was filled in, and empty means none"""
    env: Union[Dict[str, Union[str, None]], None]
    """variables to set, or to remove if empty"""
    size: Union["CommandSize", None]
    """size of the terminal"""


class _WriteStdinParams(TypedDict):
    processHandle: str
    """Name that the start has given to the command."""


class WriteStdinParams(_WriteStdinParams, total=False):
    """Params of `process/writeStdin`."""

    deltaBase64: Union[str, None]
    """Bytes for the input."""
    closeStdin: bool
    """True ends the input behind the bytes."""

REQUESTS = (
    "initialize",
    "command/exec",
    "command/exec/write",
    "command/exec/resize",
    "command/exec/terminate",
    "process/spawn",
    "process/writeStdin",
    "process/resizePty",
    "process/kill",
    "permissionProfile/list",
)

SERVER_REQUESTS = (
)

SERVER_NOTIFICATIONS = (
    "command/exec/outputDelta",
    "process/outputDelta",
    "process/exited",
)
