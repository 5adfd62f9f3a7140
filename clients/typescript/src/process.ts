import { toBase64 } from './bytes.js';
import type { Client } from './client.js';
import {
  ConnectionLostError,
  ExecServerError,
  OutputGapError,
  ProcessLostError,
  RequestError,
  StaleHandleError,
  StdinClosedError,
  UnexpectedAnswerError,
} from './errors.js';
import type { Params } from './link.js';
import { Sequence, type Exit, type SequenceListener } from './sequence.js';
import { InputStream, OutputStream } from './streams.js';

/** Output that is asked for in one read. */
const MAX_READ_BYTES = 512 * 1024;
/** What an answer may have beyond that: servers send the first chunk whole. */
const MAX_CHUNK_BYTES = 4 * 1024 * 1024;
const POLL_MS = 20_000;
/** How long a missing event may take to come by itself before it is read. */
const HOLE_MS = 1_000;
const FIRST_DELAY_MS = 5;
const MAX_DELAY_MS = 200;

/**
 * Handle of one process, shaped like Node's `ChildProcess`, with promises in place of events. `await using` ends it.
 *
 * The id is random and never used again, so a handle that is closed or left over cannot reach another process.
 */
export class Process implements SequenceListener {
  /** Output; of a terminal all of it. */
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Present when it was asked for, and for a terminal. */
  readonly stdin: InputStream | undefined;
  /** What the server says of the process's sandbox: `none`, `linuxSeccomp`, ... */
  sandboxType: string | undefined;
  /** The exit, as soon as it is known. Rejected with ProcessLostError when nothing more will be heard of the process. */
  readonly exit: Promise<Exit>;
  /** The same, after the end of all output, which a descendant may hold open. */
  readonly closed: Promise<Exit>;
  /** The exit code, once it is known. */
  exitCode: number | undefined;

  private readonly sequence = new Sequence(this);
  private readonly writePrefix: string;
  private writes = 0;
  private known: Exit | undefined;
  private lost: Error | undefined;
  private released = false;
  private wake: (() => void) | undefined;
  private settleExit!: { resolve: (exit: Exit) => void; reject: (error: Error) => void };
  private settleClosed!: { resolve: (exit: Exit) => void; reject: (error: Error) => void };

  /** Made by `Client.exec`. */
  constructor(
    private readonly client: Client,
    readonly id: string,
    private readonly polled: boolean,
    private readonly bufferBytes: number,
    options: { merged: boolean; stdin: boolean },
  ) {
    this.stdout = new OutputStream(() => this.change());
    this.stderr = options.merged ? this.stdout : new OutputStream(() => this.change());
    this.stdin = options.stdin ? new InputStream(data => this.write(data), () => this.endInput()) : undefined;
    this.exit = new Promise((resolve, reject) => (this.settleExit = { resolve, reject }));
    this.closed = new Promise((resolve, reject) => (this.settleClosed = { resolve, reject }));
    this.exit.catch(() => {}); // who does not wait for it is not told
    this.closed.catch(() => {});
    this.sequence.behind = polled;
    this.writePrefix = `${id}-`;
  }

  /** Sends a signal by name (`TERM`, `HUP`, `interrupt`); to the job in the foreground of its terminal if asked to. */
  async signal(signal: string, options: { foreground?: boolean } = {}): Promise<void> {
    this.check();
    if (signal !== 'interrupt') this.client.require('process/signal');
    if (options.foreground) this.client.require('foreground');
    const params = { processId: this.id, signal, ...(options.foreground ? { foreground: true } : {}) };
    await this.client.call('process/signal', params, { repeat: false });
  }

  /** Sends SIGTERM to the whole tree, and SIGKILL to what is left after `graceMs`. */
  async terminate(graceMs = 2_000): Promise<void> {
    this.check();
    const grace = this.client.features.has('graceMs') ? { graceMs } : {};
    await this.client.call('process/terminate', { processId: this.id, ...grace }, { repeat: true });
  }

  /** Kills the whole tree at once. */
  async kill(): Promise<void> {
    this.check();
    await this.client.call('process/terminate', { processId: this.id }, { repeat: true });
  }

  /** Changes the window size of the terminal. */
  async resize(cols: number, rows: number): Promise<void> {
    this.check();
    this.client.require('process/resize');
    await this.client.call('process/resize', { processId: this.id, cols, rows }, { repeat: true });
  }

  /** Ends the process if it runs, and releases the handle. */
  async close(): Promise<void> {
    if (this.released) return;
    if (!this.known && !this.lost && !this.client.closed) {
      try {
        await this.kill();
      } catch (e) {
        // There is nobody who could end it, or nothing left to end.
        if (!(e instanceof ConnectionLostError || e instanceof RequestError)) throw e;
      }
    }
    this.released = true;
    this.client.forget(this);
    this.lose(new StaleHandleError(`the handle of process ${this.id} was closed`));
  }

  async [Symbol.for('Symbol.asyncDispose')](): Promise<void> {
    await this.close();
  }

  // What the client calls.

  started(result: Params): void {
    if (typeof result.sandboxType === 'string') this.sandboxType = result.sandboxType;
    void this.feed();
  }

  pushed(method: string, params: Params): void {
    try {
      if (method === 'process/output' && !this.polled) {
        this.sequence.pushedOutput(params, this.unread() < this.bufferBytes);
      } else if (method === 'process/exited') {
        this.sequence.pushedExit(params);
      } else if (method === 'process/closed' && !this.polled) {
        this.sequence.pushedClose(params);
      }
    } catch (e) {
      this.lose(new ProcessLostError(`the server sent an event that cannot be read: ${String(e)}`));
    }
    this.change();
  }

  /** Notes that pushed events may have been missed. */
  resumed(): void {
    this.sequence.behind = true;
    this.change();
  }

  lose(error: ExecServerError): void {
    if (this.lost || this.sequence.done) return;
    this.lost = error;
    for (const stream of new Set([this.stdout, this.stderr])) {
      stream.feedError(error);
      stream.end();
    }
    this.settleExit.reject(error);
    this.settleClosed.reject(error);
    this.change();
  }

  // What the sequence calls.

  output(stream: string, data: Uint8Array): void {
    (stream === 'stderr' ? this.stderr : this.stdout).feed(data);
  }

  gap(droppedBytes: number | undefined): void {
    for (const stream of new Set([this.stdout, this.stderr])) stream.feedError(new OutputGapError(droppedBytes));
  }

  exited(exit: Exit): void {
    this.known = exit;
    this.exitCode = exit.code;
    this.settleExit.resolve(exit);
  }

  finished(): void {
    if (!this.known) this.exited({ code: -1 });
    this.stdout.end();
    this.stderr.end();
    this.settleClosed.resolve(this.known!);
    this.client.forget(this);
  }

  private unread(): number {
    return this.stdout.unread + (this.stderr === this.stdout ? 0 : this.stderr.unread);
  }

  /** True if there is room, or somebody waits for one stream while the other one is full. */
  private mayRead(): boolean {
    return this.unread() < this.bufferBytes || this.stdout.waiting || this.stderr.waiting;
  }

  private change(): void {
    this.wake?.();
    this.wake = undefined;
  }

  private async feed(): Promise<void> {
    try {
      while (!this.sequence.done && !this.lost) {
        if (this.sequence.behind && this.mayRead()) {
          this.sequence.behind = this.polled;
          await this.readMore();
        } else {
          await this.awaitChange();
        }
      }
    } catch (e) {
      this.lose(e instanceof ExecServerError ? e : new UnexpectedAnswerError(`process/read: ${String(e)}`));
    }
  }

  private async awaitChange(): Promise<void> {
    const changed = new Promise<void>(resolve => (this.wake = resolve));
    if (!this.sequence.hole || this.sequence.behind) return changed;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>(resolve => {
      timer = setTimeout(() => {
        this.sequence.behind ||= this.sequence.hole;
        resolve();
      }, HOLE_MS);
    });
    await Promise.race([changed, late]);
    clearTimeout(timer);
  }

  private async readMore(): Promise<void> {
    const waitMs = this.polled ? POLL_MS : 0;
    const params = { processId: this.id, afterSeq: this.sequence.last, maxBytes: MAX_READ_BYTES, waitMs };
    let result: Record<string, any>;
    try {
      result = await this.client.call('process/read', params, {
        repeat: true,
        timeoutMs: this.client.requestTimeoutMs + waitMs,
      });
    } catch (e) {
      if (!(e instanceof RequestError)) throw e;
      if (e.serverMessage.endsWith('is starting')) {
        await new Promise(resolve => setTimeout(resolve, 50));
        this.sequence.behind = true;
      } else if (!this.known || this.polled) {
        throw new ProcessLostError(`process ${this.id} cannot be read: ${e.message}`, { cause: e });
      }
      return;
    }
    checkSize(result);
    if (result.failure) {
      throw new ProcessLostError(`the server reports of process ${this.id}: ${String(result.failure).slice(0, 4096)}`);
    }
    this.sequence.merge(result);
  }

  private async write(data: Uint8Array): Promise<void> {
    this.check();
    const params = { processId: this.id, chunk: toBase64(data), writeId: `${this.writePrefix}${++this.writes}` };
    for (let delay = FIRST_DELAY_MS; !(await this.accepted(params)); delay = Math.min(MAX_DELAY_MS, delay * 2)) {
      await new Promise(resolve => setTimeout(resolve, delay));
    }
  }

  private async accepted(params: Params): Promise<boolean> {
    let result: Record<string, any>;
    try {
      // No time limit: a server may answer only when the program has read.
      result = await this.client.call('process/write', params, { repeat: true, timeoutMs: undefined });
    } catch (e) {
      if (e instanceof RequestError && e.reason === 'stdinFull') return false;
      throw e;
    }
    if (result.status === 'stdinClosed' || result.status === 'unknownProcess') {
      throw new StdinClosedError(`process ${this.id} takes no input: ${result.status}`);
    }
    return result.status === 'accepted';
  }

  private async endInput(): Promise<void> {
    this.client.require('process/closeStdin');
    await this.client.call('process/closeStdin', { processId: this.id }, { repeat: true });
  }

  private check(): void {
    if (this.released) throw new StaleHandleError(`the handle of process ${this.id} was closed`);
  }
}

function checkSize(result: Record<string, any>): void {
  const chunks: unknown = result.chunks;
  if (!Array.isArray(chunks)) throw new UnexpectedAnswerError('process/read: `chunks` is no list');
  const size = chunks.reduce((sum: number, chunk) => sum + (String(chunk?.chunk ?? '').length * 3) / 4, 0);
  if (size > MAX_READ_BYTES + MAX_CHUNK_BYTES) {
    throw new UnexpectedAnswerError(`process/read: ${size} bytes of output where ${MAX_READ_BYTES} were asked for`);
  }
}
