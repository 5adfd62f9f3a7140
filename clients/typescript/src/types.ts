// Types of the protocol (exec-server). Generated from docs/schema/exec.json; do not edit.

/** Result of `exec/allowApprover`, an addition. */
export interface AllowApproverResult {
  /** secret with which a connection becomes an approver, one at a time, as long as the session exists */
  token: string;
  /** name of this right in questions and reports; no secret */
  approverId: string;
}

/** Params of the addition `fs/append`. */
export interface AppendParams {
  /** `file:` URI of the file or directory */
  path: string;
  /** bytes to append */
  dataBase64: string;
  /** true when absent or null; false refuses a path with a symbolic link in it @default true */
  followSymlinks?: boolean | null;
  /** sandbox in which the call has its effect; absent or null means none */
  sandbox?: SandboxContext | null;
}

/** Result of the addition `fs/append`. */
export interface AppendResult {
  /** bytes of the file after the append */
  size: number;
}

/** Params of `exec/approve`, an addition. */
export interface ApproveParams {
  /** secret that `exec/allowApprover` or the operator has given */
  token: string;
}

/** Result of `exec/approve`, an addition. The questions follow. */
export interface ApproveResult {
  /** name of the right, which is in each question that comes by it */
  approverId: string;
  /** name of the client that has the session */
  clientName: string;
  /** name of the session, as its client has given it */
  sessionName?: string | null;
}

/** Params of the notification `http/request/bodyDelta`. */
export interface BodyDelta {
  /** name of the request, which the client has chosen */
  requestId: string;
  /** counts from 1 within the stream */
  seq: number;
  /** the next bytes of the body; empty in the last notification */
  deltaBase64: string;
  /** true in the last notification of the stream */
  done: boolean;
  /** reason why the body is incomplete; only in the last notification */
  error: string | null;
}

/** Params of `fs/canonicalize`. */
export interface CanonicalizeParams {
  /** `file:` URI of the file or directory */
  path: string;
  /** sandbox in which the call has its effect; absent or null means none */
  sandbox?: SandboxContext | null;
}

/** Result of `fs/canonicalize`: the path without symbolic links and dots. */
export interface CanonicalizeResult {
  /** `file:` URI of the file or directory */
  path: string;
}

/** Features that a client uses only where they are true. Absent means false. */
export interface Capabilities {
  networkProxyLaunch?: boolean;
  networkProxyReviewDomains?: boolean;
  networkProxyTransparentTcp?: boolean;
  credentialMasking?: boolean;
  credentialMaskingCustomProviders?: boolean;
  capabilityDiscoverySandbox?: boolean;
  fsWatchMissing?: boolean;
  capabilityDiscoveryV2?: boolean;
  environmentConfigRead?: boolean;
  httpHeaderEnvVars?: boolean;
  sandboxedFileStreaming?: boolean;
  fileWriteStreaming?: boolean;
  shellSnapshotV2?: boolean;
  windowsMxc?: boolean;
  linuxRootWritePreservesDevices?: boolean;
  linuxApprovedRootWritePreservesRestrictions?: boolean;
}

/** Params of the notification `fs/changed`, an addition. */
export interface ChangedNotification {
  /** number of the watch, which the client has chosen */
  watchId: number;
  /** in order; two equal changes in a row are sent once */
  changes: FileChange[];
  /** true if further changes were lost; the client must look itself */
  overflow?: boolean;
  /** true if the watched file is gone; the watch has ended with it */
  ended?: boolean;
}

/** Params of `fs/close`. */
export interface CloseParams {
  /** name of the open file, which the client has chosen; at most 32 bytes */
  handleId: string;
}

/** Params of `process/closeStdin`, an addition: end of file on stdin, after everything written before. */
export interface CloseStdinParams {
  /** name of the process, which the client has chosen */
  processId: string;
}

/** Result of `process/closeStdin`. Accepted means that end of file follows the data written before. */
export interface CloseStdinResult {
  /** state of the input after the call */
  status: "accepted" | "unknownProcess" | "stdinClosed" | "starting";
}

/** Params of the notification `process/closed`: the process has exited and its output has ended. */
export interface ClosedNotification {
  /** name of the process, which the client has chosen */
  processId: string;
  /** absent from servers of the first release; this server always sends it */
  seq?: number | null;
  /** addition: reason why the output was abandoned before its end, if it was */
  reason?: string | null;
}

/** Layers of settings; always empty here. */
export interface ConfigLayers {
  /** layers, lowest first */
  layers: unknown[];
  /** position at which a client adds layers of its own */
  cloudInsertionIndex: number;
}

/** Params of `environmentConfig/read`. */
export interface ConfigReadParams {
  /** directory where the search for configuration starts */
  cwd: string;
  /** the wanted settings, each as the list of keys that leads to it */
  configPaths: string[][];
  /** the same for settings that an administrator requires */
  requirementsPaths: string[][];
}

/**
 * Result of `environmentConfig/read` of a host without such configuration: it has no layers of settings or
 * requirements.
 */
export interface ConfigReadResult {
  /** home directory of the user */
  userHomeDir: string | null;
  /** directory where a client of that name would look for its files */
  codexHomeDir: string | null;
  /** name of the host */
  hostname: string;
  config: ConfigLayers;
  requirements: ConfigLayers;
}

/** Params of `fs/copy`. */
export interface CopyParams {
  /** `file:` URI of the source */
  sourcePath: string;
  /** `file:` URI of the destination */
  destinationPath: string;
  /** true if the source may be a directory */
  recursive: boolean;
  /** sandbox in which the call has its effect; absent or null means none */
  sandbox?: SandboxContext | null;
}

/** Params of `fs/createDirectory`. */
export interface CreateDirectoryParams {
  /** `file:` URI of the file or directory */
  path: string;
  /** true when absent or null: missing parents are made, and an existing directory is no error @default true */
  recursive?: boolean | null;
  /** true when absent or null; false refuses a path with a symbolic link in it @default true */
  followSymlinks?: boolean | null;
  /** sandbox in which the call has its effect; absent or null means none */
  sandbox?: SandboxContext | null;
}

/**
 * Operation that a sandbox refused, as far as the output and the policy of the process reveal it. An addition
 * beside `sandboxDenied`, which is set even when no details are known.
 */
export interface Denial {
  /** `fileRead`, `fileWrite`, `network` or `systemCall` */
  kind: string;
  /** file that could not be read or written */
  path?: string | null;
  /** host that could not be reached */
  host?: string | null;
  /** port of the host */
  port?: number;
  /** file of the program that wanted the connection */
  program?: string | null;
  /** deciding part of the policy, for people */
  rule?: string | null;
  /** change that would allow the operation, for people */
  suggestion?: string | null;
  /** the same for programs: a change of the proxy's settings */
  change?: ProxyChange | null;
}

/**
 * One entry of `fs/readDirectory`. For a symbolic link both flags describe its target. Both are false for a
 * broken link, a device, a pipe and a socket.
 */
export interface DirectoryEntry {
  /** bytes that are not UTF-8 become U+FFFD */
  fileName: string;
  /** true for a directory */
  isDirectory: boolean;
  /** true for a regular file */
  isFile: boolean;
  /** addition: the path of the entry, only when its name is not UTF-8 */
  path?: string | null;
}

/** The empty object: the result of methods that return nothing. */
export interface EmptyResult {
}

/** Rules that derive a child's environment from the server's. All five members are required. */
export interface EnvPolicy {
  /** variables that the child starts with */
  inherit: "all" | "core" | "none";
  /** true keeps names that contain KEY, SECRET or TOKEN */
  ignoreDefaultExcludes: boolean;
  /** names to drop: globs with `*` and `?` over the whole name, case-insensitive */
  exclude: string[];
  /** variables to add after that, in order */
  set: Record<string, string>;
  /** when not empty, globs of the only names to keep, applied after `set` */
  includeOnly: string[];
}

/** Description of the server's machine: result of `environment/info`, and a member of the result of `initialize`. */
export interface EnvironmentInfo {
  shell: ShellInfo;
  /** `0.0.0` when absent */
  executorVersion: string;
  /** stands for the installation that has answered */
  providerId: string | null;
  /** directory in which the server was started */
  cwd: string | null;
  /** home directory of the user */
  userHomeDir: string | null;
  /** `linux`, `macos` or `windows` */
  platformOs: string | null;
  /** directories that belong at the start of a child's PATH */
  prependPathDirs: string[];
  /** absent means unknown; an empty list means none */
  temporaryDirectories?: string[] | null;
  /** directory for temporary files */
  tempDir: string | null;
  /** optional abilities of the peer */
  capabilities: Capabilities;
  /** sentences for people, an addition; left out when there are none */
  warnings?: string[];
}

/** Result of `environment/status`. */
export interface EnvironmentStatus {
  /** always `ready`; no other value is known */
  status: "ready";
}

/** The member `error` of an answer to a request that has failed. */
export interface Error {
  /** One of -32600, -32601, -32602, -32603, -32004 and -32010. */
  code: number;
  /** Sentence for people. */
  message: string;
  data?: ErrorData;
}

/** The member `data` of an error, an addition: strings, whole numbers and booleans. */
export interface ErrorData {
  /** Cause on which a client can act. Clients accept words that they do not know. */
  reason?: string;
  /** Number of the error of the operating system. */
  errno?: number;
  /** System call that has failed. */
  call?: string;
  /** File that the error is about. */
  path?: string;
  /** Part of a start that has failed: `program`, `interpreter`, `cwd`, `terminal` or `arguments`. */
  what?: string;
  /** Further words about the cause. */
  detail?: string;
  /** Limit that was reached. */
  limit?: number;
  /** Limit that was reached, in bytes. */
  limitBytes?: number;
  /** Bytes that wait already. */
  queuedBytes?: number;
  /** Bytes of the new content that a file has after a write that has failed. */
  written?: number;
  /** Size of the file in bytes. */
  size?: number;
  /** Time of the last change of the file in milliseconds since 1970. */
  mtimeMs?: number;
  /** True if the file does not exist. */
  absent?: boolean;
  /** Position of the member that is wrong, for example `sandbox.permissions.network`. */
  member?: string;
  /** Second file that the error is about. */
  destinationPath?: string;
  [member: string]: string | number | boolean | undefined;
}

/** The client's answer to `exec/approval`. */
export interface ExecApprovalAnswer {
  /** `run`: in the sandbox, if there is one; `escalate`: outside of it; `deny`: not at all */
  decision: "run" | "escalate" | "deny";
  /** for a denial, which the program prints */
  reason?: string | null;
  /**
   * for how long the same program with the same arguments gets this answer without a question; empty for this
   * time only
   */
  remember?: "command" | "session" | null;
}

/** Params of the notification `exec/approvalClosed`: an answer to this question would be too late. */
export interface ExecApprovalClosedNotification {
  /** name of the process, which the client has chosen */
  processId: string;
  /** number of the exec, unique in its process */
  execId: number;
  /** the right by which this connection was asked, if it has not the session */
  approverId?: string | null;
  /**
   * `client` or `approver`: who has answered; `timeout`: nobody has; `ended`: the process or its start is over;
   * `replaced`: another connection uses the right
   */
  by: string;
}

/**
 * Params of the server's request `exec/approval`: a command wants to execute a program, and its rules say that
 * the client decides.
 */
export interface ExecApprovalRequest {
  /** name of the process, which the client has chosen */
  processId: string;
  /** number of the exec, unique in its process */
  execId: number;
  /** the rules that match, the operator's and the client's */
  matches: ExecRuleMatch[];
  /** of the rule that asks */
  justification?: string | null;
  /** true if the command has a sandbox; a program that may run, runs in it */
  sandboxed: boolean;
  /** for another connection than that of the session: the right by which it is asked */
  approverId?: string | null;
  /** process, as the server numbers it; empty for the command's own program, which has no process yet */
  pid?: number | null;
  /** its parent */
  parentPid?: number | null;
  /** the file, without links */
  program: string;
  /** arguments; bytes that are not UTF-8 are shown as `\xff`; the first is the program's name */
  argv: string[];
  /** the exact bytes of all arguments, only if one of them is not UTF-8 */
  argvBase64?: string[] | null;
  /** working directory */
  cwd: string;
}

/** Params of the notification `exec/decided`: a program that a command executes, or wanted to execute. */
export interface ExecDecidedNotification {
  /** name of the process, which the client has chosen */
  processId: string;
  /** number of the event in the log of its process, from 1 */
  seq: number;
  /** number of the exec, unique in its process */
  execId: number;
  /** true if the arguments are longer than a report may be, so that the last ones are missing */
  truncated?: boolean;
  /** as it was carried out */
  decision: "run" | "escalate" | "deny";
  /**
   * who or what has decided: `rule`, `heuristics`, `fallback`, `client`, `approver`, `remembered`, `timeout`,
   * `floor` or `changed` (the program was exchanged after the decision, and killed)
   */
  by: string;
  /** file and line of the rule that has decided */
  rule?: string | null;
  /** milliseconds since the epoch */
  atMs: number;
  /** process, as the server numbers it; empty for the command's own program, which has no process yet */
  pid?: number | null;
  /** its parent */
  parentPid?: number | null;
  /** the file, without links */
  program: string;
  /** arguments; bytes that are not UTF-8 are shown as `\xff`; the first is the program's name */
  argv: string[];
  /** the exact bytes of all arguments, only if one of them is not UTF-8 */
  argvBase64?: string[] | null;
  /** working directory */
  cwd: string;
}

/** Params of the notification `exec/ended`: an escalated program has ended. */
export interface ExecEndedNotification {
  /** name of the process, which the client has chosen */
  processId: string;
  /** number of the event in the log of its process, from 1 */
  seq: number;
  /** number of the exec, unique in its process */
  execId: number;
  /** 128 and the number of the signal for a program that a signal has ended */
  exitCode: number;
}

/**
 * Member `execPolicy` of `process/start`: rules for the programs that the command executes, decided one by one
 * before they run. An unknown member is an error, because it could not be enforced.
 */
export interface ExecPolicyParams {
  /** rules files as text */
  rules?: ExecPolicyParamsRulesText[];
  /** rules as JSON, after those of the texts */
  prefixRules?: PrefixRuleParams[];
  /** place where a program runs that a rule allows */
  allowed?: "sandbox" | "escalate";
  /** decision about a program that no rule matches */
  fallback?: "allow" | "prompt" | "forbid";
  /** true to judge such a program by its command line first */
  heuristics?: boolean;
  /** time that the client has for each answer; absent for 300000 */
  promptTimeoutMs?: number | null;
  /** notifications that the client gets about decisions */
  report?: "none" | "decisions" | "all";
}

/** Rules file. */
export interface ExecPolicyParamsRulesText {
  /** as errors and reports tell it */
  name: string;
  /** the text */
  text: string;
}

/** Rule that matches a program. */
export interface ExecRuleMatch {
  /** the words that the rule is about */
  matchedPrefix: string[];
  /** `allow`, `prompt` or `forbidden` */
  decision: string;
  /** words of the rule about its reason */
  justification?: string | null;
  /** file and line of the rule */
  rule?: string | null;
}

/** Params of the notification `process/exited`. Output of the process may still follow. */
export interface ExitedNotification {
  /** name of the process, which the client has chosen */
  processId: string;
  /** number of the event in the log of its process, from 1 */
  seq: number;
  /** exit status; 128+N after signal N (1 for a process on a terminal); -1 when it is unknown */
  exitCode: number;
  /** absent from servers of older releases; this server always sends it */
  sandboxDenied?: boolean | null;
  /** addition: `timeout`, `idle`, ... when the server ended the process by itself */
  reason?: string | null;
  /** operation that the sandbox refused (addition) */
  denial?: Denial | null;
  /** forbidden states that were found when the process ended (addition) */
  violations?: SandboxViolation[];
  /** resources that the process used, if its start had limits (addition) */
  usage?: ResourceUsage | null;
  /**
   * change of the proxy's settings that allows all hosts that mode `observe` has let through beside them
   * (addition)
   */
  observed?: ProxyChange | null;
}

/** State that a file must have for a write to happen, an addition. It is an object with exactly one member. */
export type Expectation =
  | { sha256: string }
  | { mtimeMs: number }
  | { absent: true };

export interface FileChange {
  /** `file:` URI of the file or directory */
  path: string;
  /** `removed` and `created` for a rename */
  kind: "created" | "modified" | "attributes" | "removed";
}

/** One rule of the permissions; the most specific one decides. */
export interface FileSystemEntry {
  path: PolicyPath;
  /** `none` is an older word for `deny`. */
  access: "read" | "write" | "deny" | "none";
  /** `skip` marks a built-in protection. */
  missing_path_behavior?: "skip" | null;
  /** Another spelling of `missing_path_behavior`. */
  missingPathBehavior?: "skip" | null;
}

/** Permissions for files. What no entry names is not visible. */
export type FileSystemPermissions =
  | { type: "unrestricted" }
  | { type: "restricted"; entries: FileSystemEntry[]; glob_scan_max_depth?: number | null; globScanMaxDepth?: number | null };

/** Params of `http/request/cancel`. */
export interface HttpCancelParams {
  /** id of a streamed response; an unknown or ended one is no error */
  requestId: string;
}

/** Header field of a response. */
export interface HttpHeader {
  /** in lower case when a server sends it */
  name: string;
  /** value */
  value: string;
}

/** Params of `http/request`. */
export interface HttpRequestParams {
  /** method of the HTTP request */
  method: string;
  /** address, http or https */
  url: string;
  /** in this order, including repeated names */
  headers?: RequestHeader[];
  /** neither decoded nor checked yet */
  bodyBase64?: string | null;
  /** limit for the whole exchange up to the end of the body; no limit when empty */
  timeoutMs?: number | null;
  /** `follow` up to the limit, or `stop` and return the answer itself */
  redirectPolicy?: "follow" | "stop";
  /**
   * name of the stream of a streamed body. Without streaming it may be absent in the open dialect, and is then
   * an empty string
   */
  requestId: string;
  /** true if the body follows in `BodyDelta` notifications @default false */
  streamResponse?: boolean;
}

/** Result of `http/request`. */
export interface HttpRequestResult {
  /** status code, 100 to 999 */
  status: number;
  /** repeated fields remain separate */
  headers: HttpHeader[];
  /** empty when it is streamed; neither decoded nor checked when received */
  bodyBase64: string;
}

/** Params of `initialize`, the first request of a connection. */
export interface InitializeParams {
  /** free text */
  clientName: string;
  /** session to resume; absent begins a new one. The empty string is an id like any other */
  resumeSessionId?: string | null;
  /** addition, read in the open dialect: true takes the session even from a live connection @default false */
  takeover?: boolean | null;
  /**
   * addition, read in the open dialect: requested lifetime of the session after its connection ends, in
   * milliseconds; the server limits it to its maximum and answers with the granted time
   */
  sessionTtlMs?: number | null;
  /**
   * addition, read in the open dialect: name of the session for people, of at most 100 visible characters; it
   * need not be unique
   */
  sessionName?: string | null;
}

/** Result of `initialize`. */
export interface InitializeResult {
  /** an id that cannot be guessed */
  sessionId: string;
  /** absent from servers of older releases */
  environmentInfo?: EnvironmentInfo | null;
  /** addition, only on request: lifetime of the session after its connection ends, in milliseconds */
  sessionTtlMs?: number | null;
  /** names of the additions to the protocol that this server supports; written only when there are any */
  features?: string[] | null;
}

/** Result of `process/list`, an addition: the processes of the session, including exited ones that are retained. */
export interface ListResult {
  /** the processes, exited ones that are retained included */
  processes: ProcessInfo[];
}

/**
 * The `managedNetwork` member of `process/start`, which completes `enforceManagedNetwork`. Its other member,
 * `allowLocalBinding`, has no effect on Linux: a command may always bind in its own network.
 */
export interface ManagedNetwork {
  /** allowed ports of proxies; an empty list allows any */
  loopbackPorts?: number[];
  /** true if the command may listen */
  allowLocalBinding?: boolean;
  /** paths of the Unix sockets that the command may connect to, as they were written */
  allowUnixSockets?: string[];
  /** true if the command may use Unix sockets @default false */
  dangerouslyAllowAllUnixSockets?: boolean;
}

/** Params of `fs/getMetadata`. */
export interface MetadataParams {
  /** `file:` URI of the file or directory */
  path: string;
  /** true when absent or null; false refuses a path with a symbolic link in it @default true */
  followSymlinks?: boolean | null;
  /** sandbox in which the call has its effect; absent or null means none */
  sandbox?: SandboxContext | null;
  /** addition: true to get the mode in the result @default false */
  mode?: boolean | null;
}

/** Result of `fs/getMetadata`. For a symbolic link, type and size are those of its target. */
export interface MetadataResult {
  /** true for a directory */
  isDirectory: boolean;
  /** true for a regular file */
  isFile: boolean;
  /** true if the path itself is a symbolic link */
  isSymlink: boolean;
  /** bytes */
  size: number;
  /** milliseconds since 1970; 0 if the birth time is unknown */
  createdAtMs: number;
  /** milliseconds since 1970 */
  modifiedAtMs: number;
  /** addition, only on request: permission bits as in chmod(2) */
  mode?: number;
}

/** Params of the notification `fs/missingChanged`, which is sent once for a watch. */
export interface MissingChangedNotification {
  /** number of the watch, which the client has chosen */
  watchId: number;
}

/** Permission to use the network; the form with `enabled` is the same. */
export type NetworkAccess =
  | "restricted" | "enabled"
  | { enabled: boolean };

/** Member `networkProxy` of `process/start`: a proxy that the server runs for that process. */
export interface NetworkProxyConfig {
  proxy: NetworkProxySettings;
  /** object that tells on whose behalf the process runs; its strings are logged with every connection */
  auditMetadata?: Record<string, unknown> | null;
  /** for logs */
  environmentId?: string | null;
  /** for logs */
  executionId?: string | null;
  /**
   * if present, the client is asked about hosts that the lists do not decide; a question without an answer in
   * this time counts as denied
   */
  policyDecisionTimeoutMs?: number | null;
}

/** Settings of the proxy of a process. */
export interface NetworkProxySettings {
  /** true runs the proxy */
  enabled: boolean;
  /** true to run a SOCKS5 proxy beside the HTTP proxy */
  enableSocks5: boolean;
  /** true to let the SOCKS5 proxy carry UDP */
  enableSocks5Udp: boolean;
  /** true to connect through the proxy that the server's own environment names */
  allowUpstreamProxy: boolean;
  /** true if the sandbox lets the process make Unix sockets */
  dangerouslyAllowAllUnixSockets: boolean;
  /** true to treat loopback and private addresses like others */
  allowLocalBinding: boolean;
  /** which requests the proxy lets through */
  mode: "full" | "limited" | "observe";
  /** rules by pattern, in order */
  domains?: Record<string, "allow" | "deny" | "none"> | null;
  /** rules for one program each, by the path of its file; they hold beside `domains` */
  programDomains?: Record<string, Record<string, "allow" | "deny" | "none">> | null;
  /** patterns of allowed hosts that the client is asked about anyway */
  reviewDomains?: string[] | null;
  /** rules for socket files, not decoded */
  unixSockets?: Record<string, unknown> | null;
  /** true to lead the TCP connections of programs that know no proxy through this one @default false */
  transparentTcp?: boolean;
}

/** Params of `session/observe`, an addition. */
export interface ObserveParams {
  /** id of a session of the same principal */
  sessionId: string;
  /** one of its processes */
  processId: string;
  /** the answer has chunks after this number; 0 when absent @default 0 */
  afterSeq?: number | null;
  /**
   * only chunks among the last so many bytes of output; what is passed over shows in `offset`. All that is kept
   * when absent
   */
  lastBytes?: number | null;
  /**
   * limit of the decoded bytes in the answer, except that the first chunk is never cut; 256 KiB when absent, and
   * at most
   */
  maxBytes?: number | null;
  /** longest time to wait for something new; 0 when absent @default 0 */
  waitMs?: number | null;
}

/** Result of `session/observe`, an addition. */
export interface ObserveResult {
  /**
   * position of the first byte of this answer in the whole output of the process. More than the `endOffset` of
   * the answer before means that output in between was passed over, or is no longer kept
   */
  offset: number;
  /** position behind the last byte of this answer */
  endOffset: number;
  /** what `process/read` would say */
  output: ReadResult;
}

/** Params of `fs/open`. */
export interface OpenParams {
  /** chosen by the client, at most 32 bytes of UTF-8 */
  handleId: string;
  /** `file:` URI of the file or directory */
  path: string;
  /** READ when absent */
  mode?: "read" | "replace";
  /** sandbox in which the call has its effect; absent or null means none */
  sandbox?: SandboxContext | null;
}

/** Result of `fs/open`. */
export interface OpenResult {
  /** name of the open file, which the client has chosen; at most 32 bytes */
  handleId: string;
}

/** An OpenRPC document that describes the methods of this dialect. */
export interface OpenRpcDocument {
  /** Version of the form. */
  openrpc: string;
  /** Title and version. */
  info: Record<string, unknown>;
  /** The methods. */
  methods: (Record<string, unknown>)[];
  /** The types. */
  components?: Record<string, unknown>;
}

/**
 * A piece of output: a range of an array that is not copied and must not be written to any more. It may end
 * inside a UTF-8 sequence. Chunks are equal when their numbers, streams and bytes are.
 */
export interface OutputChunk {
  /** from 1 */
  seq: number;
  /** `pty` for all output of a terminal */
  stream: "stdout" | "stderr" | "pty";
  /** the bytes */
  chunk: string;
}

/** Params of the notification `process/output`. Servers use `OutputNotificationEncoder` to write it. */
export interface OutputNotification {
  /** name of the process, which the client has chosen */
  processId: string;
  /** number of the event in the log of its process, from 1 */
  seq: number;
  /** `pty` for all output of a terminal */
  stream: "stdout" | "stderr" | "pty";
  /** the bytes */
  chunk: string;
}

/**
 * A permission profile. `managed`: this server builds a sandbox; `disabled`: no sandbox; `external`: somebody
 * else confines it already.
 */
export type PermissionProfile =
  | { type: "managed"; file_system: FileSystemPermissions; network: NetworkAccess }
  | { type: "managed"; fileSystem: FileSystemPermissions; network: NetworkAccess }
  | { type: "disabled" }
  | { type: "external"; network: NetworkAccess }
  | { file_system?: Record<string, unknown> | null; fileSystem?: Record<string, unknown> | null; network?: NetworkAccess | null };

/** The client's answer to `network/policyRequest`. */
export interface PolicyAnswer {
  decision: PolicyAnswerDecision;
}

/** `deny` refuses the connection; `ask` refuses it until a user was asked. */
export type PolicyAnswerDecision =
  | { type: "allow" }
  | { type: "deny" | "ask"; reason: string };

/** Params of the notification `network/policyDecision`: the decision of a proxy about one connection. */
export interface PolicyDecision {
  /** name of the process, which the client has chosen */
  processId: string;
  /** RFC 3339, UTC, with milliseconds */
  timestamp: string;
  /** `domain` or `non_domain` */
  scope: string;
  /** `allow`, `deny` or `ask` */
  decision: string;
  /** `baseline_policy`, `mode_guard`, `proxy_state` or `decider`, which is the client */
  source: string;
  /** reason, a word or a sentence */
  reason: string;
  /** protocol of the connection */
  protocol: "http" | "https_connect" | "socks5_tcp" | "socks5_udp";
  /** name or address of the host */
  host: string;
  /** port */
  port: number;
  /** of an HTTP request */
  method?: string | null;
  /** the program that asked the proxy */
  client?: string | null;
  /** true if the client allowed a host that the lists do not allow */
  policyOverride: boolean;
}

/** Path or paths that an entry is for. */
export type PolicyPath =
  | { type: "path"; path: string }
  | { type: "glob_pattern" | "globPattern" | "glob-pattern"; pattern: string }
  | { type: "special"; value: SpecialPath };

/**
 * Params of the server's request `network/policyRequest`: a process wants to connect to a host for which its
 * lists have no rule.
 */
export interface PolicyRequest {
  /** name of the process, which the client has chosen */
  processId: string;
  request: PolicyRequestWanted;
}

/** The connection that a process wants. */
export interface PolicyRequestWanted {
  /** protocol of the connection */
  protocol: "http" | "https_connect" | "socks5_tcp" | "socks5_udp";
  /** lower case, without brackets */
  host: string;
  /** port */
  port: number;
}

/** A `prefix_rule` of a rules file as JSON, without its examples. */
export interface PrefixRuleParams {
  /** the first words of a command; each is written as a string or as an array of alternatives */
  pattern: (string | string[])[];
  /** `allow`, `prompt` or `forbidden`; the server checks it */
  decision?: string;
  /** reason for people */
  justification?: string | null;
  /** true if words are compared without regard to case @default false */
  canonicalMatching?: boolean;
}

/** One process in the result of `process/list`. */
export interface ProcessInfo {
  /** name of the process, which the client has chosen */
  processId: string;
  /** absent while the process starts */
  pid: number | null;
  /** the program and its arguments */
  argv: string[];
  /** working directory */
  cwd: string;
  /** true to run on a terminal */
  tty: boolean;
  /** started and not exited */
  running: boolean;
  /** running, but stopped by a signal (SIGSTOP, Ctrl-Z, ...) until it is continued; written only when true */
  stopped?: boolean;
  /** true if the process has exited */
  exited: boolean;
  /** exit code; 128 + N if signal N has ended the program */
  exitCode: number | null;
  /** true if the process has exited and all output has ended */
  closed: boolean;
  /** one more than the highest number used */
  nextSeq: number;
  /** milliseconds since 1970 */
  startedAtMs: number;
  /** bytes of output so far, dropped ones included */
  outputBytes?: number | null;
  /**
   * processor time of everything that it has started, in milliseconds; only in `session/list`, while it runs or
   * when its exit tells
   */
  cpuMs?: number | null;
}

/**
 * Smallest change of `NetworkProxySettings` that would allow a refused connection. Its members replace those of
 * the same names there, `domains` and `programDomains` pattern by pattern.
 */
export interface ProxyChange {
  domains?: Record<string, "allow" | "deny" | "none"> | null;
  programDomains?: Record<string, Record<string, "allow" | "deny" | "none">> | null;
  /** which requests the proxy lets through */
  mode?: string | null;
}

/** Params of `fs/readBlock`. */
export interface ReadBlockParams {
  /** name of the open file, which the client has chosen; at most 32 bytes */
  handleId: string;
  /** bytes from the start of the file */
  offset: number;
  /** bytes wanted, 1 to 1048576 */
  len: number;
}

/** Result of `fs/readBlock`. */
export interface ReadBlockResult {
  /** neither decoded nor checked when received */
  chunk: string;
  /** true if the read reached the end of the file */
  eof: boolean;
}

/** Params of `fs/readDirectory`. */
export interface ReadDirectoryParams {
  /** `file:` URI of the file or directory */
  path: string;
  /** sandbox in which the call has its effect; absent or null means none */
  sandbox?: SandboxContext | null;
  /** addition: most entries that the client accepts */
  maxEntries?: number | null;
}

/**
 * Result of `fs/readDirectory`, in no particular order. Servers write it with `begin` and `end`, so that the
 * entries of a large directory go straight into the message.
 */
export interface ReadDirectoryResult {
  /** the entries, not sorted */
  entries: DirectoryEntry[];
}

/** Params of `fs/readFile`. */
export interface ReadFileParams {
  /** `file:` URI of the file or directory */
  path: string;
  /** true when absent or null; false refuses a path with a symbolic link in it @default true */
  followSymlinks?: boolean | null;
  /** sandbox in which the call has its effect; absent or null means none */
  sandbox?: SandboxContext | null;
  /** addition: most bytes that the client accepts */
  maxBytes?: number | null;
}

/**
 * Result of `fs/readFile`. Servers write it with `begin` and `end`, so that the file is read straight into the
 * message.
 */
export interface ReadFileResult {
  /** neither decoded nor checked yet */
  dataBase64: string;
}

/** Params of `process/read`. */
export interface ReadParams {
  /** name of the process, which the client has chosen */
  processId: string;
  /** the read returns chunks after this number; 0 when absent @default 0 */
  afterSeq?: number | null;
  /**
   * limit of the decoded bytes in the answer, except that the first chunk is never cut. Empty means no limit,
   * and also changes the meaning of `nextSeq` in the answer
   */
  maxBytes?: number | null;
  /** longest time to wait for something new; 0 when absent @default 0 */
  waitMs?: number | null;
}

/** Result of `process/read`. */
export interface ReadResult {
  /** ascending by `seq` */
  chunks: OutputChunk[];
  /** one more than the `afterSeq` of the next read */
  nextSeq: number;
  /** true if the process has exited */
  exited: boolean;
  /** present when `exited` */
  exitCode: number | null;
  /** true if the process has exited and all output has ended */
  closed: boolean;
  /** error text, which clients treat as the end of the process */
  failure: string | null;
  /** true if the sandbox was probably the reason for the failure */
  sandboxDenied: boolean | null;
  /** addition: number of the first chunk that is retained, only when output was dropped */
  firstSeq?: number | null;
  /** addition: bytes that were dropped, only when output was dropped */
  droppedBytes?: number | null;
  /** addition, as in `ExitedNotification` */
  reason?: string | null;
  /** operation that the sandbox refused (addition) */
  denial?: Denial | null;
  /** forbidden states that were found when the process ended (addition) */
  violations?: SandboxViolation[];
  /** resources that the process used, if its start had limits (addition) */
  usage?: ResourceUsage | null;
  /**
   * change of the proxy's settings that allows all hosts that mode `observe` has let through beside them
   * (addition)
   */
  observed?: ProxyChange | null;
}

/** Params of `fs/remove`. */
export interface RemoveParams {
  /** `file:` URI of the file or directory */
  path: string;
  /** true when absent or null: a directory is removed with everything below it @default true */
  recursive?: boolean | null;
  /** true when absent or null: a missing file is no error @default true */
  force?: boolean | null;
  /** true when absent or null; false refuses a path with a symbolic link in it @default true */
  followSymlinks?: boolean | null;
  /** sandbox in which the call has its effect; absent or null means none */
  sandbox?: SandboxContext | null;
}

/** Params of the addition `fs/rename`. */
export interface RenameParams {
  /** `file:` URI of the source */
  sourcePath: string;
  /** `file:` URI of the destination */
  destinationPath: string;
  /** false when absent: an existing destination is an error @default false */
  replace?: boolean | null;
  /** sandbox in which the call has its effect; absent or null means none */
  sandbox?: SandboxContext | null;
}

/** Header field of a request. Neither name nor value is checked here. */
export interface RequestHeader {
  /** name */
  name: string;
  /** value */
  value: string;
  /** a variable of the server's environment whose value is appended to `value` */
  valueEnvVar?: string | null;
}

/** Id of a request, chosen by the side that asks. */
export type RequestId =
  | string
  | number;

/**
 * Params of `process/resize`, an addition; the result is an empty object. The size has no object of its own: its
 * members are next to `processId`.
 */
export interface ResizeParams {
  /** name of the process, which the client has chosen */
  processId: string;
  /** columns */
  cols: number;
  /** rows */
  rows: number;
}

/**
 * Resource limits of a command, an addition to `process/start`. The start fails if the server's machine cannot
 * enforce one of them.
 */
export interface ResourceLimits {
  /** processes and threads at the same time, of the command and everything that it starts */
  pids?: number | null;
  /** memory of all of them together */
  memoryBytes?: number | null;
  /** processor time of each process */
  cpuSeconds?: number | null;
  /** descriptors of each process */
  openFiles?: number | null;
  /** size of a file that a process writes */
  fileSizeBytes?: number | null;
}

/**
 * Resources that a process and everything that it started have used until its exit. An addition, sent if the
 * start had `limits`, even empty ones.
 */
export interface ResourceUsage {
  /** processor time, user and system, in milliseconds; empty if it could not be measured */
  cpuMs?: number | null;
  /** peak memory of all its processes together; empty if it could not be measured */
  peakMemoryBytes?: number | null;
  /** milliseconds from start to exit */
  wallMs: number;
}

/** A sandbox: what a command or a file method may touch. */
export interface SandboxContext {
  /** Name of a profile of the operator, in place of `permissions`. (addition) */
  profile?: string;
  permissions?: PermissionProfile;
  /** Directory that relative places of the profile start at. */
  cwd?: string | null;
  /** Directories that `project_roots` stands for. */
  workspaceRoots?: string[] | null;
  /** Newer carrier of `cwd` and `workspaceRoots`; replaces both. */
  policyContext?: { cwd?: string | null; workspaceRoots?: string[] | null } | null;
  /** Home directory of the user. */
  userHomeDir?: string | null;
  /** Directories that are temporary ones. */
  temporaryDirectories?: string[] | null;
  /** Without effect on Linux; the strict dialect requires it. */
  windowsSandboxLevel?: "disabled" | "restricted-token" | "elevated" | "mxc" | null;
  /** Without effect on Linux. */
  windowsSandboxProxySettingsMode?: "reconcile" | "preserve" | null;
  /** Without effect on Linux. */
  windowsSandboxPrivateDesktop?: boolean;
  /** Without effect here. */
  sandboxOverride?: "noOverride" | "escalatedSandboxWithRestrictions" | "bypassSandboxFirstAttempt" | null;
  /** True asks for the sandbox without namespaces. */
  useLegacyLandlock?: boolean;
  /** Policy of the first releases, in place of `permissions`. @deprecated */
  sandboxPolicy?: Record<string, unknown>;
  /** Directory of the policy of the first releases. @deprecated */
  sandboxPolicyCwd?: string | null;
  /** Files in the policy of the first releases. @deprecated */
  fileSystemSandboxPolicy?: Record<string, unknown> | null;
  /** Further permissions in the first releases. @deprecated */
  additionalPermissions?: Record<string, unknown> | null;
}

/** Result of one check. */
export interface SandboxFinding {
  /** short name */
  layer: string;
  /** `ok`, `warning` or `missing` */
  status: "ok" | "warning" | "missing";
  /** the observation */
  result: string;
  /** the consequence for sandboxes */
  meaning: string;
  /** the operator's remedy; empty when nothing is wrong */
  remedy: string;
}

/** The most permissions that a request can get. */
export interface SandboxFloor {
  /** true if requests that are not confined are refused */
  requireSandbox: boolean;
  /** file from which the profile was read at the start of the server; empty without a profile */
  file: string | null;
  /** the profile */
  permissions: PermissionProfile | null;
}

/** Result of `sandbox/status`: the sandbox features of the server's machine. */
export interface SandboxStatus {
  /** true if sandboxes with namespaces can be built */
  bubblewrap: boolean;
  /** true if the fallback is available */
  landlock: boolean;
  /** sentences for people */
  warnings: string[];
  /** results of all checks */
  findings: SandboxFinding[];
  /** the operator's restriction of all requests; empty where no server runs */
  floor?: SandboxFloor;
}

/** Violation by a sandboxed process that could be detected only at its end. An addition. */
export interface SandboxViolation {
  /** `protectedLink`: the process changed a symbolic link at a protected name, where no mount can protect it */
  kind: string;
  /** changed path */
  path: string;
  /** state that was found at the path, for people */
  found: string;
  /** true if the old state was restored */
  repaired: boolean;
  /** new path of the files that were found there, if they were more than a link */
  movedTo?: string | null;
}

export interface SearchMatch {
  /** `file:` URI of the file or directory */
  path: string;
  /** line, from 1 */
  line?: number;
  /** column, from 1 */
  column?: number;
  /** the text */
  text: string;
}

/** Params of the addition `fs/search`. */
export interface SearchParams {
  /** a directory, which is searched with everything below it, or one file */
  path: string;
  /** text that a line must contain, not empty */
  pattern: string;
  /** false when absent; true means that the pattern is a regular expression of java.util.regex @default false */
  regex?: boolean | null;
  /** true when absent @default true */
  caseSensitive?: boolean | null;
  /** 1 to 10000, 1000 when absent */
  maxMatches?: number;
  /** sandbox in which the call has its effect; absent or null means none */
  sandbox?: SandboxContext | null;
}

/** Result of the addition `fs/search`. */
export interface SearchResult {
  /** in the order of `fs/walk`, then by line */
  matches: SearchMatch[];
  /** number of searched files */
  files: number;
  /** number of files that were skipped: too large, not text, or not readable */
  skipped: number;
  /** true if a limit ended the search */
  truncated: boolean;
}

/** One session in the result of `session/list`. */
export interface SessionInfo {
  /** id with which the session can be resumed and observed */
  sessionId: string;
  /** as its client has given it */
  name?: string | null;
  /** name of the client that began it, or that resumed it last */
  clientName: string;
  /** true for the session of the connection that asks; written only when true */
  own?: boolean | null;
  /** true if a connection has the session */
  attached: boolean;
  /** time since which it is attached, or detached, in milliseconds since 1970 */
  sinceMs: number;
  /** milliseconds since 1970 */
  startedAtMs: number;
  /** also those that have ended and are still readable */
  processes: ProcessInfo[];
}

/** Result of `session/list`, an addition: the sessions of the principal that asks, the oldest first. */
export interface SessionListResult {
  sessions: SessionInfo[];
}

/** Params of the addition `fs/setMode`. */
export interface SetModeParams {
  /** `file:` URI of the file or directory */
  path: string;
  /** permission bits as in chmod(2), 0 to 07777 */
  mode: number;
  /** true when absent or null; false refuses a path with a symbolic link in it @default true */
  followSymlinks?: boolean | null;
  /** sandbox in which the call has its effect; absent or null means none */
  sandbox?: SandboxContext | null;
}

/** The shell of the host's user. */
export interface ShellInfo {
  /** `bash`, `zsh`, `sh`, `powershell` or `cmd` */
  name: string;
  /** native path, not a URI */
  path: string;
}

/** Params of `process/signal`; the result is an empty object. */
export interface SignalParams {
  /** name of the process, which the client has chosen */
  processId: string;
  /**
   * `interrupt`; in the open dialect also the name of a signal in any letter case, with or without SIG,
   * unchanged. The server checks that the signal exists
   */
  signal: string;
  /**
   * addition, read in the open dialect only: true signals the foreground job of the process's terminal instead
   * of the process group of the process; written only when true @default false
   */
  foreground?: boolean | null;
}

/** A place that is known only where the command runs. */
export interface SpecialPath {
  /** The place. */
  kind: "root" | "minimal" | "project_roots" | "projectRoots" | "current_working_directory" | "currentWorkingDirectory" | "tmpdir" | "slash_tmp" | "slashTmp" | "unknown";
  /** With `project_roots`: a relative path in each root. */
  subpath?: string | null;
  /** With `unknown`: a name that only newer programs know. */
  path?: string | null;
}

/** Thread and tool call of the client on whose behalf a process is started, for the access log of the server. */
export interface StartMetadata {
  /** a UUID */
  threadId?: string | null;
  /** call of a tool that the process runs for */
  toolCallId?: string | null;
}

/** Params of `process/start`. */
export interface StartParams {
  /** chosen by the client, unique in its session, may be empty */
  processId: string;
  /** on whose behalf the process runs; the access log shows it */
  metadata?: StartMetadata | null;
  /** the program and its arguments; no shell. A name without a slash is looked up in the PATH of the variables */
  argv: string[];
  /** working directory */
  cwd: string;
  /** if absent, the child gets only `env` */
  envPolicy?: EnvPolicy | null;
  /** state of a login shell that may be restored; safe to ignore */
  shellSnapshot?: unknown;
  /** variables; they override those of the policy */
  env: Record<string, string>;
  /** true to run on a terminal */
  tty: boolean;
  /** true to keep a pipe to stdin open; without it, and without `tty`, stdin is `/dev/null` @default false */
  pipeStdin?: boolean;
  /** name that the program gets instead of `argv[0]` */
  arg0?: string | null;
  /** sandbox of the process; absent or null means none */
  sandbox?: SandboxContext | null;
  /** with `sandbox`: allows network access only through a managed proxy @default false */
  enforceManagedNetwork?: boolean;
  /** parameters of the managed network */
  managedNetwork?: ManagedNetwork | null;
  /** proxy that the server runs for this process */
  networkProxy?: NetworkProxyConfig | null;
  /** of the terminal; for `tty` only (addition) */
  size?: TerminalSize | null;
  /**
   * time after the start at which the server ends the process; 0 asks for none, and absent for the server's
   * default (addition)
   */
  timeoutMs?: number | null;
  /** time without output after which the server ends the process; 0 is the same as absent (addition) */
  idleTimeoutMs?: number | null;
  /** time after the exit for which the server waits for the end of the output (addition) */
  closeGraceMs?: number | null;
  /** false keeps output for `process/read` and sends no notifications; true when absent (addition) @default true */
  push?: boolean | null;
  /** resource limits of the command; empty ones only request `ResourceUsage` (addition) */
  limits?: ResourceLimits | null;
  /** rules for the programs that the command executes (addition) */
  execPolicy?: ExecPolicyParams | null;
}

/** Result of `process/start`. */
export interface StartResult {
  /** name of the process, which the client has chosen */
  processId: string;
  /** NONE when a server of an older release leaves it out */
  sandboxType: string | null;
  /**
   * addition, only when a sandbox was requested: the backend that confines the process, `bubblewrap`,
   * `landlock`, `seccomp` or `none`
   */
  sandboxBackend?: string | null;
}

/** Size of a terminal in characters, each 1 to 65535. */
export interface TerminalSize {
  /** columns */
  cols: number;
  /** rows */
  rows: number;
}

/** Params of `process/terminate`. */
export interface TerminateParams {
  /** name of the process, which the client has chosen */
  processId: string;
  /**
   * addition, read in the open dialect: the server sends SIGTERM first, and SIGKILL after this time; SIGKILL at
   * once when absent
   */
  graceMs?: number | null;
}

/** Result of `process/terminate`. */
export interface TerminateResult {
  /** true if the process was alive or starting; false also for an unknown process */
  running: boolean;
}

/** Params of the addition `fs/unwatch`. */
export interface UnwatchParams {
  /** number of the watch, which the client has chosen */
  watchId: number;
}

/** Condition of a process that `process/wait` waits for. It is an object with exactly one member. */
export type WaitCondition =
  | { exit: true }
  | { closed: true }
  | { text: string }
  | { regex: string }
  | { idleMs: number }
  | { port: number };

/** Params of `process/wait`, an addition. */
export interface WaitParams {
  /** a process of the session */
  processId: string;
  /** id of another session of the same principal, if the process is there; absent for the own session */
  sessionId?: string | null;
  /** the condition */
  until: WaitCondition;
  /** output after this number is looked at for `text` and `regex`; 0 when absent @default 0 */
  afterSeq?: number | null;
  /** longest time to wait; 60,000 when absent */
  limitMs?: number | null;
}

/** Result of `process/wait`, an addition. */
export interface WaitResult {
  /**
   * true if the condition came true; false if the time was over, or if it cannot come true any more because the
   * process has ended
   */
  met: boolean;
  /** true if the process has exited */
  exited: boolean;
  /** present when `exited` */
  exitCode: number | null;
  /** true if the process has exited and its output has ended */
  closed: boolean;
  /** the text that was found in the output, at most 1,000 characters of it */
  match?: string | null;
  /** number of the chunk with which the match was complete */
  seq?: number | null;
  /** bytes of output that were not looked at, because they were no longer kept; written only when there are any */
  skippedBytes?: number | null;
}

/** Limits and options of `fs/walk`. */
export interface WalkOptions {
  /** levels below the children of the root; 0 lists only the children. At most 64 */
  maxDepth: number;
  /** most directories that are read, including the root; 1 to 10000 */
  maxDirectories: number;
  /** most entries that are examined, including skipped links; 1 to 50000 */
  maxEntries: number;
  /** true if links to directories are listed and entered */
  followDirectorySymlinks: boolean;
  /** true if directories whose name begins with a dot are listed but not entered @default false */
  pruneHiddenDirectories?: boolean;
}

/** Params of `fs/walk`. */
export interface WalkParams {
  /** `file:` URI of the file or directory */
  path: string;
  options: WalkOptions;
  /** sandbox in which the call has its effect; absent or null means none */
  sandbox?: SandboxContext | null;
}

/** Result of `fs/walk`. */
export interface WalkResult {
  /** breadth first, sorted by name within each directory */
  entries: WalkResultEntry[];
  /** directories and entries that could not be read */
  errors: WalkResultProblem[];
  /** true if a limit ended the walk */
  truncated: boolean;
}

/** A file or directory that was found. */
export interface WalkResultEntry {
  /** `file:` URI of the file or directory */
  path: string;
  /** kind of the entry */
  kind: "file" | "directory";
}

/** A path that could not be read, and the reason. */
export interface WalkResultProblem {
  /** `file:` URI of the file or directory */
  path: string;
  /** what has failed */
  message: string;
}

/** Params of `fs/watchMissing`. */
export interface WatchMissingParams {
  /** returned in the notification */
  watchId: number;
  /** paths that do not exist */
  missing: string[];
  /** a path that exists */
  present?: string | null;
}

/** Result of `fs/watchMissing`. */
export interface WatchMissingResult {
  /** true if a notification may follow */
  watching: boolean;
}

/** Params of the addition `fs/watch`. */
export interface WatchParams {
  /** chosen by the client, unique within its connection */
  watchId: number;
  /** a file, or a directory whose entries are watched */
  path: string;
  /** true to watch all directories below it too, including those that appear later @default false */
  recursive?: boolean | null;
}

/** Params of `fs/writeBlock`. */
export interface WriteBlockParams {
  /** name of the open file, which the client has chosen; at most 32 bytes */
  handleId: string;
  /** bytes from the start of the file; an offset beyond its end leaves a hole */
  offset: number;
  /** valid Base64; 1 to 1048576 bytes are accepted */
  chunk: string;
}

/** Params of `fs/writeFile`. */
export interface WriteFileParams {
  /** `file:` URI of the file or directory */
  path: string;
  /** the content */
  dataBase64: string;
  /** true when absent or null; false refuses a path with a symbolic link in it @default true */
  followSymlinks?: boolean | null;
  /** sandbox in which the call has its effect; absent or null means none */
  sandbox?: SandboxContext | null;
  /** addition: readers see the old file or the new one, also after a crash @default false */
  atomic?: boolean | null;
  /** addition: the required state of the file; otherwise nothing is written */
  expect?: Expectation | null;
  /** addition: permission bits as in chmod(2), which the file gets before its content */
  mode?: number;
}

/** Params of `process/write`. */
export interface WriteParams {
  /** name of the process, which the client has chosen */
  processId: string;
  /** bytes for the input, may be empty */
  chunk: string;
  /**
   * makes a repeated write harmless; never empty. Absent only in the open dialect, for a write that cannot be
   * repeated safely
   */
  writeId?: string | null;
}

/** Result of `process/write`. An unknown process is reported as a status, not as an error. */
export interface WriteResult {
  /** state of the input after the call */
  status: "accepted" | "unknownProcess" | "stdinClosed" | "starting";
}

/** Requests of the client: params and result by method. */
export interface Requests {
  /** Begins a session, or resumes one; the first message of a connection */
  "initialize": { params: InitializeParams; result: InitializeResult };
  /** Ends the session of the connection and every process that still runs (addition) */
  "session/end": { params: Record<string, unknown> | undefined; result: EmptyResult };
  /** Lists the sessions of the same principal, with their processes (addition) */
  "session/list": { params: Record<string, unknown> | undefined; result: SessionListResult };
  /** Looks at the output of a process of any session of the same principal; changes nothing (addition) */
  "session/observe": { params: ObserveParams; result: ObserveResult };
  /** Describes the machine, as the result of `initialize` does */
  "environment/info": { params: Record<string, unknown> | undefined; result: EnvironmentInfo };
  /** Answers at once; a health check */
  "environment/status": { params: Record<string, unknown> | undefined; result: EnvironmentStatus };
  /** Reads settings of a client that are stored on the server's machine */
  "environmentConfig/read": { params: ConfigReadParams; result: ConfigReadResult };
  /** Tells which sandbox features the machine has, and the operator's floor (addition) */
  "sandbox/status": { params: Record<string, unknown> | undefined; result: SandboxStatus };
  /** Starts a program with pipes or on a terminal, in a sandbox if asked for */
  "process/start": { params: StartParams; result: StartResult };
  /** Reads output from a position on, and waits for more if asked to */
  "process/read": { params: ReadParams; result: ReadResult };
  /** Writes to the input of a process, at most once for each `writeId` */
  "process/write": { params: WriteParams; result: WriteResult };
  /** Sends a signal to the process group of a process */
  "process/signal": { params: SignalParams; result: EmptyResult };
  /** Ends a process and everything that it has started */
  "process/terminate": { params: TerminateParams; result: TerminateResult };
  /** Ends the input of a process; the program reads end of file (addition) */
  "process/closeStdin": { params: CloseStdinParams; result: CloseStdinResult };
  /** Sets the size of the terminal of a process (addition) */
  "process/resize": { params: ResizeParams; result: EmptyResult };
  /** Lists the processes of the session (addition) */
  "process/list": { params: Record<string, unknown> | undefined; result: ListResult };
  /** Waits until a process has ended, has written something, is silent, or listens on a port (addition) */
  "process/wait": { params: WaitParams; result: WaitResult };
  /** Makes a token with which another connection may answer the questions about programs (addition) */
  "exec/allowApprover": { params: Record<string, unknown> | undefined; result: AllowApproverResult };
  /** Uses such a token: the questions of that session come here too (addition) */
  "exec/approve": { params: ApproveParams; result: ApproveResult };
  /** Reads a whole file */
  "fs/readFile": { params: ReadFileParams; result: ReadFileResult };
  /** Makes or replaces a file */
  "fs/writeFile": { params: WriteFileParams; result: EmptyResult };
  /** Makes a directory */
  "fs/createDirectory": { params: CreateDirectoryParams; result: EmptyResult };
  /** Tells the kind, the size and the times of a file */
  "fs/getMetadata": { params: MetadataParams; result: MetadataResult };
  /** Resolves links and dots of a path */
  "fs/canonicalize": { params: CanonicalizeParams; result: CanonicalizeResult };
  /** Lists the entries of a directory */
  "fs/readDirectory": { params: ReadDirectoryParams; result: ReadDirectoryResult };
  /** Lists a tree of directories within bounds */
  "fs/walk": { params: WalkParams; result: WalkResult };
  /** Removes a file or a tree; of a link the link itself */
  "fs/remove": { params: RemoveParams; result: EmptyResult };
  /** Copies a file or a tree */
  "fs/copy": { params: CopyParams; result: EmptyResult };
  /** Opens a file for blocks */
  "fs/open": { params: OpenParams; result: OpenResult };
  /** Reads a block of an open file */
  "fs/readBlock": { params: ReadBlockParams; result: ReadBlockResult };
  /** Writes a block of an open file */
  "fs/writeBlock": { params: WriteBlockParams; result: EmptyResult };
  /** Closes an open file */
  "fs/close": { params: CloseParams; result: EmptyResult };
  /** Waits for the appearance of one of some paths */
  "fs/watchMissing": { params: WatchMissingParams; result: WatchMissingResult };
  /** Renames a file or a directory (addition) */
  "fs/rename": { params: RenameParams; result: EmptyResult };
  /** Appends to a file, or makes it (addition) */
  "fs/append": { params: AppendParams; result: AppendResult };
  /** Sets the permission bits of a file (addition) */
  "fs/setMode": { params: SetModeParams; result: EmptyResult };
  /** Searches files for a text or a pattern (addition) */
  "fs/search": { params: SearchParams; result: SearchResult };
  /** Watches a file or a directory for changes (addition) */
  "fs/watch": { params: WatchParams; result: EmptyResult };
  /** Ends a watch (addition) */
  "fs/unwatch": { params: UnwatchParams; result: EmptyResult };
  /** Makes the server send an HTTP request */
  "http/request": { params: HttpRequestParams; result: HttpRequestResult };
  /** Ends a streamed response early (addition) */
  "http/request/cancel": { params: HttpCancelParams; result: EmptyResult };
  /** Returns this description of the methods as OpenRPC (addition) */
  "rpc.discover": { params: Record<string, unknown> | undefined; result: OpenRpcDocument };
}

/** Requests of the server: params and result by method. */
export interface ServerRequests {
  /** Asks if a command may execute a program (addition) */
  "exec/approval": { params: ExecApprovalRequest; result: ExecApprovalAnswer };
  /** Asks if a process may connect to a host */
  "network/policyRequest": { params: PolicyRequest; result: PolicyAnswer };
}

/** Notifications of the server: params by method. */
export interface ServerNotifications {
  /** Carries a chunk of output */
  "process/output": OutputNotification;
  /** Tells how a process has ended */
  "process/exited": ExitedNotification;
  /** Tells that nothing more comes of a process */
  "process/closed": ClosedNotification;
  /** Tells that a question needs no answer any more (addition) */
  "exec/approvalClosed": ExecApprovalClosedNotification;
  /** Tells a decision about a program that a command executes (addition) */
  "exec/decided": ExecDecidedNotification;
  /** Tells that a program outside of the sandbox has ended (addition) */
  "exec/ended": ExecEndedNotification;
  /** Tells that a watch of `fs/watchMissing` has seen a change */
  "fs/missingChanged": MissingChangedNotification;
  /** Tells changes that a watch of `fs/watch` has seen (addition) */
  "fs/changed": ChangedNotification;
  /** Carries a piece of a streamed body */
  "http/request/bodyDelta": BodyDelta;
  /** Tells a decision of the network proxy of a process */
  "network/policyDecision": PolicyDecision;
}
