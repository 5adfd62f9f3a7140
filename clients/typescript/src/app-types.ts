// Types of the protocol (exec-server, app-server dialect). Generated from docs/schema/app.json; do not edit.
import type {
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
} from './types.js';
export type {
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
};

/** Params of `initialize` in the app-server dialect. */
export interface AppInitializeParams {
  /** name and version of the client */
  clientInfo: ClientInfo;
  /** optional abilities of the peer */
  capabilities?: InitializeCapabilities | null;
}

/** Result of `initialize` in the app-server dialect. */
export interface AppInitializeResult {
  /** name and version of the server, and of the client */
  userAgent: string;
  /** folder of settings, which clients expect to be named */
  codexHome: string;
  /** `unix`. */
  platformFamily: string;
  /** `linux`. */
  platformOs: string;
  /** addition of this server, written unless it is empty: the methods that it has */
  methods?: string[];
}

/** Name and version of a client. */
export interface ClientInfo {
  /** name */
  name: string;
  /** version */
  version: string;
  /** name for people */
  title?: string | null;
}

/** Params of `command/exec`. */
export interface CommandExecParams {
  /** the program and its arguments */
  command: string[];
  /** name for follow-up calls, unique on its connection while the command runs */
  processId?: string | null;
  /** true to run on a terminal @default false */
  tty?: boolean;
  /** true to send input with follow-up calls @default false */
  streamStdin?: boolean;
  /** true to get output in notifications @default false */
  streamStdoutStderr?: boolean;
  /** most bytes that are kept of each stream */
  outputBytesCap?: number | null;
  /** true for no such bound @default false */
  disableOutputCap?: boolean;
  /** time limit in milliseconds */
  timeoutMs?: number | null;
  /** true for no time limit @default false */
  disableTimeout?: boolean;
  /** relative ones start at the server's directory */
  cwd?: string | null;
  /** variables to set, or to remove if empty */
  env?: Record<string, string | null> | null;
  /** size of the terminal */
  size?: CommandSize | null;
  /** legacy policy, converted to a profile of the workspace that is the server's directory */
  sandboxPolicy?: CommandSandboxPolicy | null;
  /** profile of the workspace that is the command's directory */
  permissionProfile?: string | PermissionProfile | null;
}

/** Params of `command/exec/resize`. */
export interface CommandExecResizeParams {
  /** Name that the start has given to the command. */
  processId: string;
  size: CommandSize;
}

/** Result of `command/exec`. */
export interface CommandExecResult {
  /** its status; 128 + N if signal N ended it, 124 if its time was over */
  exitCode: number;
  /** captured text; empty if it was streamed */
  stdout: string;
  /** captured text; empty if it was streamed */
  stderr: string;
  /** true if stdout was cut at its bound */
  stdoutCapReached?: boolean;
  /** true if stderr was cut at its bound */
  stderrCapReached?: boolean;
  /** addition: true if the time limit has ended it */
  timedOut?: boolean;
  /** addition: signal that has ended it */
  signal?: string | null;
  /** true if a descendant held the output open after the exit */
  outputDrainTimedOut?: boolean;
}

/** Params of `command/exec/terminate`. */
export interface CommandExecTerminateParams {
  /** Name that the start has given to the command. */
  processId: string;
  /** time between SIGTERM and SIGKILL in milliseconds; SIGKILL at once when absent (addition) */
  graceMs?: number | null;
}

/** Params of `command/exec/write`. */
export interface CommandExecWriteParams {
  /** Name that the start has given to the command. */
  processId: string;
  /** Bytes for the input. */
  deltaBase64?: string | null;
  /** True ends the input behind the bytes. @default false */
  closeStdin?: boolean;
}

/** Notification that carries output of a `command/exec`. */
export interface CommandOutputDelta {
  /** name of the command */
  processId: string;
  /** the stream */
  stream: "stdout" | "stderr";
  /** The bytes. */
  deltaBase64: string;
  /** true if output of this stream was dropped; it is then the last one of the stream */
  capReached: boolean;
}

/** Sandbox policy of older releases, converted to a profile of the server's directory. */
export type CommandSandboxPolicy =
  | { type: "dangerFullAccess" }
  | { type: "readOnly"; networkAccess?: boolean; access?: ReadOnlyAccess }
  | { type: "externalSandbox"; networkAccess?: "restricted" | "enabled" }
  | { type: "workspaceWrite"; writableRoots?: string[]; networkAccess?: boolean; excludeTmpdirEnvVar?: boolean; excludeSlashTmp?: boolean; readOnlyAccess?: ReadOnlyAccess };

/** Size of a terminal in characters. Zero is read here and refused later, as in the reference server. */
export interface CommandSize {
  /** rows */
  rows: number;
  /** columns */
  cols: number;
}

/** Optional abilities of a client. */
export interface InitializeCapabilities {
  /** true if the client may use experimental methods and members @default false */
  experimentalApi?: boolean;
  /** notifications that the client does not want */
  optOutNotificationMethods?: string[] | null;
}

/** Params of `process/kill`. */
export interface KillParams {
  /** Name that the start has given to the command. */
  processHandle: string;
  /** time between SIGTERM and SIGKILL in milliseconds; SIGKILL at once when absent (addition) */
  graceMs?: number | null;
}

/** Params of `permissionProfile/list`; the server looks at none of their members. */
export type ProfileListParams =
  | Record<string, unknown> | null;

/** Result of `permissionProfile/list`: all profiles, on one page. */
export interface ProfileListResult {
  /** the profiles */
  data: ProfileListRow[];
  /** Always null: there is one page. */
  nextCursor: null;
}

/** One profile. */
export interface ProfileListRow {
  /** name of the profile */
  id: string;
  /** words of the operator about it */
  description: string | null;
  /** false if the operator's floor refuses it */
  allowed: boolean;
}

/** Places that may be read, a member of older releases; the strict dialect refuses it. @deprecated */
export type ReadOnlyAccess =
  | { type: "fullAccess" }
  | { type: "restricted"; includePlatformDefaults?: boolean; readableRoots?: string[] };

/** Params of `process/resizePty`. */
export interface ResizePtyParams {
  /** Name that the start has given to the command. */
  processHandle: string;
  size: CommandSize;
}

/**
 * Notification `process/exited` of the app-server dialect. In the other dialect a notification of that name has
 * other members.
 */
export interface SpawnExited {
  /** name of the command */
  processHandle: string;
  /** exit code; 128 + N if signal N has ended the program */
  exitCode: number;
  /** true if a descendant held the output open after the exit */
  outputDrainTimedOut?: boolean;
  /** captured text; empty if it was streamed */
  stdout: string;
  /** true if stdout was cut at its bound */
  stdoutCapReached: boolean;
  /** captured text; empty if it was streamed */
  stderr: string;
  /** true if stderr was cut at its bound */
  stderrCapReached: boolean;
}

/** Notification that carries output of a `process/spawn`. */
export interface SpawnOutputDelta {
  /** name of the command */
  processHandle: string;
  /** the stream */
  stream: "stdout" | "stderr";
  /** The bytes. */
  deltaBase64: string;
  /** true if output of this stream was dropped; it is then the last one of the stream */
  capReached: boolean;
}

/** Params of `process/spawn`. */
export interface SpawnParams {
  /** the program and its arguments */
  command: string[];
  /** working directory */
  cwd: string;
  /** name for follow-up calls */
  processHandle: string;
  /** true to run on a terminal @default false */
  tty?: boolean;
  /** true to send input with follow-up calls @default false */
  streamStdin?: boolean;
  /** true to get output in notifications @default false */
  streamStdoutStderr?: boolean;
  /** cap of each stream; the default was filled in, and empty means none */
  outputBytesCap?: number | null;
  /** time limit; the default was filled in, and empty means none */
  timeoutMs?: number | null;
  /** variables to set, or to remove if empty */
  env?: Record<string, string | null> | null;
  /** size of the terminal */
  size?: CommandSize | null;
}

/** Params of `process/writeStdin`. */
export interface WriteStdinParams {
  /** Name that the start has given to the command. */
  processHandle: string;
  /** Bytes for the input. */
  deltaBase64?: string | null;
  /** True ends the input behind the bytes. @default false */
  closeStdin?: boolean;
}

/** Requests of the client: params and result by method. */
export interface Requests {
  /** Begins the conversation; the first message of a connection */
  "initialize": { params: AppInitializeParams; result: AppInitializeResult };
  /** Runs a command and answers when it has ended */
  "command/exec": { params: CommandExecParams; result: CommandExecResult };
  /** Writes to the input of a command, or ends it */
  "command/exec/write": { params: CommandExecWriteParams; result: EmptyResult };
  /** Sets the size of the terminal of a command */
  "command/exec/resize": { params: CommandExecResizeParams; result: EmptyResult };
  /** Ends a command */
  "command/exec/terminate": { params: CommandExecTerminateParams; result: EmptyResult };
  /** Starts a command and answers at once */
  "process/spawn": { params: SpawnParams; result: EmptyResult };
  /** Writes to the input of a spawned command, or ends it */
  "process/writeStdin": { params: WriteStdinParams; result: EmptyResult };
  /** Sets the size of the terminal of a spawned command */
  "process/resizePty": { params: ResizePtyParams; result: EmptyResult };
  /** Ends a spawned command */
  "process/kill": { params: KillParams; result: EmptyResult };
  /** Lists the permission profiles of the operator */
  "permissionProfile/list": { params: ProfileListParams; result: ProfileListResult };
}

/** Requests of the server: params and result by method. */
export interface ServerRequests {
}

/** Notifications of the server: params by method. */
export interface ServerNotifications {
  /** Carries output of a command */
  "command/exec/outputDelta": CommandOutputDelta;
  /** Carries output of a spawned command */
  "process/outputDelta": SpawnOutputDelta;
  /** Tells how a spawned command has ended */
  "process/exited": SpawnExited;
}
