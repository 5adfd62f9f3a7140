"""Types of the protocol (exec-server). Generated from docs/schema/exec.json; do not edit."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, TypedDict, Union


class AllowApproverResult(TypedDict):
    """Result of `exec/allowApprover`, an addition."""

    token: str
    """secret with which a connection becomes an approver, one at a time, as long as the session exists"""
    approverId: str
    """name of this right in questions and reports; no secret"""


class _AppendParams(TypedDict):
    path: str
    """`file:` URI of the file or directory"""
    dataBase64: str
    """bytes to append"""


class AppendParams(_AppendParams, total=False):
    """Params of the addition `fs/append`."""

    followSymlinks: Union[bool, None]
    """true when absent or null; false refuses a path with a symbolic link in it"""
    sandbox: Union["SandboxContext", None]
    """sandbox in which the call has its effect; absent or null means none"""


class AppendResult(TypedDict):
    """Result of the addition `fs/append`."""

    size: int
    """bytes of the file after the append"""


class ApproveParams(TypedDict):
    """Params of `exec/approve`, an addition."""

    token: str
    """secret that `exec/allowApprover` or the operator has given"""


class _ApproveResult(TypedDict):
    approverId: str
    """name of the right, which is in each question that comes by it"""
    clientName: str
    """name of the client that has the session"""


class ApproveResult(_ApproveResult, total=False):
    """Result of `exec/approve`, an addition. The questions follow."""

    sessionName: Union[str, None]
    """name of the session, as its client has given it"""


class BodyDelta(TypedDict):
    """Params of the notification `http/request/bodyDelta`."""

    requestId: str
    """name of the request, which the client has chosen"""
    seq: int
    """counts from 1 within the stream"""
    deltaBase64: str
    """the next bytes of the body; empty in the last notification"""
    done: bool
    """true in the last notification of the stream"""
    error: Union[str, None]
    """reason why the body is incomplete; only in the last notification"""


class _CanonicalizeParams(TypedDict):
    path: str
    """`file:` URI of the file or directory"""


class CanonicalizeParams(_CanonicalizeParams, total=False):
    """Params of `fs/canonicalize`."""

    sandbox: Union["SandboxContext", None]
    """sandbox in which the call has its effect; absent or null means none"""


class CanonicalizeResult(TypedDict):
    """Result of `fs/canonicalize`: the path without symbolic links and dots."""

    path: str
    """`file:` URI of the file or directory"""


class Capabilities(TypedDict, total=False):
    """Features that a client uses only where they are true. Absent means false."""

    networkProxyLaunch: bool
    networkProxyReviewDomains: bool
    networkProxyTransparentTcp: bool
    credentialMasking: bool
    credentialMaskingCustomProviders: bool
    capabilityDiscoverySandbox: bool
    fsWatchMissing: bool
    capabilityDiscoveryV2: bool
    environmentConfigRead: bool
    httpHeaderEnvVars: bool
    sandboxedFileStreaming: bool
    fileWriteStreaming: bool
    shellSnapshotV2: bool
    windowsMxc: bool
    linuxRootWritePreservesDevices: bool
    linuxApprovedRootWritePreservesRestrictions: bool


class _ChangedNotification(TypedDict):
    watchId: int
    """number of the watch, which the client has chosen"""
    changes: List["FileChange"]
    """in order; two equal changes in a row are sent once"""


class ChangedNotification(_ChangedNotification, total=False):
    """Params of the notification `fs/changed`, an addition."""

    overflow: bool
    """true if further changes were lost; the client must look itself"""
    ended: bool
    """true if the watched file is gone; the watch has ended with it"""


class CloseParams(TypedDict):
    """Params of `fs/close`."""

    handleId: str
    """name of the open file, which the client has chosen; at most 32 bytes"""


class CloseStdinParams(TypedDict):
    """Params of `process/closeStdin`, an addition: end of file on stdin, after everything written before."""

    processId: str
    """name of the process, which the client has chosen"""


class CloseStdinResult(TypedDict):
    """Result of `process/closeStdin`. Accepted means that end of file follows the data written before."""

    status: Literal["accepted", "unknownProcess", "stdinClosed", "starting"]
    """state of the input after the call"""


class _ClosedNotification(TypedDict):
    processId: str
    """name of the process, which the client has chosen"""


class ClosedNotification(_ClosedNotification, total=False):
    """Params of the notification `process/closed`: the process has exited and its output has ended."""

    seq: Union[int, None]
    """absent from servers of the first release; this server always sends it"""
    reason: Union[str, None]
    """addition: reason why the output was abandoned before its end, if it was"""


class ConfigLayers(TypedDict):
    """Layers of settings; always empty here."""

    layers: List[Any]
    """layers, lowest first"""
    cloudInsertionIndex: int
    """position at which a client adds layers of its own"""


class ConfigReadParams(TypedDict):
    """Params of `environmentConfig/read`."""

    cwd: str
    """directory where the search for configuration starts"""
    configPaths: List[List[str]]
    """the wanted settings, each as the list of keys that leads to it"""
    requirementsPaths: List[List[str]]
    """the same for settings that an administrator requires"""


class ConfigReadResult(TypedDict):
    """Result of `environmentConfig/read` of a host without such configuration: it has no layers of
    settings or requirements."""

    userHomeDir: Union[str, None]
    """home directory of the user"""
    codexHomeDir: Union[str, None]
    """directory where a client of that name would look for its files"""
    hostname: str
    """name of the host"""
    config: "ConfigLayers"
    requirements: "ConfigLayers"


class _CopyParams(TypedDict):
    sourcePath: str
    """`file:` URI of the source"""
    destinationPath: str
    """`file:` URI of the destination"""
    recursive: bool
    """true if the source may be a directory"""


class CopyParams(_CopyParams, total=False):
    """Params of `fs/copy`."""

    sandbox: Union["SandboxContext", None]
    """sandbox in which the call has its effect; absent or null means none"""


class _CreateDirectoryParams(TypedDict):
    path: str
    """`file:` URI of the file or directory"""


class CreateDirectoryParams(_CreateDirectoryParams, total=False):
    """Params of `fs/createDirectory`."""

    recursive: Union[bool, None]
    """true when absent or null: missing parents are made, and an existing directory is no error"""
    followSymlinks: Union[bool, None]
    """true when absent or null; false refuses a path with a symbolic link in it"""
    sandbox: Union["SandboxContext", None]
    """sandbox in which the call has its effect; absent or null means none"""


class _Denial(TypedDict):
    kind: str
    """`fileRead`, `fileWrite`, `network` or `systemCall`"""


class Denial(_Denial, total=False):
    """Operation that a sandbox refused, as far as the output and the policy of the process reveal it. An
    addition beside `sandboxDenied`, which is set even when no details are known."""

    path: Union[str, None]
    """file that could not be read or written"""
    host: Union[str, None]
    """host that could not be reached"""
    port: int
    """port of the host"""
    program: Union[str, None]
    """file of the program that wanted the connection"""
    rule: Union[str, None]
    """deciding part of the policy, for people"""
    suggestion: Union[str, None]
    """change that would allow the operation, for people"""
    change: Union["ProxyChange", None]
    """the same for programs: a change of the proxy's settings"""


class _DirectoryEntry(TypedDict):
    fileName: str
    """bytes that are not UTF-8 become U+FFFD"""
    isDirectory: bool
    """true for a directory"""
    isFile: bool
    """true for a regular file"""


class DirectoryEntry(_DirectoryEntry, total=False):
    """One entry of `fs/readDirectory`. For a symbolic link both flags describe its target. Both are false
    for a broken link, a device, a pipe and a socket."""

    path: Union[str, None]
    """addition: the path of the entry, only when its name is not UTF-8"""


class EmptyResult(TypedDict, total=False):
    """The empty object: the result of methods that return nothing."""



class EnvPolicy(TypedDict):
    """Rules that derive a child's environment from the server's. All five members are required."""

    inherit: Literal["all", "core", "none"]
    """variables that the child starts with"""
    ignoreDefaultExcludes: bool
    """true keeps names that contain KEY, SECRET or TOKEN"""
    exclude: List[str]
    """names to drop: globs with `*` and `?` over the whole name, case-insensitive"""
    set: Dict[str, str]
    """variables to add after that, in order"""
    includeOnly: List[str]
    """when not empty, globs of the only names to keep, applied after `set`"""


class _EnvironmentInfo(TypedDict):
    shell: "ShellInfo"
    executorVersion: str
    """`0.0.0` when absent"""
    providerId: Union[str, None]
    """stands for the installation that has answered"""
    cwd: Union[str, None]
    """directory in which the server was started"""
    userHomeDir: Union[str, None]
    """home directory of the user"""
    platformOs: Union[str, None]
    """`linux`, `macos` or `windows`"""
    prependPathDirs: List[str]
    """directories that belong at the start of a child's PATH"""
    tempDir: Union[str, None]
    """directory for temporary files"""
    capabilities: "Capabilities"
    """optional abilities of the peer"""


class EnvironmentInfo(_EnvironmentInfo, total=False):
    """Description of the server's machine: result of `environment/info`, and a member of the result of
    `initialize`."""

    temporaryDirectories: Union[List[str], None]
    """absent means unknown; an empty list means none"""
    warnings: List[str]
    """sentences for people, an addition; left out when there are none"""


class EnvironmentStatus(TypedDict):
    """Result of `environment/status`."""

    status: Literal["ready"]
    """always `ready`; no other value is known"""


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


class _ExecApprovalAnswer(TypedDict):
    decision: Literal["run", "escalate", "deny"]
    """`run`: in the sandbox, if there is one; `escalate`: outside of it; `deny`: not at all"""


class ExecApprovalAnswer(_ExecApprovalAnswer, total=False):
    """The client's answer to `exec/approval`."""

    reason: Union[str, None]
    """for a denial, which the program prints"""
    remember: Literal["command", "session", None]
    """for how long the same program with the same arguments gets this answer without a question; empty for
    this time only"""


class _ExecApprovalClosedNotification(TypedDict):
    processId: str
    """name of the process, which the client has chosen"""
    execId: int
    """number of the exec, unique in its process"""
    by: str
    """`client` or `approver`: who has answered; `timeout`: nobody has; `ended`: the process or its start
    is over; `replaced`: another connection uses the right"""


class ExecApprovalClosedNotification(_ExecApprovalClosedNotification, total=False):
    """Params of the notification `exec/approvalClosed`: an answer to this question would be too late."""

    approverId: Union[str, None]
    """the right by which this connection was asked, if it has not the session"""


class _ExecApprovalRequest(TypedDict):
    processId: str
    """name of the process, which the client has chosen"""
    execId: int
    """number of the exec, unique in its process"""
    matches: List["ExecRuleMatch"]
    """the rules that match, the operator's and the client's"""
    sandboxed: bool
    """true if the command has a sandbox; a program that may run, runs in it"""
    program: str
    """the file, without links"""
    argv: List[str]
    """arguments; bytes that are not UTF-8 are shown as `\xff`; the first is the program's name"""
    cwd: str
    """working directory"""


class ExecApprovalRequest(_ExecApprovalRequest, total=False):
    """Params of the server's request `exec/approval`: a command wants to execute a program, and its rules
    say that the client decides."""

    justification: Union[str, None]
    """of the rule that asks"""
    approverId: Union[str, None]
    """for another connection than that of the session: the right by which it is asked"""
    pid: Union[int, None]
    """process, as the server numbers it; empty for the command's own program, which has no process yet"""
    parentPid: Union[int, None]
    """its parent"""
    argvBase64: Union[List[str], None]
    """the exact bytes of all arguments, only if one of them is not UTF-8"""


class _ExecDecidedNotification(TypedDict):
    processId: str
    """name of the process, which the client has chosen"""
    seq: int
    """number of the event in the log of its process, from 1"""
    execId: int
    """number of the exec, unique in its process"""
    decision: Literal["run", "escalate", "deny"]
    """as it was carried out"""
    by: str
    """who or what has decided: `rule`, `heuristics`, `fallback`, `client`, `approver`, `remembered`,
    `timeout`, `floor` or `changed` (the program was exchanged after the decision, and killed)"""
    atMs: int
    """milliseconds since the epoch"""
    program: str
    """the file, without links"""
    argv: List[str]
    """arguments; bytes that are not UTF-8 are shown as `\xff`; the first is the program's name"""
    cwd: str
    """working directory"""


class ExecDecidedNotification(_ExecDecidedNotification, total=False):
    """Params of the notification `exec/decided`: a program that a command executes, or wanted to execute."""

    truncated: bool
    """true if the arguments are longer than a report may be, so that the last ones are missing"""
    rule: Union[str, None]
    """file and line of the rule that has decided"""
    pid: Union[int, None]
    """process, as the server numbers it; empty for the command's own program, which has no process yet"""
    parentPid: Union[int, None]
    """its parent"""
    argvBase64: Union[List[str], None]
    """the exact bytes of all arguments, only if one of them is not UTF-8"""


class ExecEndedNotification(TypedDict):
    """Params of the notification `exec/ended`: an escalated program has ended."""

    processId: str
    """name of the process, which the client has chosen"""
    seq: int
    """number of the event in the log of its process, from 1"""
    execId: int
    """number of the exec, unique in its process"""
    exitCode: int
    """128 and the number of the signal for a program that a signal has ended"""


class ExecPolicyParams(TypedDict, total=False):
    """Member `execPolicy` of `process/start`: rules for the programs that the command executes, decided
    one by one before they run. An unknown member is an error, because it could not be enforced."""

    rules: List["ExecPolicyParamsRulesText"]
    """rules files as text"""
    prefixRules: List["PrefixRuleParams"]
    """rules as JSON, after those of the texts"""
    allowed: Literal["sandbox", "escalate"]
    """place where a program runs that a rule allows"""
    fallback: Literal["allow", "prompt", "forbid"]
    """decision about a program that no rule matches"""
    heuristics: bool
    """true to judge such a program by its command line first"""
    promptTimeoutMs: Union[int, None]
    """time that the client has for each answer; absent for 300000"""
    report: Literal["none", "decisions", "all"]
    """notifications that the client gets about decisions"""


class ExecPolicyParamsRulesText(TypedDict):
    """Rules file."""

    name: str
    """as errors and reports tell it"""
    text: str
    """the text"""


class _ExecRuleMatch(TypedDict):
    matchedPrefix: List[str]
    """the words that the rule is about"""
    decision: str
    """`allow`, `prompt` or `forbidden`"""


class ExecRuleMatch(_ExecRuleMatch, total=False):
    """Rule that matches a program."""

    justification: Union[str, None]
    """words of the rule about its reason"""
    rule: Union[str, None]
    """file and line of the rule"""


class _ExitedNotification(TypedDict):
    processId: str
    """name of the process, which the client has chosen"""
    seq: int
    """number of the event in the log of its process, from 1"""
    exitCode: int
    """exit status; 128+N after signal N (1 for a process on a terminal); -1 when it is unknown"""


class ExitedNotification(_ExitedNotification, total=False):
    """Params of the notification `process/exited`. Output of the process may still follow."""

    sandboxDenied: Union[bool, None]
    """absent from servers of older releases; this server always sends it"""
    reason: Union[str, None]
    """addition: `timeout`, `idle`, ... when the server ended the process by itself"""
    denial: Union["Denial", None]
    """operation that the sandbox refused"""
    violations: List["SandboxViolation"]
    """forbidden states that were found when the process ended"""
    usage: Union["ResourceUsage", None]
    """resources that the process used, if its start had limits"""
    observed: Union["ProxyChange", None]
    """change of the proxy's settings that allows all hosts that mode `observe` has let through beside them"""


class ExpectationPart1(TypedDict):
    sha256: str
    """SHA-256 of the content in lower-case hexadecimal digits."""


class ExpectationPart2(TypedDict):
    mtimeMs: int
    """Time of the last change in milliseconds since 1970."""


class ExpectationPart3(TypedDict):
    absent: Literal[True]
    """The file does not exist."""
# State that a file must have for a write to happen, an addition. It is an object with exactly one
# member.
Expectation = Union["ExpectationPart1", "ExpectationPart2", "ExpectationPart3"]


class FileChange(TypedDict):
    path: str
    """`file:` URI of the file or directory"""
    kind: Literal["created", "modified", "attributes", "removed"]
    """`removed` and `created` for a rename"""


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


class FileSystemPermissionsPart4(TypedDict):
    type: Literal["unrestricted"]


class _FileSystemPermissionsPart5(TypedDict):
    type: Literal["restricted"]
    entries: List["FileSystemEntry"]


class FileSystemPermissionsPart5(_FileSystemPermissionsPart5, total=False):
    glob_scan_max_depth: Union[int, None]
    """Depth to which patterns are looked up."""
    globScanMaxDepth: Union[int, None]
    """Another spelling of `glob_scan_max_depth`."""
# Permissions for files. What no entry names is not visible.
FileSystemPermissions = Union["FileSystemPermissionsPart4", "FileSystemPermissionsPart5"]


class HttpCancelParams(TypedDict):
    """Params of `http/request/cancel`."""

    requestId: str
    """id of a streamed response; an unknown or ended one is no error"""


class HttpHeader(TypedDict):
    """Header field of a response."""

    name: str
    """in lower case when a server sends it"""
    value: str
    """value"""


class _HttpRequestParams(TypedDict):
    method: str
    """method of the HTTP request"""
    url: str
    """address, http or https"""
    requestId: str
    """name of the stream of a streamed body. Without streaming it may be absent in the open dialect, and
    is then an empty string"""


class HttpRequestParams(_HttpRequestParams, total=False):
    """Params of `http/request`."""

    headers: List["RequestHeader"]
    """in this order, including repeated names"""
    bodyBase64: Union[str, None]
    """neither decoded nor checked yet"""
    timeoutMs: Union[int, None]
    """limit for the whole exchange up to the end of the body; no limit when empty"""
    redirectPolicy: Literal["follow", "stop"]
    """`follow` up to the limit, or `stop` and return the answer itself"""
    streamResponse: bool
    """true if the body follows in `BodyDelta` notifications"""


class HttpRequestResult(TypedDict):
    """Result of `http/request`."""

    status: int
    """status code, 100 to 999"""
    headers: List["HttpHeader"]
    """repeated fields remain separate"""
    bodyBase64: str
    """empty when it is streamed; neither decoded nor checked when received"""


class _InitializeParams(TypedDict):
    clientName: str
    """free text"""


class InitializeParams(_InitializeParams, total=False):
    """Params of `initialize`, the first request of a connection."""

    resumeSessionId: Union[str, None]
    """session to resume; absent begins a new one. The empty string is an id like any other"""
    takeover: Union[bool, None]
    """addition, read in the open dialect: true takes the session even from a live connection"""
    sessionTtlMs: Union[int, None]
    """addition, read in the open dialect: requested lifetime of the session after its connection ends, in
    milliseconds; the server limits it to its maximum and answers with the granted time"""
    sessionName: Union[str, None]
    """addition, read in the open dialect: name of the session for people, of at most 100 visible
    characters; it need not be unique"""


class _InitializeResult(TypedDict):
    sessionId: str
    """an id that cannot be guessed"""


class InitializeResult(_InitializeResult, total=False):
    """Result of `initialize`."""

    environmentInfo: Union["EnvironmentInfo", None]
    """absent from servers of older releases"""
    sessionTtlMs: Union[int, None]
    """addition, only on request: lifetime of the session after its connection ends, in milliseconds"""
    features: Union[List[str], None]
    """names of the additions to the protocol that this server supports; written only when there are any"""


class ListResult(TypedDict):
    """Result of `process/list`, an addition: the processes of the session, including exited ones that are
    retained."""

    processes: List["ProcessInfo"]
    """the processes, exited ones that are retained included"""


class ManagedNetwork(TypedDict, total=False):
    """The `managedNetwork` member of `process/start`, which completes `enforceManagedNetwork`. Its other
    member, `allowLocalBinding`, has no effect on Linux: a command may always bind in its own network."""

    loopbackPorts: List[int]
    """allowed ports of proxies; an empty list allows any"""
    allowLocalBinding: bool
    """true if the command may listen"""
    allowUnixSockets: List[str]
    """paths of the Unix sockets that the command may connect to, as they were written"""
    dangerouslyAllowAllUnixSockets: bool
    """true if the command may use Unix sockets"""


class _MetadataParams(TypedDict):
    path: str
    """`file:` URI of the file or directory"""


class MetadataParams(_MetadataParams, total=False):
    """Params of `fs/getMetadata`."""

    followSymlinks: Union[bool, None]
    """true when absent or null; false refuses a path with a symbolic link in it"""
    sandbox: Union["SandboxContext", None]
    """sandbox in which the call has its effect; absent or null means none"""
    mode: Union[bool, None]
    """addition: true to get the mode in the result"""


class _MetadataResult(TypedDict):
    isDirectory: bool
    """true for a directory"""
    isFile: bool
    """true for a regular file"""
    isSymlink: bool
    """true if the path itself is a symbolic link"""
    size: int
    """bytes"""
    createdAtMs: int
    """milliseconds since 1970; 0 if the birth time is unknown"""
    modifiedAtMs: int
    """milliseconds since 1970"""


class MetadataResult(_MetadataResult, total=False):
    """Result of `fs/getMetadata`. For a symbolic link, type and size are those of its target."""

    mode: int
    """addition, only on request: permission bits as in chmod(2)"""


class MissingChangedNotification(TypedDict):
    """Params of the notification `fs/missingChanged`, which is sent once for a watch."""

    watchId: int
    """number of the watch, which the client has chosen"""


class NetworkAccessPart6(TypedDict):
    enabled: bool
# Permission to use the network; the form with `enabled` is the same.
NetworkAccess = Union[Literal["restricted", "enabled"], "NetworkAccessPart6"]


class _NetworkProxyConfig(TypedDict):
    proxy: "NetworkProxySettings"


class NetworkProxyConfig(_NetworkProxyConfig, total=False):
    """Member `networkProxy` of `process/start`: a proxy that the server runs for that process."""

    auditMetadata: Union[Dict[str, Any], None]
    """object that tells on whose behalf the process runs; its strings are logged with every connection"""
    environmentId: Union[str, None]
    """for logs"""
    executionId: Union[str, None]
    """for logs"""
    policyDecisionTimeoutMs: Union[int, None]
    """if present, the client is asked about hosts that the lists do not decide; a question without an
    answer in this time counts as denied"""


class _NetworkProxySettings(TypedDict):
    enabled: bool
    """true runs the proxy"""
    enableSocks5: bool
    """true to run a SOCKS5 proxy beside the HTTP proxy"""
    enableSocks5Udp: bool
    """true to let the SOCKS5 proxy carry UDP"""
    allowUpstreamProxy: bool
    """true to connect through the proxy that the server's own environment names"""
    dangerouslyAllowAllUnixSockets: bool
    """true if the sandbox lets the process make Unix sockets"""
    allowLocalBinding: bool
    """true to treat loopback and private addresses like others"""
    mode: Literal["full", "limited", "observe"]
    """which requests the proxy lets through"""


class NetworkProxySettings(_NetworkProxySettings, total=False):
    """Settings of the proxy of a process."""

    domains: Union[Dict[str, Literal["allow", "deny", "none"]], None]
    """rules by pattern, in order"""
    programDomains: Union[Dict[str, Dict[str, Literal["allow", "deny", "none"]]], None]
    """rules for one program each, by the path of its file; they hold beside `domains`"""
    reviewDomains: Union[List[str], None]
    """patterns of allowed hosts that the client is asked about anyway"""
    unixSockets: Union[Dict[str, Any], None]
    """rules for socket files, not decoded"""
    transparentTcp: bool
    """true to lead the TCP connections of programs that know no proxy through this one"""


class _ObserveParams(TypedDict):
    sessionId: str
    """id of a session of the same principal"""
    processId: str
    """one of its processes"""


class ObserveParams(_ObserveParams, total=False):
    """Params of `session/observe`, an addition."""

    afterSeq: Union[int, None]
    """the answer has chunks after this number; 0 when absent"""
    lastBytes: Union[int, None]
    """only chunks among the last so many bytes of output; what is passed over shows in `offset`. All that
    is kept when absent"""
    maxBytes: Union[int, None]
    """limit of the decoded bytes in the answer, except that the first chunk is never cut; 256 KiB when
    absent, and at most"""
    waitMs: Union[int, None]
    """longest time to wait for something new; 0 when absent"""


class ObserveResult(TypedDict):
    """Result of `session/observe`, an addition."""

    offset: int
    """position of the first byte of this answer in the whole output of the process. More than the
    `endOffset` of the answer before means that output in between was passed over, or is no longer kept"""
    endOffset: int
    """position behind the last byte of this answer"""
    output: "ReadResult"
    """what `process/read` would say"""


class _OpenParams(TypedDict):
    handleId: str
    """chosen by the client, at most 32 bytes of UTF-8"""
    path: str
    """`file:` URI of the file or directory"""


class OpenParams(_OpenParams, total=False):
    """Params of `fs/open`."""

    mode: Literal["read", "replace"]
    """READ when absent"""
    sandbox: Union["SandboxContext", None]
    """sandbox in which the call has its effect; absent or null means none"""


class OpenResult(TypedDict):
    """Result of `fs/open`."""

    handleId: str
    """name of the open file, which the client has chosen; at most 32 bytes"""


class _OpenRpcDocument(TypedDict):
    openrpc: str
    """Version of the form."""
    info: Dict[str, Any]
    """Title and version."""
    methods: List[Dict[str, Any]]
    """The methods."""


class OpenRpcDocument(_OpenRpcDocument, total=False):
    """An OpenRPC document that describes the methods of this dialect."""

    components: Dict[str, Any]
    """The types."""


class OutputChunk(TypedDict):
    """A piece of output: a range of an array that is not copied and must not be written to any more. It
    may end inside a UTF-8 sequence. Chunks are equal when their numbers, streams and bytes are."""

    seq: int
    """from 1"""
    stream: Literal["stdout", "stderr", "pty"]
    """`pty` for all output of a terminal"""
    chunk: str
    """the bytes"""


class OutputNotification(TypedDict):
    """Params of the notification `process/output`. Servers use `OutputNotificationEncoder` to write it."""

    processId: str
    """name of the process, which the client has chosen"""
    seq: int
    """number of the event in the log of its process, from 1"""
    stream: Literal["stdout", "stderr", "pty"]
    """`pty` for all output of a terminal"""
    chunk: str
    """the bytes"""


class PermissionProfilePart7(TypedDict):
    type: Literal["managed"]
    file_system: "FileSystemPermissions"
    network: "NetworkAccess"


class PermissionProfilePart8(TypedDict):
    type: Literal["managed"]
    fileSystem: "FileSystemPermissions"
    network: "NetworkAccess"


class PermissionProfilePart9(TypedDict):
    type: Literal["disabled"]


class PermissionProfilePart10(TypedDict):
    type: Literal["external"]
    network: "NetworkAccess"


class PermissionProfilePart11(TypedDict, total=False):
    """Profile of the first releases, without `type`."""

    file_system: Union[Dict[str, Any], None]
    fileSystem: Union[Dict[str, Any], None]
    network: Union["NetworkAccess", None]
# A permission profile. `managed`: this server builds a sandbox; `disabled`: no sandbox; `external`:
# somebody else confines it already.
PermissionProfile = Union["PermissionProfilePart7", "PermissionProfilePart8", "PermissionProfilePart9", "PermissionProfilePart10", "PermissionProfilePart11"]


class PolicyAnswer(TypedDict):
    """The client's answer to `network/policyRequest`."""

    decision: "PolicyAnswerDecision"


class PolicyAnswerDecisionPart12(TypedDict):
    type: Literal["allow"]


class PolicyAnswerDecisionPart13(TypedDict):
    type: Literal["deny", "ask"]
    reason: str
# `deny` refuses the connection; `ask` refuses it until a user was asked.
PolicyAnswerDecision = Union["PolicyAnswerDecisionPart12", "PolicyAnswerDecisionPart13"]


class _PolicyDecision(TypedDict):
    processId: str
    """name of the process, which the client has chosen"""
    timestamp: str
    """RFC 3339, UTC, with milliseconds"""
    scope: str
    """`domain` or `non_domain`"""
    decision: str
    """`allow`, `deny` or `ask`"""
    source: str
    """`baseline_policy`, `mode_guard`, `proxy_state` or `decider`, which is the client"""
    reason: str
    """reason, a word or a sentence"""
    protocol: Literal["http", "https_connect", "socks5_tcp", "socks5_udp"]
    """protocol of the connection"""
    host: str
    """name or address of the host"""
    port: int
    """port"""
    policyOverride: bool
    """true if the client allowed a host that the lists do not allow"""


class PolicyDecision(_PolicyDecision, total=False):
    """Params of the notification `network/policyDecision`: the decision of a proxy about one connection."""

    method: Union[str, None]
    """of an HTTP request"""
    client: Union[str, None]
    """the program that asked the proxy"""


class PolicyPathPart14(TypedDict):
    type: Literal["path"]
    path: str


class PolicyPathPart15(TypedDict):
    type: Literal["glob_pattern", "globPattern", "glob-pattern"]
    pattern: str


class PolicyPathPart16(TypedDict):
    type: Literal["special"]
    value: "SpecialPath"
# Path or paths that an entry is for.
PolicyPath = Union["PolicyPathPart14", "PolicyPathPart15", "PolicyPathPart16"]


class PolicyRequest(TypedDict):
    """Params of the server's request `network/policyRequest`: a process wants to connect to a host for
    which its lists have no rule."""

    processId: str
    """name of the process, which the client has chosen"""
    request: "PolicyRequestWanted"


class PolicyRequestWanted(TypedDict):
    """The connection that a process wants."""

    protocol: Literal["http", "https_connect", "socks5_tcp", "socks5_udp"]
    """protocol of the connection"""
    host: str
    """lower case, without brackets"""
    port: int
    """port"""


class _PrefixRuleParams(TypedDict):
    pattern: List[Union[str, List[str]]]
    """the first words of a command; each is written as a string or as an array of alternatives"""


class PrefixRuleParams(_PrefixRuleParams, total=False):
    """A `prefix_rule` of a rules file as JSON, without its examples."""

    decision: str
    """`allow`, `prompt` or `forbidden`; the server checks it"""
    justification: Union[str, None]
    """reason for people"""
    canonicalMatching: bool
    """true if words are compared without regard to case"""


class _ProcessInfo(TypedDict):
    processId: str
    """name of the process, which the client has chosen"""
    pid: Union[int, None]
    """absent while the process starts"""
    argv: List[str]
    """the program and its arguments"""
    cwd: str
    """working directory"""
    tty: bool
    """true to run on a terminal"""
    running: bool
    """started and not exited"""
    exited: bool
    """true if the process has exited"""
    exitCode: Union[int, None]
    """exit code; 128 + N if signal N has ended the program"""
    closed: bool
    """true if the process has exited and all output has ended"""
    nextSeq: int
    """one more than the highest number used"""
    startedAtMs: int
    """milliseconds since 1970"""


class ProcessInfo(_ProcessInfo, total=False):
    """One process in the result of `process/list`."""

    stopped: bool
    """running, but stopped by a signal (SIGSTOP, Ctrl-Z, ...) until it is continued; written only when
    true"""
    outputBytes: Union[int, None]
    """bytes of output so far, dropped ones included"""
    cpuMs: Union[int, None]
    """processor time of everything that it has started, in milliseconds; only in `session/list`, while it
    runs or when its exit tells"""


class ProxyChange(TypedDict, total=False):
    """Smallest change of `NetworkProxySettings` that would allow a refused connection. Its members replace
    those of the same names there, `domains` and `programDomains` pattern by pattern."""

    domains: Union[Dict[str, Literal["allow", "deny", "none"]], None]
    programDomains: Union[Dict[str, Dict[str, Literal["allow", "deny", "none"]]], None]
    mode: Union[str, None]
    """which requests the proxy lets through"""


class ReadBlockParams(TypedDict):
    """Params of `fs/readBlock`."""

    handleId: str
    """name of the open file, which the client has chosen; at most 32 bytes"""
    offset: int
    """bytes from the start of the file"""
    len: int
    """bytes wanted, 1 to 1048576"""


class ReadBlockResult(TypedDict):
    """Result of `fs/readBlock`."""

    chunk: str
    """neither decoded nor checked when received"""
    eof: bool
    """true if the read reached the end of the file"""


class _ReadDirectoryParams(TypedDict):
    path: str
    """`file:` URI of the file or directory"""


class ReadDirectoryParams(_ReadDirectoryParams, total=False):
    """Params of `fs/readDirectory`."""

    sandbox: Union["SandboxContext", None]
    """sandbox in which the call has its effect; absent or null means none"""
    maxEntries: Union[int, None]
    """addition: most entries that the client accepts"""


class ReadDirectoryResult(TypedDict):
    """Result of `fs/readDirectory`, in no particular order. Servers write it with `begin` and `end`, so
    that the entries of a large directory go straight into the message."""

    entries: List["DirectoryEntry"]
    """the entries, not sorted"""


class _ReadFileParams(TypedDict):
    path: str
    """`file:` URI of the file or directory"""


class ReadFileParams(_ReadFileParams, total=False):
    """Params of `fs/readFile`."""

    followSymlinks: Union[bool, None]
    """true when absent or null; false refuses a path with a symbolic link in it"""
    sandbox: Union["SandboxContext", None]
    """sandbox in which the call has its effect; absent or null means none"""
    maxBytes: Union[int, None]
    """addition: most bytes that the client accepts"""


class ReadFileResult(TypedDict):
    """Result of `fs/readFile`. Servers write it with `begin` and `end`, so that the file is read straight
    into the message."""

    dataBase64: str
    """neither decoded nor checked yet"""


class _ReadParams(TypedDict):
    processId: str
    """name of the process, which the client has chosen"""


class ReadParams(_ReadParams, total=False):
    """Params of `process/read`."""

    afterSeq: Union[int, None]
    """the read returns chunks after this number; 0 when absent"""
    maxBytes: Union[int, None]
    """limit of the decoded bytes in the answer, except that the first chunk is never cut. Empty means no
    limit, and also changes the meaning of `nextSeq` in the answer"""
    waitMs: Union[int, None]
    """longest time to wait for something new; 0 when absent"""


class _ReadResult(TypedDict):
    chunks: List["OutputChunk"]
    """ascending by `seq`"""
    nextSeq: int
    """one more than the `afterSeq` of the next read"""
    exited: bool
    """true if the process has exited"""
    exitCode: Union[int, None]
    """present when `exited`"""
    closed: bool
    """true if the process has exited and all output has ended"""
    failure: Union[str, None]
    """error text, which clients treat as the end of the process"""
    sandboxDenied: Union[bool, None]
    """true if the sandbox was probably the reason for the failure"""


class ReadResult(_ReadResult, total=False):
    """Result of `process/read`."""

    firstSeq: Union[int, None]
    """addition: number of the first chunk that is retained, only when output was dropped"""
    droppedBytes: Union[int, None]
    """addition: bytes that were dropped, only when output was dropped"""
    reason: Union[str, None]
    """addition, as in `ExitedNotification`"""
    denial: Union["Denial", None]
    """operation that the sandbox refused"""
    violations: List["SandboxViolation"]
    """forbidden states that were found when the process ended"""
    usage: Union["ResourceUsage", None]
    """resources that the process used, if its start had limits"""
    observed: Union["ProxyChange", None]
    """change of the proxy's settings that allows all hosts that mode `observe` has let through beside them"""


class _RemoveParams(TypedDict):
    path: str
    """`file:` URI of the file or directory"""


class RemoveParams(_RemoveParams, total=False):
    """Params of `fs/remove`."""

    recursive: Union[bool, None]
    """true when absent or null: a directory is removed with everything below it"""
    force: Union[bool, None]
    """true when absent or null: a missing file is no error"""
    followSymlinks: Union[bool, None]
    """true when absent or null; false refuses a path with a symbolic link in it"""
    sandbox: Union["SandboxContext", None]
    """sandbox in which the call has its effect; absent or null means none"""


class _RenameParams(TypedDict):
    sourcePath: str
    """`file:` URI of the source"""
    destinationPath: str
    """`file:` URI of the destination"""


class RenameParams(_RenameParams, total=False):
    """Params of the addition `fs/rename`."""

    replace: Union[bool, None]
    """false when absent: an existing destination is an error"""
    sandbox: Union["SandboxContext", None]
    """sandbox in which the call has its effect; absent or null means none"""


class _RequestHeader(TypedDict):
    name: str
    """name"""
    value: str
    """value"""


class RequestHeader(_RequestHeader, total=False):
    """Header field of a request. Neither name nor value is checked here."""

    valueEnvVar: Union[str, None]
    """a variable of the server's environment whose value is appended to `value`"""

# Id of a request, chosen by the side that asks.
RequestId = Union[str, int]


class ResizeParams(TypedDict):
    """Params of `process/resize`, an addition; the result is an empty object. The size has no object of
    its own: its members are next to `processId`."""

    processId: str
    """name of the process, which the client has chosen"""
    cols: int
    """columns"""
    rows: int
    """rows"""


class ResourceLimits(TypedDict, total=False):
    """Resource limits of a command, an addition to `process/start`. The start fails if the server's
    machine cannot enforce one of them."""

    pids: Union[int, None]
    """processes and threads at the same time, of the command and everything that it starts"""
    memoryBytes: Union[int, None]
    """memory of all of them together"""
    cpuSeconds: Union[int, None]
    """processor time of each process"""
    openFiles: Union[int, None]
    """descriptors of each process"""
    fileSizeBytes: Union[int, None]
    """size of a file that a process writes"""


class _ResourceUsage(TypedDict):
    wallMs: int
    """milliseconds from start to exit"""


class ResourceUsage(_ResourceUsage, total=False):
    """Resources that a process and everything that it started have used until its exit. An addition, sent
    if the start had `limits`, even empty ones."""

    cpuMs: Union[int, None]
    """processor time, user and system, in milliseconds; empty if it could not be measured"""
    peakMemoryBytes: Union[int, None]
    """peak memory of all its processes together; empty if it could not be measured"""


class SandboxContextPart17(TypedDict, total=False):
    cwd: Union[str, None]
    workspaceRoots: Union[List[str], None]


class SandboxContext(TypedDict, total=False):
    """A sandbox: what a command or a file method may touch."""

    profile: str
    """Name of a profile of the operator, in place of `permissions`."""
    permissions: "PermissionProfile"
    cwd: Union[str, None]
    """Directory that relative places of the profile start at."""
    workspaceRoots: Union[List[str], None]
    """Directories that `project_roots` stands for."""
    policyContext: Union["SandboxContextPart17", None]
    """Newer carrier of `cwd` and `workspaceRoots`; replaces both."""
    userHomeDir: Union[str, None]
    """Home directory of the user."""
    temporaryDirectories: Union[List[str], None]
    """Directories that are temporary ones."""
    windowsSandboxLevel: Literal["disabled", "restricted-token", "elevated", "mxc", None]
    """Without effect on Linux; the strict dialect requires it."""
    windowsSandboxProxySettingsMode: Literal["reconcile", "preserve", None]
    """Without effect on Linux."""
    windowsSandboxPrivateDesktop: bool
    """Without effect on Linux."""
    sandboxOverride: Literal["noOverride", "escalatedSandboxWithRestrictions", "bypassSandboxFirstAttempt", None]
    """Without effect here."""
    useLegacyLandlock: bool
    """True asks for the sandbox without namespaces."""
    sandboxPolicy: Dict[str, Any]
    """Policy of the first releases, in place of `permissions`."""
    sandboxPolicyCwd: Union[str, None]
    """Directory of the policy of the first releases."""
    fileSystemSandboxPolicy: Union[Dict[str, Any], None]
    """Files in the policy of the first releases."""
    additionalPermissions: Union[Dict[str, Any], None]
    """Further permissions in the first releases."""


class SandboxFinding(TypedDict):
    """Result of one check."""

    layer: str
    """short name"""
    status: Literal["ok", "warning", "missing"]
    """`ok`, `warning` or `missing`"""
    result: str
    """the observation"""
    meaning: str
    """the consequence for sandboxes"""
    remedy: str
    """the operator's remedy; empty when nothing is wrong"""


class SandboxFloor(TypedDict):
    """The most permissions that a request can get."""

    requireSandbox: bool
    """true if requests that are not confined are refused"""
    file: Union[str, None]
    """file from which the profile was read at the start of the server; empty without a profile"""
    permissions: Union["PermissionProfile", None]
    """the profile"""


class _SandboxStatus(TypedDict):
    bubblewrap: bool
    """true if sandboxes with namespaces can be built"""
    landlock: bool
    """true if the fallback is available"""
    warnings: List[str]
    """sentences for people"""
    findings: List["SandboxFinding"]
    """results of all checks"""


class SandboxStatus(_SandboxStatus, total=False):
    """Result of `sandbox/status`: the sandbox features of the server's machine."""

    floor: "SandboxFloor"
    """the operator's restriction of all requests; empty where no server runs"""


class _SandboxViolation(TypedDict):
    kind: str
    """`protectedLink`: the process changed a symbolic link at a protected name, where no mount can protect
    it"""
    path: str
    """changed path"""
    found: str
    """state that was found at the path, for people"""
    repaired: bool
    """true if the old state was restored"""


class SandboxViolation(_SandboxViolation, total=False):
    """Violation by a sandboxed process that could be detected only at its end. An addition."""

    movedTo: Union[str, None]
    """new path of the files that were found there, if they were more than a link"""


class _SearchMatch(TypedDict):
    path: str
    """`file:` URI of the file or directory"""
    text: str
    """the text"""


class SearchMatch(_SearchMatch, total=False):
    line: int
    """line, from 1"""
    column: int
    """column, from 1"""


class _SearchParams(TypedDict):
    path: str
    """a directory, which is searched with everything below it, or one file"""
    pattern: str
    """text that a line must contain, not empty"""


class SearchParams(_SearchParams, total=False):
    """Params of the addition `fs/search`."""

    regex: Union[bool, None]
    """false when absent; true means that the pattern is a regular expression of java.util.regex"""
    caseSensitive: Union[bool, None]
    """true when absent"""
    maxMatches: int
    """1 to 10000, 1000 when absent"""
    sandbox: Union["SandboxContext", None]
    """sandbox in which the call has its effect; absent or null means none"""


class SearchResult(TypedDict):
    """Result of the addition `fs/search`."""

    matches: List["SearchMatch"]
    """in the order of `fs/walk`, then by line"""
    files: int
    """number of searched files"""
    skipped: int
    """number of files that were skipped: too large, not text, or not readable"""
    truncated: bool
    """true if a limit ended the search"""


class _SessionInfo(TypedDict):
    sessionId: str
    """id with which the session can be resumed and observed"""
    clientName: str
    """name of the client that began it, or that resumed it last"""
    attached: bool
    """true if a connection has the session"""
    sinceMs: int
    """time since which it is attached, or detached, in milliseconds since 1970"""
    startedAtMs: int
    """milliseconds since 1970"""
    processes: List["ProcessInfo"]
    """also those that have ended and are still readable"""


class SessionInfo(_SessionInfo, total=False):
    """One session in the result of `session/list`."""

    name: Union[str, None]
    """as its client has given it"""
    own: Union[bool, None]
    """true for the session of the connection that asks; written only when true"""


class SessionListResult(TypedDict):
    """Result of `session/list`, an addition: the sessions of the principal that asks, the oldest first."""

    sessions: List["SessionInfo"]


class _SetModeParams(TypedDict):
    path: str
    """`file:` URI of the file or directory"""
    mode: int
    """permission bits as in chmod(2), 0 to 07777"""


class SetModeParams(_SetModeParams, total=False):
    """Params of the addition `fs/setMode`."""

    followSymlinks: Union[bool, None]
    """true when absent or null; false refuses a path with a symbolic link in it"""
    sandbox: Union["SandboxContext", None]
    """sandbox in which the call has its effect; absent or null means none"""


class ShellInfo(TypedDict):
    """The shell of the host's user."""

    name: str
    """`bash`, `zsh`, `sh`, `powershell` or `cmd`"""
    path: str
    """native path, not a URI"""


class _SignalParams(TypedDict):
    processId: str
    """name of the process, which the client has chosen"""
    signal: str
    """`interrupt`; in the open dialect also the name of a signal in any letter case, with or without SIG,
    unchanged. The server checks that the signal exists"""


class SignalParams(_SignalParams, total=False):
    """Params of `process/signal`; the result is an empty object."""

    foreground: Union[bool, None]
    """addition, read in the open dialect only: true signals the foreground job of the process's terminal
    instead of the process group of the process; written only when true"""


class _SpecialPath(TypedDict):
    kind: Literal["root", "minimal", "project_roots", "projectRoots", "current_working_directory", "currentWorkingDirectory", "tmpdir", "slash_tmp", "slashTmp", "unknown"]
    """The place."""


class SpecialPath(_SpecialPath, total=False):
    """A place that is known only where the command runs."""

    subpath: Union[str, None]
    """With `project_roots`: a relative path in each root."""
    path: Union[str, None]
    """With `unknown`: a name that only newer programs know."""


class StartMetadata(TypedDict, total=False):
    """Thread and tool call of the client on whose behalf a process is started, for the access log of the
    server."""

    threadId: Union[str, None]
    """a UUID"""
    toolCallId: Union[str, None]
    """call of a tool that the process runs for"""


class _StartParams(TypedDict):
    processId: str
    """chosen by the client, unique in its session, may be empty"""
    argv: List[str]
    """the program and its arguments; no shell. A name without a slash is looked up in the PATH of the
    variables"""
    cwd: str
    """working directory"""
    env: Dict[str, str]
    """variables; they override those of the policy"""
    tty: bool
    """true to run on a terminal"""


class StartParams(_StartParams, total=False):
    """Params of `process/start`."""

    metadata: Union["StartMetadata", None]
    """on whose behalf the process runs; the access log shows it"""
    envPolicy: Union["EnvPolicy", None]
    """if absent, the child gets only `env`"""
    shellSnapshot: Any
    """state of a login shell that may be restored; safe to ignore"""
    pipeStdin: bool
    """true to keep a pipe to stdin open; without it, and without `tty`, stdin is `/dev/null`"""
    arg0: Union[str, None]
    """name that the program gets instead of `argv[0]`"""
    sandbox: Union["SandboxContext", None]
    """sandbox of the process; absent or null means none"""
    enforceManagedNetwork: bool
    """with `sandbox`: allows network access only through a managed proxy"""
    managedNetwork: Union["ManagedNetwork", None]
    """parameters of the managed network"""
    networkProxy: Union["NetworkProxyConfig", None]
    """proxy that the server runs for this process"""
    size: Union["TerminalSize", None]
    """of the terminal; for `tty` only"""
    timeoutMs: Union[int, None]
    """time after the start at which the server ends the process; 0 asks for none, and absent for the
    server's default"""
    idleTimeoutMs: Union[int, None]
    """time without output after which the server ends the process; 0 is the same as absent"""
    closeGraceMs: Union[int, None]
    """time after the exit for which the server waits for the end of the output"""
    push: Union[bool, None]
    """false keeps output for `process/read` and sends no notifications; true when absent"""
    limits: Union["ResourceLimits", None]
    """resource limits of the command; empty ones only request `ResourceUsage`"""
    execPolicy: Union["ExecPolicyParams", None]
    """rules for the programs that the command executes"""


class _StartResult(TypedDict):
    processId: str
    """name of the process, which the client has chosen"""
    sandboxType: Union[str, None]
    """NONE when a server of an older release leaves it out"""


class StartResult(_StartResult, total=False):
    """Result of `process/start`."""

    sandboxBackend: Union[str, None]
    """addition, only when a sandbox was requested: the backend that confines the process, `bubblewrap`,
    `landlock`, `seccomp` or `none`"""


class TerminalSize(TypedDict):
    """Size of a terminal in characters, each 1 to 65535."""

    cols: int
    """columns"""
    rows: int
    """rows"""


class _TerminateParams(TypedDict):
    processId: str
    """name of the process, which the client has chosen"""


class TerminateParams(_TerminateParams, total=False):
    """Params of `process/terminate`."""

    graceMs: Union[int, None]
    """addition, read in the open dialect: the server sends SIGTERM first, and SIGKILL after this time;
    SIGKILL at once when absent"""


class TerminateResult(TypedDict):
    """Result of `process/terminate`."""

    running: bool
    """true if the process was alive or starting; false also for an unknown process"""


class UnwatchParams(TypedDict):
    """Params of the addition `fs/unwatch`."""

    watchId: int
    """number of the watch, which the client has chosen"""


class WaitConditionPart18(TypedDict):
    exit: Literal[True]
    """The process has exited."""


class WaitConditionPart19(TypedDict):
    closed: Literal[True]
    """The process has exited and its output has ended."""


class WaitConditionPart20(TypedDict):
    text: str
    """The output contains this text."""


class WaitConditionPart21(TypedDict):
    regex: str
    """The output contains a match of this regular expression (java.util.regex, multiline)."""


class WaitConditionPart22(TypedDict):
    idleMs: int
    """The process has written nothing for so many milliseconds."""


class WaitConditionPart23(TypedDict):
    port: int
    """A program listens on this TCP port, in the network namespace of the process."""
# Condition of a process that `process/wait` waits for. It is an object with exactly one member.
WaitCondition = Union["WaitConditionPart18", "WaitConditionPart19", "WaitConditionPart20", "WaitConditionPart21", "WaitConditionPart22", "WaitConditionPart23"]


class _WaitParams(TypedDict):
    processId: str
    """a process of the session"""
    until: "WaitCondition"
    """the condition"""


class WaitParams(_WaitParams, total=False):
    """Params of `process/wait`, an addition."""

    sessionId: Union[str, None]
    """id of another session of the same principal, if the process is there; absent for the own session"""
    afterSeq: Union[int, None]
    """output after this number is looked at for `text` and `regex`; 0 when absent"""
    limitMs: Union[int, None]
    """longest time to wait; 60,000 when absent"""


class _WaitResult(TypedDict):
    met: bool
    """true if the condition came true; false if the time was over, or if it cannot come true any more
    because the process has ended"""
    exited: bool
    """true if the process has exited"""
    exitCode: Union[int, None]
    """present when `exited`"""
    closed: bool
    """true if the process has exited and its output has ended"""


class WaitResult(_WaitResult, total=False):
    """Result of `process/wait`, an addition."""

    match: Union[str, None]
    """the text that was found in the output, at most 1,000 characters of it"""
    seq: Union[int, None]
    """number of the chunk with which the match was complete"""
    skippedBytes: Union[int, None]
    """bytes of output that were not looked at, because they were no longer kept; written only when there
    are any"""


class _WalkOptions(TypedDict):
    maxDepth: int
    """levels below the children of the root; 0 lists only the children. At most 64"""
    maxDirectories: int
    """most directories that are read, including the root; 1 to 10000"""
    maxEntries: int
    """most entries that are examined, including skipped links; 1 to 50000"""
    followDirectorySymlinks: bool
    """true if links to directories are listed and entered"""


class WalkOptions(_WalkOptions, total=False):
    """Limits and options of `fs/walk`."""

    pruneHiddenDirectories: bool
    """true if directories whose name begins with a dot are listed but not entered"""


class _WalkParams(TypedDict):
    path: str
    """`file:` URI of the file or directory"""
    options: "WalkOptions"


class WalkParams(_WalkParams, total=False):
    """Params of `fs/walk`."""

    sandbox: Union["SandboxContext", None]
    """sandbox in which the call has its effect; absent or null means none"""


class WalkResult(TypedDict):
    """Result of `fs/walk`."""

    entries: List["WalkResultEntry"]
    """breadth first, sorted by name within each directory"""
    errors: List["WalkResultProblem"]
    """directories and entries that could not be read"""
    truncated: bool
    """true if a limit ended the walk"""


class WalkResultEntry(TypedDict):
    """A file or directory that was found."""

    path: str
    """`file:` URI of the file or directory"""
    kind: Literal["file", "directory"]
    """kind of the entry"""


class WalkResultProblem(TypedDict):
    """A path that could not be read, and the reason."""

    path: str
    """`file:` URI of the file or directory"""
    message: str
    """what has failed"""


class _WatchMissingParams(TypedDict):
    watchId: int
    """returned in the notification"""
    missing: List[str]
    """paths that do not exist"""


class WatchMissingParams(_WatchMissingParams, total=False):
    """Params of `fs/watchMissing`."""

    present: Union[str, None]
    """a path that exists"""


class WatchMissingResult(TypedDict):
    """Result of `fs/watchMissing`."""

    watching: bool
    """true if a notification may follow"""


class _WatchParams(TypedDict):
    watchId: int
    """chosen by the client, unique within its connection"""
    path: str
    """a file, or a directory whose entries are watched"""


class WatchParams(_WatchParams, total=False):
    """Params of the addition `fs/watch`."""

    recursive: Union[bool, None]
    """true to watch all directories below it too, including those that appear later"""


class WriteBlockParams(TypedDict):
    """Params of `fs/writeBlock`."""

    handleId: str
    """name of the open file, which the client has chosen; at most 32 bytes"""
    offset: int
    """bytes from the start of the file; an offset beyond its end leaves a hole"""
    chunk: str
    """valid Base64; 1 to 1048576 bytes are accepted"""


class _WriteFileParams(TypedDict):
    path: str
    """`file:` URI of the file or directory"""
    dataBase64: str
    """the content"""


class WriteFileParams(_WriteFileParams, total=False):
    """Params of `fs/writeFile`."""

    followSymlinks: Union[bool, None]
    """true when absent or null; false refuses a path with a symbolic link in it"""
    sandbox: Union["SandboxContext", None]
    """sandbox in which the call has its effect; absent or null means none"""
    atomic: Union[bool, None]
    """addition: readers see the old file or the new one, also after a crash"""
    expect: Union["Expectation", None]
    """addition: the required state of the file; otherwise nothing is written"""
    mode: int
    """addition: permission bits as in chmod(2), which the file gets before its content"""


class _WriteParams(TypedDict):
    processId: str
    """name of the process, which the client has chosen"""
    chunk: str
    """bytes for the input, may be empty"""


class WriteParams(_WriteParams, total=False):
    """Params of `process/write`."""

    writeId: Union[str, None]
    """makes a repeated write harmless; never empty. Absent only in the open dialect, for a write that
    cannot be repeated safely"""


class WriteResult(TypedDict):
    """Result of `process/write`. An unknown process is reported as a status, not as an error."""

    status: Literal["accepted", "unknownProcess", "stdinClosed", "starting"]
    """state of the input after the call"""

REQUESTS = (
    "initialize",
    "session/end",
    "session/list",
    "session/observe",
    "environment/info",
    "environment/status",
    "environmentConfig/read",
    "sandbox/status",
    "process/start",
    "process/read",
    "process/write",
    "process/signal",
    "process/terminate",
    "process/closeStdin",
    "process/resize",
    "process/list",
    "process/wait",
    "exec/allowApprover",
    "exec/approve",
    "fs/readFile",
    "fs/writeFile",
    "fs/createDirectory",
    "fs/getMetadata",
    "fs/canonicalize",
    "fs/readDirectory",
    "fs/walk",
    "fs/remove",
    "fs/copy",
    "fs/open",
    "fs/readBlock",
    "fs/writeBlock",
    "fs/close",
    "fs/watchMissing",
    "fs/rename",
    "fs/append",
    "fs/setMode",
    "fs/search",
    "fs/watch",
    "fs/unwatch",
    "http/request",
    "http/request/cancel",
    "rpc.discover",
)

SERVER_REQUESTS = (
    "exec/approval",
    "network/policyRequest",
)

SERVER_NOTIFICATIONS = (
    "process/output",
    "process/exited",
    "process/closed",
    "exec/approvalClosed",
    "exec/decided",
    "exec/ended",
    "fs/missingChanged",
    "fs/changed",
    "http/request/bodyDelta",
    "network/policyDecision",
)
