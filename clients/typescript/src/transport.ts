/** Largest message in either direction (docs/protocol.md, "Transport"). */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** What happens on a transport. Nothing follows `ended`. */
export interface TransportListener {
  message(text: string): void;
  /** @param why the close code and reason of the other side, or what else has ended it */
  ended(why: string): void;
}

/** Sends messages, each the text of one JSON value, to the other side. */
export interface Transport {
  send(message: string): void;
  close(): void;
}

export interface SocketOptions {
  headers: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** Subprotocols that are offered; the server takes one of them. */
  protocols?: readonly string[] | undefined;
  /** Options of Node's `tls.connect` for `wss://`: `ca`, `cert`, `key`, ... */
  tls?: Readonly<Record<string, unknown>> | undefined;
}
