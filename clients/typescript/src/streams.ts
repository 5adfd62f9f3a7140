import { join, toBytes } from './bytes.js';
import { OutputLimitError, StaleHandleError } from './errors.js';

/** Output of one stream that may wait while the other stream is read. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

/**
 * One output stream of a process: an async iterable of pieces. One reader at a time. A place where the server had to drop
 * output throws OutputGapError once; the next read goes on behind it.
 */
export class OutputStream implements AsyncIterable<Uint8Array> {
  private readonly items: (Uint8Array | Error)[] = [];
  private ended = false;
  private overflown = false;
  private wake: (() => void) | undefined;
  /** Bytes that wait to be read. */
  unread = 0;

  constructor(private readonly changed: () => void) {}

  /** Returns the next piece, at most `maxBytes`; undefined at the end. */
  async read(maxBytes = Number.MAX_SAFE_INTEGER): Promise<Uint8Array | undefined> {
    while (this.items.length === 0) {
      if (this.ended) return undefined;
      const arrived = new Promise<void>(resolve => (this.wake = resolve));
      this.changed();
      await arrived;
    }
    const item = this.items.shift()!;
    if (item instanceof Error) throw item;
    this.unread -= item.length;
    if (item.length > maxBytes) {
      this.putBack(item.subarray(maxBytes));
      return item.subarray(0, maxBytes);
    }
    this.changed();
    return item;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for (let piece = await this.read(); piece; piece = await this.read()) yield piece;
  }

  /** Yields lines of UTF-8 without their newline. */
  async *lines(): AsyncGenerator<string> {
    const decoder = new TextDecoder();
    let line: Uint8Array[] = [];
    let size = 0;
    for await (const piece of this) {
      let start = 0;
      for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, start)) {
        yield decoder.decode(join([...line, piece.subarray(start, end)]));
        line = [];
        size = 0;
        start = end + 1;
      }
      if (start < piece.length) {
        line.push(piece.subarray(start));
        size += piece.length - start;
        if (size > MAX_UNREAD_BYTES) throw new OutputLimitError(`a line has more than ${MAX_UNREAD_BYTES} bytes`);
      }
    }
    if (line.length > 0) yield decoder.decode(join(line));
  }

  /** Reads to the end. */
  async bytes(): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    for await (const piece of this) pieces.push(piece);
    return join(pieces);
  }

  /** Reads to the end, as text. */
  async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes());
  }

  // What the process calls.

  /** True while a reader waits for more. */
  get waiting(): boolean {
    return this.wake !== undefined;
  }

  feed(data: Uint8Array): void {
    if (data.length === 0 || this.ended || this.overflown) return;
    if (this.unread + data.length > MAX_UNREAD_BYTES) {
      this.overflown = true;
      this.feedError(new OutputLimitError(`more than ${MAX_UNREAD_BYTES} bytes were not read; the rest is dropped`));
      return;
    }
    this.items.push(data);
    this.unread += data.length;
    this.arrive();
  }

  feedError(error: Error): void {
    if (this.ended) return;
    this.items.push(error);
    this.arrive();
  }

  end(): void {
    this.ended = true;
    this.arrive();
  }

  private putBack(rest: Uint8Array): void {
    this.items.unshift(rest);
    this.unread += rest.length;
  }

  private arrive(): void {
    this.wake?.();
    this.wake = undefined;
  }
}

/** stdin of a process. Throws StdinClosedError when the process takes no input. */
export class InputStream {
  private last: Promise<void> = Promise.resolve();
  private ended = false;

  constructor(
    private readonly send: (data: Uint8Array) => Promise<void>,
    private readonly sendEnd: () => Promise<void>,
  ) {}

  /** Sends bytes, or text as UTF-8. Done when the server has taken them, as fast as the program reads. Keeps the order. */
  write(data: Uint8Array | string): Promise<void> {
    if (this.ended) return Promise.reject(new StaleHandleError('write after end'));
    const bytes = toBytes(data);
    return this.inOrder(async () => {
      for (let at = 0; at < bytes.length; at += 1 << 20) await this.send(bytes.subarray(at, at + (1 << 20)));
    });
  }

  /** Ends the input, behind everything that was written. */
  end(data?: Uint8Array | string): Promise<void> {
    const written = data === undefined ? undefined : this.write(data);
    if (this.ended) return this.last;
    this.ended = true;
    const ending = this.inOrder(this.sendEnd);
    return written ? written.then(() => ending) : ending;
  }

  private inOrder(work: () => Promise<void>): Promise<void> {
    const next = this.last.then(work);
    this.last = next.catch(() => {}); // the caller gets the failure; what follows is tried all the same
    return next;
  }
}
