"""Types of the protocol (exec-server, app-server dialect). Generated from docs/schema/app.json; do not edit."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union


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


class CommandExecTerminateParams(TypedDict):
    """Params of `command/exec/terminate`."""

    processId: str
    """Name that the start has given to the command."""


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


class EmptyResult(TypedDict, total=False):
    """The empty object: the result of methods that return nothing."""



class _Error(TypedDict):
    code: int
    """One of -32600, -32601, -32602, -32603, -32004 and -32010."""
    message: str
    """Sentence for people."""


class Error(_Error, total=False):
    """The member `error` of an answer to a request that has failed."""

    data: "ErrorData"


class ErrorData(TypedDict, total=False):
    """The member `data` of an error, an addition: strings, whole numbers and booleans."""

    reason: str
    """Cause on which a client can act. Clients accept words that they do not know."""
    errno: int
    """Number of the error of the operating system."""
    call: str
    """System call that has failed."""
    path: str
    """File that the error is about."""
    what: str
    """Part of a start that has failed: `program`, `interpreter`, `cwd`, `terminal` or `arguments`."""
    detail: str
    """Further words about the cause."""
    limit: int
    """Limit that was reached."""
    limitBytes: int
    """Limit that was reached, in bytes."""
    queuedBytes: int
    """Bytes that wait already."""
    written: int
    """Bytes of the new content that a file has after a write that has failed."""
    size: int
    """Size of the file in bytes."""
    mtimeMs: int
    """Time of the last change of the file in milliseconds since 1970."""
    absent: bool
    """True if the file does not exist."""
    member: str
    """Position of the member that is wrong, for example `sandbox.permissions.network`."""
    destinationPath: str
    """Second file that the error is about."""


class _FileSystemEntry(TypedDict):
    path: "PolicyPath"
    access: Literal["read", "write", "deny", "none"]
    """`none` is an older word for `deny`."""


class FileSystemEntry(_FileSystemEntry, total=False):
    """One rule of the permissions; the most specific one decides."""

    missing_path_behavior: Literal["skip", None]
    """`skip` marks a built-in protection."""
    missingPathBehavior: Literal["skip", None]
    """Another spelling of `missing_path_behavior`."""


class FileSystemPermissionsPart5(TypedDict):
    type: Literal["unrestricted"]


class _FileSystemPermissionsPart6(TypedDict):
    type: Literal["restricted"]
    entries: List["FileSystemEntry"]


class FileSystemPermissionsPart6(_FileSystemPermissionsPart6, total=False):
    glob_scan_max_depth: Union[int, None]
    """Depth to which patterns are looked up."""
    globScanMaxDepth: Union[int, None]
    """Another spelling of `glob_scan_max_depth`."""
# Permissions for files. What no entry names is not visible.
FileSystemPermissions = Union["FileSystemPermissionsPart5", "FileSystemPermissionsPart6"]


class InitializeCapabilities(TypedDict, total=False):
    """Optional abilities of a client."""

    experimentalApi: bool
    """true if the client may use experimental methods and members"""
    optOutNotificationMethods: Union[List[str], None]
    """notifications that the client does not want"""


class KillParams(TypedDict):
    """Params of `process/kill`."""

    processHandle: str
    """Name that the start has given to the command."""


class NetworkAccessPart7(TypedDict):
    enabled: bool
# Permission to use the network; the form with `enabled` is the same.
NetworkAccess = Union[Literal["restricted", "enabled"], "NetworkAccessPart7"]


class PermissionProfilePart8(TypedDict):
    type: Literal["managed"]
    file_system: "FileSystemPermissions"
    network: "NetworkAccess"


class PermissionProfilePart9(TypedDict):
    type: Literal["managed"]
    fileSystem: "FileSystemPermissions"
    network: "NetworkAccess"


class PermissionProfilePart10(TypedDict):
    type: Literal["disabled"]


class PermissionProfilePart11(TypedDict):
    type: Literal["external"]
    network: "NetworkAccess"


class PermissionProfilePart12(TypedDict, total=False):
    """Profile of the first releases, without `type`."""

    file_system: Union[Dict[str, Any], None]
    fileSystem: Union[Dict[str, Any], None]
    network: Union["NetworkAccess", None]
# A permission profile. `managed`: this server builds a sandbox; `disabled`: no sandbox; `external`:
# somebody else confines it already.
PermissionProfile = Union["PermissionProfilePart8", "PermissionProfilePart9", "PermissionProfilePart10", "PermissionProfilePart11", "PermissionProfilePart12"]


class PolicyPathPart13(TypedDict):
    type: Literal["path"]
    path: str


class PolicyPathPart14(TypedDict):
    type: Literal["glob_pattern", "globPattern", "glob-pattern"]
    pattern: str


class PolicyPathPart15(TypedDict):
    type: Literal["special"]
    value: "SpecialPath"
# Path or paths that an entry is for.
PolicyPath = Union["PolicyPathPart13", "PolicyPathPart14", "PolicyPathPart15"]

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


class ReadOnlyAccessPart16(TypedDict):
    type: Literal["fullAccess"]


class _ReadOnlyAccessPart17(TypedDict):
    type: Literal["restricted"]


class ReadOnlyAccessPart17(_ReadOnlyAccessPart17, total=False):
    includePlatformDefaults: bool
    readableRoots: List[str]
# Places that may be read, a member of older releases; the strict dialect refuses it.
ReadOnlyAccess = Union["ReadOnlyAccessPart16", "ReadOnlyAccessPart17"]

# Id of a request, chosen by the side that asks.
RequestId = Union[str, int]


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


class _SpecialPath(TypedDict):
    kind: Literal["root", "minimal", "project_roots", "projectRoots", "current_working_directory", "currentWorkingDirectory", "tmpdir", "slash_tmp", "slashTmp", "unknown"]
    """The place."""


class SpecialPath(_SpecialPath, total=False):
    """A place that is known only where the command runs."""

    subpath: Union[str, None]
    """With `project_roots`: a relative path in each root."""
    path: Union[str, None]
    """With `unknown`: a name that only newer programs know."""


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
