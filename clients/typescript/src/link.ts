import {
  ConnectFailedError,
  ConnectionLostError,
  ExecServerError,
  RequestError,
  RequestTimeoutError,
  SessionLostError,
  UnexpectedAnswerError,
  UpgradeRefusedError,
  requestError,
} from './errors.js';
import type { Transport, TransportListener } from './transport.js';
import type { Warnings } from './warnings.js';

/** Connections that may be lost under a request before it fails: its answer may be the cause. */
const MAX_LOSSES = 20;

/** Questions of the server that may be open at once. */
const MAX_QUESTIONS = 1_024;

const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 2_000;
/** Limit of the first attempt to resume, so that a silent connection does not use up the session's time. */
const FIRST_ATTEMPT_MS = 4_000;
/** Begin of what the server says when another connection has taken the session. */
export const TAKEN_OVER = 'resumed by another connection';
const SERVER_ENDS = '1001 server is shutting down';

export type Params = Readonly<Record<string, unknown>>;
/** Answers a question of the server: gets the params, returns the result. */
export type Handler = (params: Params) => unknown;
export type Dial = (timeoutMs: number, listener: TransportListener) => Promise<Transport>;

export interface CallOptions {
  /** Send the request again after a loss of the connection; else it fails with ConnectionLostError then. */
  repeat: boolean;
  /** Limit for the answer in milliseconds, counted while there is a connection; undefined is no limit. */
  timeoutMs: number | undefined;
}

class Call {
  losses = 0;
  settled = false;
  readonly promise: Promise<unknown>;
  private resolve!: (result: unknown) => void;
  private reject!: (error: Error) => void;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly method: string, readonly params: unknown, readonly options: CallOptions) {
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** Starts the time limit, which runs only while the request is on a connection. */
  sent(): void {
    const { timeoutMs } = this.options;
    if (timeoutMs !== undefined) {
      const late = `${this.method}: no answer within ${timeoutMs} ms`;
      this.timer = setTimeout(() => this.fail(new RequestTimeoutError(late)), timeoutMs);
    }
  }

  unsent(): void {
    this.losses++;
    clearTimeout(this.timer);
  }

  complete(result: unknown): void {
    clearTimeout(this.timer);
    this.settled = true;
    this.resolve(result);
  }

  fail(error: Error): void {
    clearTimeout(this.timer);
    this.settled = true;
    this.reject(error);
  }
}

/** One transport with the ids of its requests. */
class Connection implements TransportListener {
  readonly pending = new Map<number, Call>();
  hasEnded = false;
  transport: Transport | undefined;
  private nextId = 1;
  private questions = 0;

  constructor(private readonly link: Link) {}

  submit(call: Call): void {
    const id = this.nextId++;
    this.pending.set(id, call);
    const forget = () => this.pending.delete(id);
    call.promise.then(forget, forget);
    call.sent();
    this.post({ id, method: call.method, ...(call.params === undefined ? {} : { params: call.params }) });
  }

  notify(method: string): void {
    this.post({ method, params: {} });
  }

  message(text: string): void {
    if (this.hasEnded) return;
    try {
      this.take(JSON.parse(text));
    } catch (e) {
      this.end(e instanceof Error ? e.message : String(e));
    }
  }

  ended(why: string): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.link.lost(this, [...this.pending.values()].filter(call => !call.settled), why);
  }

  end(why: string): void {
    this.transport?.close();
    this.ended(why);
  }

  private post(message: unknown): void {
    if (!this.hasEnded) this.transport?.send(JSON.stringify(message));
  }

  private take(message: any): void {
    if (typeof message !== 'object' || message === null || Array.isArray(message)) {
      throw new UnexpectedAnswerError('the server sent something that is no JSON object');
    }
    if (typeof message.method === 'string') {
      const params: Params = typeof message.params === 'object' && message.params !== null ? message.params : {};
      if (message.id === undefined) this.link.onNotification(message.method, params);
      else this.question(message.id, message.method, params);
      return;
    }
    const call = this.pending.get(message.id);
    if (!call || call.settled) return; // an answer that came too late
    this.link.warnings.answered(call.method, message);
    if (message.error !== undefined) call.fail(requestError(call.method, message.error));
    else call.complete(message.result);
  }

  private question(id: unknown, method: string, params: Params): void {
    if (++this.questions > MAX_QUESTIONS) {
      throw new UnexpectedAnswerError(`the server asks more than ${MAX_QUESTIONS} questions at once`);
    }
    void this.answer(id, method, params).finally(() => this.questions--);
  }

  private async answer(id: unknown, method: string, params: Params): Promise<void> {
    const handler = this.link.handlers.get(method);
    if (!handler) {
      this.post({ id, error: { code: -32601, message: `this client does not know \`${method}\`` } });
      return;
    }
    try {
      this.post({ id, result: (await handler(params)) ?? {} });
    } catch (e) {
      this.post({ id, error: { code: -32603, message: String(e) } });
    }
  }
}

/** Session with a server. Resumes it over a new connection after a loss, until `reconnectMs` have passed. */
export class Link {
  readonly handlers = new Map<string, Handler>();
  onNotification: (method: string, params: Params) => void = () => {};
  onResumed: () => void = () => {};
  onEnded: (error: ConnectionLostError) => void = () => {};
  onConnection: (state: 'connected' | 'lost' | 'ended', why: string) => void = () => {};
  greeting: Record<string, any> = {};
  private connection: Connection | undefined;
  private waiting: Call[] = [];
  private ending: ConnectionLostError | undefined;

  constructor(
    private readonly dial: Dial,
    private readonly initialize: Params,
    private readonly connectTimeoutMs: number,
    private readonly reconnectMs: number,
    readonly warnings: Warnings,
  ) {}

  /** Makes the first connection; one attempt. */
  async open(resume: string | undefined, takeover: boolean): Promise<void> {
    const [connection, greeting] = await this.connect(this.connectTimeoutMs, resume, takeover);
    if (connection.hasEnded) throw new ConnectFailedError('the connection ended after the handshake');
    this.adopt(connection, greeting);
  }

  /** Sends a request and waits for its result. */
  async call(method: string, params: unknown, options: CallOptions): Promise<unknown> {
    const call = new Call(method, params, options);
    this.dispatch(call);
    try {
      return await call.promise;
    } finally {
      this.waiting = this.waiting.filter(other => other !== call);
    }
  }

  /** Ends the connection. The session stays on the server for its time to live. */
  close(): void {
    const connection = this.connection;
    this.finish(new ConnectionLostError('closed by this client'));
    connection?.end('closed by this client');
  }

  get closed(): boolean {
    return this.ending !== undefined;
  }

  /** Sorts the calls of a connection that has ended, and looks for the next one. */
  lost(connection: Connection, unanswered: readonly Call[], why: string): void {
    const current = connection === this.connection;
    if (current) this.connection = undefined;
    for (const call of unanswered) {
      if (current && call.options.repeat && call.losses < MAX_LOSSES) {
        call.unsent();
        this.waiting.push(call);
      } else {
        call.fail(new ConnectionLostError(`${call.method}: ${why}`));
      }
    }
    if (current && !this.ending) this.recover(why);
  }

  private dispatch(call: Call): void {
    if (this.ending) call.fail(this.ending);
    else if (this.connection) this.connection.submit(call);
    else this.waiting.push(call);
  }

  private async connect(
    timeoutMs: number,
    resume: string | undefined,
    takeover: boolean,
  ): Promise<[Connection, Record<string, any>]> {
    const connection = new Connection(this);
    connection.transport = await this.dial(timeoutMs, connection);
    const params = {
      ...this.initialize,
      ...(resume === undefined ? {} : { resumeSessionId: resume }),
      ...(resume !== undefined && takeover ? { takeover } : {}),
    };
    const call = new Call('initialize', params, { repeat: false, timeoutMs });
    connection.submit(call);
    try {
      const greeting = await call.promise;
      if (typeof greeting !== 'object' || greeting === null) {
        throw new UnexpectedAnswerError('initialize: the result is no object');
      }
      connection.notify('initialized');
      return [connection, greeting];
    } catch (e) {
      connection.end('the handshake has failed');
      throw e;
    }
  }

  private adopt(connection: Connection, greeting: Record<string, any>): void {
    this.greeting = greeting;
    this.connection = connection;
    const due = this.waiting;
    this.waiting = [];
    for (const call of due) if (!call.settled) this.dispatch(call);
    this.onConnection('connected', '');
  }

  private recover(why: string): void {
    const session: unknown = this.greeting.sessionId;
    if (why.includes(TAKEN_OVER)) {
      this.finish(new SessionLostError(`another client has taken over the session: ${why}`));
    } else if (why.startsWith(SERVER_ENDS)) {
      this.finish(new SessionLostError(`the server has ended the session and its programs: ${why}`));
    } else if (typeof session !== 'string' || this.reconnectMs <= 0) {
      this.finish(new ConnectionLostError(why));
    } else {
      this.onConnection('lost', why);
      void this.reconnect(session, why);
    }
  }

  private async reconnect(session: string, why: string): Promise<void> {
    const deadline = Date.now() + this.reconnectMs;
    let delay = FIRST_DELAY_MS;
    let attemptLimit = FIRST_ATTEMPT_MS;
    let failure = 'no attempt was made';
    for (let left = this.reconnectMs; left > 0 && !this.ending; left = deadline - Date.now()) {
      const limit = Math.min(left, attemptLimit, this.connectTimeoutMs);
      const began = Date.now();
      try {
        const [connection, greeting] = await this.connect(limit, session, false);
        if (this.ending) {
          connection.end('not needed any more');
          return;
        }
        if (!connection.hasEnded) {
          if (greeting.sessionId !== session) {
            connection.end('not the session that was asked for');
            this.finish(new SessionLostError(`the server did not resume session ${session}`));
            return;
          }
          this.adopt(connection, greeting);
          this.onResumed();
          return;
        }
        failure = 'the new connection was lost, too';
      } catch (e) {
        const final = finalFailure(e, session);
        if (final) {
          this.finish(final);
          return;
        }
        failure = e instanceof Error ? e.message : String(e);
      }
      if (Date.now() - began >= limit) attemptLimit *= 2;
      await new Promise(resolve => setTimeout(resolve, delay * (0.5 + Math.random() / 2)));
      delay = Math.min(MAX_DELAY_MS, delay * 2);
    }
    this.finish(new ConnectionLostError(`${why}; not connected again within ${this.reconnectMs} ms: ${failure}`));
  }

  private finish(error: ConnectionLostError): void {
    if (this.ending) return;
    this.ending = error;
    this.connection = undefined;
    const waiting = this.waiting;
    this.waiting = [];
    for (const call of waiting) call.fail(error);
    this.onEnded(error);
    this.onConnection('ended', error.message);
  }
}

/** Returns the end of the session that a failed attempt means, or undefined if another attempt may succeed. */
function finalFailure(e: unknown, session: string): SessionLostError | undefined {
  if (e instanceof UpgradeRefusedError && e.permanent) {
    return new SessionLostError(`session ${session} is lost: ${e.message}`);
  }
  if (e instanceof RequestError && e.code === -32600) {
    return new SessionLostError(`session ${session} is gone, and its processes with it: ${e.message}`);
  }
  if (!(e instanceof ExecServerError)) {
    return new SessionLostError(`session ${session} is lost: ${String(e)}`);
  }
  return undefined;
}
