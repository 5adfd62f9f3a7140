/** Errors of the client. All of them are an ExecServerError. */

export class ExecServerError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** No connection could be made. */
export class ConnectFailedError extends ExecServerError {}

/** The server answered the upgrade to a WebSocket with an HTTP status other than 101. */
export class UpgradeRefusedError extends ConnectFailedError {
  constructor(url: string, readonly status: number) {
    super(`${url} refuses the connection with HTTP status ${status}`);
  }

  /** True if another attempt with the same credentials cannot succeed. */
  get permanent(): boolean {
    return [400, 401, 403, 404].includes(this.status);
  }
}

/** The server answered a request with an error (docs/protocol.md, "Envelope"). */
export class RequestError extends ExecServerError {
  constructor(
    readonly method: string,
    readonly code: number,
    readonly serverMessage: string,
    readonly data: Readonly<Record<string, unknown>>,
  ) {
    super(`${method}: ${serverMessage}`);
  }

  /** Name of the cause, if the server gives one (docs/protocol-additions.md, "`data` of errors"). */
  get reason(): string | undefined {
    return typeof this.data.reason === 'string' ? this.data.reason : undefined;
  }

  get errno(): number | undefined {
    return typeof this.data.errno === 'number' ? this.data.errno : undefined;
  }
}

/** A file or a file handle does not exist. */
export class NotFoundError extends RequestError {}

/** The session is attached to another connection; worth another attempt. */
export class SessionBusyError extends RequestError {}

/** No answer came in time. Whether the server has carried the request out is not known. */
export class RequestTimeoutError extends ExecServerError {}

/** The connection was lost, and the request must not be repeated, or there was no new connection in time. */
export class ConnectionLostError extends ExecServerError {}

/** The session is gone; its processes have ended, or belong to another client. */
export class SessionLostError extends ConnectionLostError {}

/** The server lacks an addition to the protocol. Nothing was sent. */
export class UnsupportedFeatureError extends ExecServerError {
  constructor(readonly feature: string) {
    super(`the server does not have the feature \`${feature}\``);
  }
}

/** An answer is not what the protocol says, or larger than what was asked for. */
export class UnexpectedAnswerError extends ExecServerError {}

/** Nothing more will be heard of a process. */
export class ProcessLostError extends ExecServerError {}

/** The process takes no input (any more). */
export class StdinClosedError extends ExecServerError {}

/** The handle was closed; it never reaches another process. */
export class StaleHandleError extends ExecServerError {}

/** Output is missing at this place, because the server had to drop it. The next read goes on behind the gap. */
export class OutputGapError extends ExecServerError {
  constructor(readonly droppedBytes: number | undefined) {
    super(`${droppedBytes ?? 'an unknown number of'} bytes of output are missing`);
  }
}

/** More output waits for its reader than may wait. */
export class OutputLimitError extends ExecServerError {}

/** Returns the error for the `error` member of an answer. */
export function requestError(method: string, error: unknown): RequestError {
  const given = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  const code = typeof given.code === 'number' ? given.code : -32603;
  const message = typeof given.message === 'string' ? given.message : 'an error without a message';
  const data = typeof given.data === 'object' && given.data !== null ? (given.data as Record<string, unknown>) : {};
  if (code === -32004) return new NotFoundError(method, code, message, data);
  if (code === -32010) return new SessionBusyError(method, code, message, data);
  return new RequestError(method, code, message, data);
}
