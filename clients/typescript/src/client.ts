import { openSocket } from '#socket';
import { join, randomId } from './bytes.js';
import {
  ConnectionLostError,
  ExecServerError,
  OutputGapError,
  RequestError,
  RequestTimeoutError,
  StdinClosedError,
  UnexpectedAnswerError,
  UnsupportedFeatureError,
} from './errors.js';
import { Files } from './files.js';
import { Link, type Handler, type Params } from './link.js';
import { follow, type FollowOptions, type Sight } from './observer.js';
import { below } from './paths.js';
import { Process } from './process.js';
import { sandboxMember, type SandboxLike } from './sandbox.js';
import type { Exit } from './sequence.js';
import type { OutputStream } from './streams.js';
import { Warnings, type WarningHandler } from './warnings.js';

const CORE: Params = { inherit: 'core', ignoreDefaultExcludes: true, exclude: [], set: {}, includeOnly: [] };

export interface ConnectOptions {
  /** Bearer token, or a function that returns one; asked anew for each connection. */
  token?: string | (() => string | Promise<string>);
  headers?: Readonly<Record<string, string>>;
  /** Options of Node's `tls.connect` for `wss://`: `ca`, `cert`, `key`, ... */
  tls?: Readonly<Record<string, unknown>>;
  clientName?: string;
  /** Subprotocols of the WebSocket to offer, one of which the server must take. */
  protocols?: readonly string[];
  /** Id of a session to take up again. */
  resume?: string;
  /** Take that session from a connection that holds it. */
  takeover?: boolean;
  /** How long the session outlives its connection. */
  sessionTtlMs?: number;
  /** A name of the session for people. */
  sessionName?: string;
  /** Default 10,000. */
  connectTimeoutMs?: number;
  /** How long a lost connection is tried to be made again; default 45,000, 0 for not at all. */
  reconnectMs?: number;
  /** Limit for an answer; default 60,000. */
  requestTimeoutMs?: number;
  /** Is told when the connection is lost and made again, and when there will be no other one. */
  onConnection?: (state: ConnectionState, why: string) => void;
  /**
   * Gets warnings, each once: about requests, of a server with `--strict-members warn`, and about a right of an approver that is lost
   * with a connection. By default `console.warn`.
   */
  onWarning?: WarningHandler;
}

export type ConnectionState = 'connected' | 'lost' | 'ended';

export interface ExecOptions {
  /** Working directory; a relative one is below the server's. */
  cwd?: string;
  /** Variables, laid over the inherited ones. */
  env?: Readonly<Record<string, string>>;
  /** What is inherited of the server's variables (default: the core of them); null inherits nothing. */
  envPolicy?: Params | null;
  /** Keep a pipe to its stdin; a terminal always has one. */
  stdin?: boolean;
  /** Run on a terminal. */
  tty?: boolean | { cols: number; rows: number };
  /** Put stderr into stdout, in the order in which the server has read them. */
  mergeStderr?: boolean;
  sandbox?: SandboxLike;
  /** The server ends the program after this time; the exit's reason is `timeout` then. */
  timeoutMs?: number;
  /** The server ends the program when it has written nothing for that long. */
  idleTimeoutMs?: number;
  limits?: Params;
  execPolicy?: Params;
  networkProxy?: Params;
  metadata?: Params;
  arg0?: string;
  /** Output that is read ahead, default 1 MiB; further output waits at the server. */
  bufferBytes?: number;
  /** Kills the program when it is aborted. */
  signal?: AbortSignal;
}

export interface RunOptions extends ExecOptions {
  /** What the program reads from stdin. */
  input?: Uint8Array | string;
  /** Most bytes that are kept of each stream, default 64 MiB; the rest is read and left out. */
  maxOutput?: number;
  /** Throw ProgramFailedError when the exit code is not 0. */
  check?: boolean;
}

/** What a program has printed, and how it ended. */
export interface Result {
  argv: readonly string[];
  stdout: Uint8Array;
  stderr: Uint8Array;
  exit: Exit;
  /** Output beyond `maxOutput`, or that the server had to drop, is missing. */
  truncated: boolean;
  /** stdout as text. */
  readonly text: string;
}

/** A program has ended with another code than 0. */
export class ProgramFailedError extends ExecServerError {
  constructor(readonly result: Result) {
    const tail = new TextDecoder().decode(result.stderr.slice(-300)).trim();
    super(`${result.argv[0]} has ended with ${result.exit.code}${tail ? `: ${tail}` : ''}`);
  }
}

/** Time limit of a `process/wait` that names none. */
const WAIT_MS = 60_000;

/** Connects to `ws://HOST:PORT`, `wss://...` or, in Node, `unix:PATH`. */
export async function connect(url: string, options: ConnectOptions = {}): Promise<Client> {
  const initialize = {
    clientName: options.clientName ?? 'exec-server-typescript',
    ...(options.sessionTtlMs === undefined ? {} : { sessionTtlMs: options.sessionTtlMs }),
    ...(options.sessionName === undefined ? {} : { sessionName: options.sessionName }),
  };
  const headers = async (): Promise<Record<string, string>> => {
    const token = typeof options.token === 'function' ? await options.token() : options.token;
    return { ...options.headers, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) };
  };
  const link = new Link(
    async (timeoutMs, listener) =>
      openSocket(
        url,
        { headers: await headers(), timeoutMs, tls: options.tls, protocols: options.protocols },
        listener,
      ),
    initialize,
    options.connectTimeoutMs ?? 10_000,
    options.reconnectMs ?? 45_000,
    new Warnings(options.onWarning),
  );
  const address = { url, headers, token: options.token !== undefined, tls: options.tls ?? {} };
  const client = new Client(link, options.requestTimeoutMs ?? 60_000, address);
  if (options.onConnection) link.onConnection = options.onConnection;
  await link.open(options.resume, options.takeover ?? false);
  return client;
}

/** Where a server is, and what a request to it must carry. */
export interface Address {
  url: string;
  headers: () => Promise<Record<string, string>>;
  /** True if the headers have a token. */
  token: boolean;
  tls: Readonly<Record<string, unknown>>;
}

/** Session with an exec-server; made by `connect`. */
export class Client {
  readonly files = new Files(this);
  private readonly processes = new Map<string, Process>();
  private readonly watches = new Map<unknown, (params: Params) => void>();
  /** The tokens of rights in use, each with the name of its right. */
  private readonly approverTokens = new Map<string, string>();
  private approvalClosed: (params: Params) => void = () => {};

  /** @param address where the server is, for requests beside the WebSocket */
  constructor(private readonly link: Link, readonly requestTimeoutMs: number, readonly address: Address) {
    link.onNotification = (method, params) => this.notified(method, params);
    link.onResumed = () => {
      for (const process of [...this.processes.values()]) process.resumed();
      this.loseWatches();
      for (const token of this.approverTokens.keys()) void this.approveAgain(token);
    };
    link.onEnded = error => {
      for (const process of [...this.processes.values()]) process.lose(error);
      this.loseWatches();
    };
  }

  get sessionId(): string | undefined {
    return this.link.greeting.sessionId;
  }

  /** Names of the additions that the server has (docs/protocol-additions.md). */
  get features(): ReadonlySet<string> {
    return new Set(Array.isArray(this.link.greeting.features) ? this.link.greeting.features : []);
  }

  /** What the server said of its machine: `shell`, `cwd`, `platformOs`, `capabilities`, ... */
  get environment(): Params {
    return this.link.greeting.environmentInfo ?? {};
  }

  get cwdUri(): string {
    return String(this.environment.cwd ?? 'file:///');
  }

  get closed(): boolean {
    return this.link.closed;
  }

  /** Throws UnsupportedFeatureError when the server lacks an addition. */
  require(feature: string): void {
    if (!this.features.has(feature)) throw new UnsupportedFeatureError(feature);
  }

  /**
   * Sets who answers a question of the server: `exec/approval`, `network/policyRequest`. Without one the server is told
   * that nobody answers, which denies.
   */
  onRequest(method: string, handler: Handler): void {
    this.link.handlers.set(method, handler);
  }

  /**
   * Makes a token with which another client may answer the questions about programs of this session, beside this one. It ends with
   * the session.
   */
  async allowApprover(): Promise<{ token: string; approverId: string }> {
    this.require('exec/allowApprover');
    const { token, approverId } = await this.call('exec/allowApprover', undefined, { repeat: false });
    return { token: String(token), approverId: String(approverId) };
  }

  /** Uses such a token: the questions of that session come to the handler of `exec/approval`, with an `approverId`. */
  async approve(token: string): Promise<Params> {
    this.require('exec/approve');
    const first = !this.approverTokens.has(token);
    if (first) this.approverTokens.set(token, ''); // before the answer, because a new connection can come between
    try {
      const result = await this.call('exec/approve', { token }, { repeat: true });
      this.approverTokens.set(token, String(result.approverId));
      return result;
    } catch (e) {
      if (first) this.approverTokens.delete(token);
      throw e;
    }
  }

  private async approveAgain(token: string): Promise<void> {
    while (this.approverTokens.has(token)) {
      try {
        await this.approve(token);
        return;
      } catch (e) {
        if (e instanceof RequestTimeoutError) continue; // the right is not gone: once more
        const right = this.approverTokens.get(token);
        if (e instanceof RequestError && e.code === -32600) this.approverTokens.delete(token);
        const why = e instanceof Error ? e.message : String(e);
        if (!this.closed) this.link.warnings.tell('exec/approve', `the right ${right} is not in use any more: ${why}`);
        return;
      }
    }
  }

  /** Sets who is told that a question about a program needs no answer any more: the params of `exec/approvalClosed`. */
  onApprovalClosed(listener: (params: Params) => void): void {
    this.approvalClosed = listener;
  }

  /** Sends any request; for methods that have no wrapper here. The result is an object. */
  async call(
    method: string,
    params: Params | undefined,
    options: { repeat: boolean; timeoutMs?: number | undefined },
  ): Promise<Record<string, any>> {
    const timeoutMs = 'timeoutMs' in options ? options.timeoutMs : this.requestTimeoutMs;
    const result = await this.link.call(method, params, { repeat: options.repeat, timeoutMs });
    if (typeof result !== 'object' || result === null) {
      throw new UnexpectedAnswerError(`${method}: the result is no object`);
    }
    return result;
  }

  /** Ends the session and every process in it, then the connection. */
  async end(): Promise<void> {
    if (this.features.has('session/end') && !this.closed) await this.call('session/end', undefined, { repeat: true });
    this.close();
  }

  /** Closes the connection. The session and its processes stay for the session's time to live. */
  close(): void {
    this.link.close();
  }

  /** Starts a program. If the connection is lost meanwhile the start is not repeated, and fails. */
  async exec(argv: readonly string[], options: ExecOptions = {}): Promise<Process> {
    options.signal?.throwIfAborted();
    const id = `ts-${randomId()}`;
    const tty = options.tty ?? false;
    const stdin = (options.stdin ?? false) || tty !== false;
    const params = this.startParams(id, argv, options);
    const polled = this.features.has('push');
    if (polled) params.push = false;
    const merged = (options.mergeStderr ?? false) || tty !== false;
    const process = new Process(this, id, polled, options.bufferBytes ?? 1 << 20, { merged, stdin });
    this.processes.set(id, process);
    try {
      process.started(await this.call('process/start', params, { repeat: false }));
    } catch (e) {
      this.processes.delete(id);
      throw e;
    }
    this.killWhenAborted(process, options.signal);
    return process;
  }

  /** Runs a program to its end and returns its output. */
  async run(argv: readonly string[], options: RunOptions = {}): Promise<Result> {
    const process = await this.exec(argv, { ...options, stdin: options.input !== undefined });
    try {
      const limit = options.maxOutput ?? 64 << 20;
      const [out, err] = await Promise.all([
        collect(process.stdout, limit),
        process.stderr === process.stdout ? collect(undefined, limit) : collect(process.stderr, limit),
        sendInput(process, options.input),
      ]);
      const result: Result = {
        argv: [...argv],
        stdout: out.data,
        stderr: err.data,
        exit: await process.closed,
        truncated: out.truncated || err.truncated,
        get text() {
          return new TextDecoder().decode(this.stdout);
        },
      };
      if (options.check && result.exit.code !== 0) throw new ProgramFailedError(result);
      return result;
    } catch (e) {
      options.signal?.throwIfAborted(); // whatever the abort has broken off
      throw e;
    } finally {
      await process.close();
    }
  }

  /** Returns the processes of the session, exited ones that are still readable included. */
  async listProcesses(): Promise<Params[]> {
    this.require('process/list');
    return (await this.call('process/list', undefined, { repeat: true })).processes;
  }

  /** Returns the sessions of the same principal, with their processes; the oldest first. */
  async listSessions(): Promise<Params[]> {
    this.require('session/list');
    return (await this.call('session/list', undefined, { repeat: true })).sessions;
  }

  /** Looks at the output of a process of any of these sessions, and changes nothing: the params and result of `session/observe`. */
  async observe(params: { sessionId: string; processId: string; waitMs?: number } & Params): Promise<Params> {
    this.require('session/observe');
    return this.call('session/observe', params, {
      repeat: true,
      timeoutMs: this.requestTimeoutMs + (params.waitMs ?? 0),
    });
  }

  /** Follows a process of any of these sessions: yields its output until it has ended, and changes nothing. */
  follow(sessionId: string, processId: string, options?: FollowOptions): AsyncGenerator<Sight, void, undefined> {
    return follow(this, sessionId, processId, options);
  }

  /** Waits until a process has ended, has written something, is silent or listens on a port: `process/wait`. */
  async waitFor(params: { processId: string; until: Params; limitMs?: number } & Params): Promise<Params> {
    this.require('process/wait');
    return this.call('process/wait', params, {
      repeat: true,
      timeoutMs: this.requestTimeoutMs + (params.limitMs ?? WAIT_MS),
    });
  }

  // What the parts call.

  forget(process: Process): void {
    this.processes.delete(process.id);
  }

  watch(id: number, listener: ((params: Params) => void) | undefined): void {
    if (listener) this.watches.set(id, listener);
    else this.watches.delete(id);
  }

  private startParams(id: string, argv: readonly string[], options: ExecOptions): Record<string, unknown> {
    const cwd = options.cwd === undefined ? this.cwdUri : below(this.cwdUri, options.cwd);
    const envPolicy = options.envPolicy === undefined ? CORE : options.envPolicy;
    const tty = options.tty ?? false;
    const params: Record<string, unknown> = {
      processId: id,
      argv,
      cwd,
      env: options.env ?? {},
      tty: tty !== false,
      pipeStdin: (options.stdin ?? false) && tty === false,
      ...(envPolicy === null ? {} : { envPolicy }),
      ...(options.arg0 === undefined ? {} : { arg0: options.arg0 }),
      ...(options.metadata === undefined ? {} : { metadata: options.metadata }),
      ...(options.networkProxy === undefined ? {} : { networkProxy: options.networkProxy }),
      ...(options.sandbox === undefined ? {} : { sandbox: sandboxMember(options.sandbox, cwd) }),
    };
    const additions: Params = {
      size: typeof tty === 'object' ? tty : undefined,
      timeoutMs: options.timeoutMs,
      idleTimeoutMs: options.idleTimeoutMs,
      limits: options.limits,
      execPolicy: options.execPolicy,
    };
    for (const [name, value] of Object.entries(additions)) {
      if (value !== undefined) {
        this.require(name);
        params[name] = value;
      }
    }
    return params;
  }

  private killWhenAborted(process: Process, signal: AbortSignal | undefined): void {
    if (!signal) return;
    const kill = () => void process.close().catch(() => {}); // a lost connection ends it or leaves it to the session
    signal.addEventListener('abort', kill, { once: true });
    const done = () => signal.removeEventListener('abort', kill);
    process.exit.then(done, done);
    if (signal.aborted) kill();
  }

  private notified(method: string, params: Params): void {
    if (method === 'fs/changed') this.watches.get(params.watchId)?.(params);
    else if (method === 'exec/approvalClosed') this.approvalClosed(params);
    else this.processes.get(String(params.processId))?.pushed(method, params);
  }

  /** Watches belong to a connection and end with it. */
  private loseWatches(): void {
    const listeners = [...this.watches.values()];
    this.watches.clear();
    for (const listener of listeners) listener({ changes: [], overflow: true, ended: true });
  }
}

async function sendInput(process: Process, input: Uint8Array | string | undefined): Promise<void> {
  if (input === undefined) return;
  try {
    await process.stdin!.end(input);
  } catch (e) {
    // A program that reads no more is no error; a lost connection is told by the output.
    if (!(e instanceof StdinClosedError || e instanceof ConnectionLostError)) throw e;
  }
}

async function collect(stream: OutputStream | undefined, limit: number): Promise<{ data: Uint8Array; truncated: boolean }> {
  const kept: Uint8Array[] = [];
  let size = 0;
  let truncated = false;
  while (stream) {
    let piece: Uint8Array | undefined;
    try {
      piece = await stream.read();
    } catch (e) {
      if (!(e instanceof OutputGapError)) throw e;
      truncated = true;
      continue;
    }
    if (!piece) break;
    if (size + piece.length > limit) truncated = true;
    const part = piece.subarray(0, Math.max(0, limit - size));
    if (part.length > 0) kept.push(part);
    size += part.length;
  }
  return { data: join(kept), truncated };
}
