import { fromBase64, join, randomId, toBase64, toBytes } from './bytes.js';
import type { Client } from './client.js';
import { UnexpectedAnswerError } from './errors.js';
import type { Params } from './link.js';
import { below, fromUri } from './paths.js';
import { sandboxMember, type SandboxLike } from './sandbox.js';
import type { DirectoryEntry } from './types.js';

/** Size of one block (docs/protocol.md, "Limits"). */
const BLOCK_BYTES = 1024 * 1024;

/** Notifications of a watch that wait for whoever reads them; the next one says that some are missing. */
const MAX_WAITING_CHANGES = 1_024;

export interface InSandbox {
  sandbox?: SandboxLike;
}

/** What the server says of a file. */
export interface FileInfo {
  isDirectory: boolean;
  isFile: boolean;
  isSymlink: boolean;
  size: number;
  createdAtMs: number;
  modifiedAtMs: number;
  /** Permission bits, from servers that tell them. */
  mode?: number;
}

export interface Change {
  path: string;
  kind: 'created' | 'modified' | 'attributes' | 'removed';
}

/** Some changes of a watch. */
export interface Changes {
  changes: Change[];
  /** Some changes were lost; look for yourself. */
  overflow?: boolean;
  /** The watch has ended. */
  ended?: boolean;
}

/** File methods of a session. A relative path is below the server's working directory. */
export class Files {
  constructor(private readonly client: Client) {}

  /** Returns the content of a file of any size. */
  async read(path: string, options: InSandbox = {}): Promise<Uint8Array> {
    const blocks: Uint8Array[] = [];
    for await (const block of this.readBlocks(path, options)) blocks.push(block);
    return join(blocks);
  }

  async readText(path: string, options: InSandbox = {}): Promise<string> {
    return new TextDecoder().decode(await this.read(path, options));
  }

  /** Yields the content of a file in blocks of at most 1 MiB. */
  async *readBlocks(path: string, options: InSandbox = {}): AsyncGenerator<Uint8Array> {
    const handleId = randomId();
    await this.call('fs/open', { handleId, path: this.uri(path), mode: 'read' }, options, false);
    try {
      for (let offset = 0; ; ) {
        const params = { handleId, offset, len: BLOCK_BYTES };
        const block = await this.client.call('fs/readBlock', params, { repeat: false });
        const data = fromBase64(block.chunk);
        if (data.length > BLOCK_BYTES) {
          throw new UnexpectedAnswerError(`fs/readBlock: ${data.length} bytes where ${BLOCK_BYTES} were asked for`);
        }
        if (data.length > 0) yield data;
        offset += data.length;
        if (block.eof === true || data.length === 0) return;
      }
    } finally {
      await this.closeHandle(handleId);
    }
  }

  /** Makes or replaces a file. One above 16 MiB is written in blocks. */
  async write(path: string, content: Uint8Array | string, options: InSandbox = {}): Promise<void> {
    const data = toBytes(content);
    if (data.length <= 16 * BLOCK_BYTES) {
      await this.call('fs/writeFile', { path: this.uri(path), dataBase64: toBase64(data) }, options, false);
      return;
    }
    await this.writeBlocks(path, [data], options);
  }

  /** Makes or replaces a file from pieces of any length. Returns its size. */
  async writeBlocks(
    path: string,
    pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    options: InSandbox = {},
  ): Promise<number> {
    const handleId = randomId();
    await this.call('fs/open', { handleId, path: this.uri(path), mode: 'replace' }, options, false);
    let offset = 0;
    try {
      for await (const piece of pieces) {
        for (let at = 0; at < piece.length; at += BLOCK_BYTES) {
          const block = piece.subarray(at, at + BLOCK_BYTES);
          const params = { handleId, offset, chunk: toBase64(block) };
          await this.client.call('fs/writeBlock', params, { repeat: false });
          offset += block.length;
        }
      }
      return offset;
    } finally {
      await this.closeHandle(handleId);
    }
  }

  /** Writes behind the end of a file, which is made when there is none. Returns its new size. */
  async append(path: string, content: Uint8Array | string, options: InSandbox = {}): Promise<number> {
    this.client.require('fs/append');
    const params = { path: this.uri(path), dataBase64: toBase64(toBytes(content)) };
    return (await this.call('fs/append', params, options, false)).size;
  }

  async stat(path: string, options: InSandbox & { follow?: boolean } = {}): Promise<FileInfo> {
    const mode = this.client.features.has('mode') ? { mode: true } : {};
    const params = { path: this.uri(path), followSymlinks: options.follow ?? true, ...mode };
    return (await this.call('fs/getMetadata', params, options, true)) as FileInfo;
  }

  /** Returns the names in a directory, sorted. */
  async list(path: string, options: InSandbox = {}): Promise<string[]> {
    return (await this.entries(path, options)).map(entry => entry.fileName).sort();
  }

  /** Returns what is in a directory as the server says it. */
  async entries(path: string, options: InSandbox = {}): Promise<DirectoryEntry[]> {
    const found = await this.call('fs/readDirectory', { path: this.uri(path) }, options, true);
    return found.entries as DirectoryEntry[];
  }

  /** Returns the entries of a tree, with native paths; `walk` are the options of `fs/walk`. */
  async walk(
    path: string,
    walk: Params = {},
    options: InSandbox = {},
  ): Promise<{ entries: { path: string; kind: string }[]; errors: { path: string; message: string }[]; truncated: boolean }> {
    const found = await this.call('fs/walk', { path: this.uri(path), options: walk }, options, true);
    const native = <T extends { path: string }>(list: T[]): T[] => list.map(one => ({ ...one, path: fromUri(one.path) }));
    return { entries: native(found.entries), errors: native(found.errors), truncated: found.truncated };
  }

  async mkdir(path: string, options: InSandbox & { parents?: boolean } = {}): Promise<void> {
    const params = { path: this.uri(path), recursive: options.parents ?? true };
    await this.call('fs/createDirectory', params, options, false);
  }

  async remove(path: string, options: InSandbox & { recursive?: boolean; missingOk?: boolean } = {}): Promise<void> {
    const params = { path: this.uri(path), recursive: options.recursive ?? true, force: options.missingOk ?? true };
    await this.call('fs/remove', params, options, false);
  }

  /** Copies a file, or a tree with `recursive`, on the server. */
  async copy(source: string, target: string, options: InSandbox & { recursive?: boolean } = {}): Promise<void> {
    const recursive = options.recursive ?? false;
    const params = { sourcePath: this.uri(source), destinationPath: this.uri(target), recursive };
    await this.call('fs/copy', params, options, false);
  }

  async rename(source: string, target: string, options: InSandbox & { replace?: boolean } = {}): Promise<void> {
    this.client.require('fs/rename');
    const replace = options.replace ?? false;
    const params = { sourcePath: this.uri(source), destinationPath: this.uri(target), replace };
    await this.call('fs/rename', params, options, false);
  }

  async chmod(path: string, mode: number, options: InSandbox = {}): Promise<void> {
    this.client.require('fs/setMode');
    await this.call('fs/setMode', { path: this.uri(path), mode }, options, true);
  }

  /** Watches a file or the entries of a directory: `for await (const change of watch)`. */
  async watch(path: string, options: { recursive?: boolean } = {}): Promise<Watch> {
    this.client.require('fs/watch');
    const watch = new Watch(this.client, Math.floor(Math.random() * 2 ** 48));
    this.client.watch(watch.id, params => watch.changed(params));
    try {
      const params = { watchId: watch.id, path: this.uri(path), recursive: options.recursive ?? false };
      await this.client.call('fs/watch', params, { repeat: false });
    } catch (e) {
      this.client.watch(watch.id, undefined);
      throw e;
    }
    return watch;
  }

  private uri(path: string): string {
    return below(this.client.cwdUri, path);
  }

  private async closeHandle(handleId: string): Promise<void> {
    if (!this.client.closed) await this.client.call('fs/close', { handleId }, { repeat: false });
  }

  private call(method: string, params: Params, options: InSandbox, repeat: boolean): Promise<Record<string, any>> {
    const sandbox = options.sandbox && { sandbox: sandboxMember(options.sandbox, this.client.cwdUri) };
    return this.client.call(method, { ...params, ...sandbox }, { repeat });
  }
}

/** Changes of a watched file or directory. It belongs to a connection and is lost with it. */
export class Watch implements AsyncIterable<Changes> {
  private readonly waiting: Changes[] = [];
  private lost = false;
  private ended = false;
  private wake: (() => void) | undefined;

  constructor(private readonly client: Client, readonly id: number) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Changes> {
    while (true) {
      const next = this.waiting.shift();
      if (next) yield next;
      else if (this.ended) return;
      else await new Promise<void>(resolve => (this.wake = resolve));
    }
  }

  async close(): Promise<void> {
    this.client.watch(this.id, undefined);
    if (this.ended) return;
    this.end();
    if (!this.client.closed) await this.client.call('fs/unwatch', { watchId: this.id }, { repeat: false });
  }

  changed(params: Params): void {
    if (this.ended) return;
    if (this.waiting.length >= MAX_WAITING_CHANGES) {
      this.lost = true;
    } else {
      const changes = ((params.changes ?? []) as Change[]).map(change => ({ ...change, path: fromUri(change.path) }));
      const overflow = this.lost || params.overflow === true ? { overflow: true } : {};
      this.waiting.push({ changes, ...overflow, ...(params.ended === true ? { ended: true } : {}) });
      this.lost = false;
    }
    if (params.ended === true) this.end();
    this.wake?.();
  }

  private end(): void {
    this.ended = true;
    this.wake?.();
  }
}
