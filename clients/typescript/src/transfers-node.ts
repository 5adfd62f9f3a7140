import { createReadStream } from 'node:fs';
import { mkdtemp, open, rename, rm } from 'node:fs/promises';
import { request as plain, type IncomingMessage } from 'node:http';
import { request as encrypted } from 'node:https';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from './client.js';
import { ConnectFailedError, ConnectionLostError, ExecServerError, RequestTimeoutError, requestError } from './errors.js';
import { below } from './paths.js';

const FEATURE = '/files';
const MAX_ERROR_BYTES = 64 * 1024;

/** A running download. */
export interface Download {
  /** Length of what comes, in bytes. */
  readonly size: number;
  /** Names the state of the file, for `upload` with `ifMatch`. */
  readonly tag: string;
  readonly content: AsyncIterable<Uint8Array>;
}

export interface UploadOptions {
  /** Replace only the state with this tag. */
  ifMatch?: string;
  /** Fail if the file exists. */
  create?: boolean;
}

/** What is uploaded: a local file, bytes, or pieces of them. */
export type UploadSource = { file: string } | Uint8Array | AsyncIterable<Uint8Array>;

/**
 * Whole files over HTTP beside the WebSocket, streamed and without Base64 (docs/files-over-http.md). They need a server with a
 * token. A transfer that stands still for the client's `requestTimeoutMs` fails.
 */
export class Transfers {
  constructor(private readonly client: Client) {
    client.require(FEATURE);
    if (!client.address.token || !/^wss?:/.test(client.address.url)) {
      throw new ConnectFailedError('transfers need a ws:// or wss:// URL and a token');
    }
  }

  /** Begins a download, from the byte `start` on. */
  async open(path: string, start = 0): Promise<Download> {
    const headers = start > 0 ? { Range: `bytes=${start}-` } : {};
    const response = await this.send('GET', path, headers, undefined);
    const size = Number(response.headers['content-length']);
    return { size, tag: response.headers.etag ?? '', content: whole(response, size) };
  }

  /** Downloads into a local file, which is replaced when the download is complete. Returns its size. */
  async download(path: string, target: string): Promise<number> {
    const incoming = await this.open(path);
    const folder = await mkdtemp(join(dirname(target), '.exec-client-'));
    try {
      const part = join(folder, 'part');
      const file = await open(part, 'wx');
      try {
        for await (const piece of incoming.content) await file.writeFile(piece);
      } finally {
        await file.close();
      }
      await rename(part, target);
      return incoming.size;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Uploads a file, which appears when it has arrived completely. Returns its tag. */
  async upload(source: UploadSource, path: string, options: UploadOptions = {}): Promise<string> {
    const headers: Record<string, string> = {};
    if (options.ifMatch !== undefined) headers['If-Match'] = options.ifMatch;
    if (options.create) headers['If-None-Match'] = '*';
    if (source instanceof Uint8Array) headers['Content-Length'] = String(source.length);
    const response = await this.send('PUT', path, headers, body(source));
    response.resume();
    return response.headers.etag ?? '';
  }

  private async send(
    method: string,
    path: string,
    headers: Record<string, string>,
    content: Readable | undefined,
  ): Promise<IncomingMessage> {
    const { url, tls } = this.client.address;
    const at = new URL(url);
    const target = `${at.pathname.replace(/\/$/, '')}/files?path=${encodeURIComponent(below(this.client.cwdUri, path))}`;
    const options = {
      ...tls,
      method,
      host: at.hostname.replace(/^\[|\]$/g, ''),
      port: at.port || (at.protocol === 'wss:' ? 443 : 80),
      path: target,
      agent: false as const,
      timeout: this.client.requestTimeoutMs,
      headers: { ...(await this.client.address.headers()), ...headers },
    };
    const sent = at.protocol === 'wss:' ? encrypted(options) : plain(options);
    sent.on('timeout', () =>
      sent.destroy(new RequestTimeoutError(`the transfer has stood still for ${this.client.requestTimeoutMs} ms`)),
    );
    const response = new Promise<IncomingMessage>((resolve, reject) => {
      sent.on('response', resolve);
      sent.on('error', reject);
    });
    let fault: unknown;
    response.catch(() => undefined); // told below
    try {
      if (content) {
        // A server that refuses does not read the body; its answer tells why.
        await Promise.race([pipeline(content, sent), response]).catch(e => (fault = e));
      } else {
        sent.end();
      }
      return await answered(`${method} /files`, await response);
    } catch (e) {
      sent.destroy();
      if (e instanceof ExecServerError) throw e;
      if (fault !== undefined && !LOSSES.has((fault as { code?: string }).code ?? '')) throw fault;
      throw new ConnectionLostError(`the transfer has failed: ${(e as Error).message}`, { cause: e });
    }
  }
}

/** Codes of errors of the connection; others are of what was to be uploaded. */
const LOSSES = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']);

function body(source: UploadSource): Readable {
  if (source instanceof Uint8Array) return Readable.from([source]);
  return 'file' in source ? createReadStream(source.file) : Readable.from(source);
}

async function* whole(response: IncomingMessage, size: number): AsyncGenerator<Uint8Array> {
  let left = size;
  try {
    for await (const piece of response) {
      left -= (piece as Uint8Array).length;
      yield piece as Uint8Array;
    }
  } catch (e) {
    throw new ConnectionLostError(`the download has ended ${left} bytes early`, { cause: e });
  }
  if (left !== 0) throw new ConnectionLostError(`the download has ended ${left} bytes early`);
}

async function answered(method: string, response: IncomingMessage): Promise<IncomingMessage> {
  if ([200, 201, 204, 206].includes(response.statusCode ?? 0)) return response;
  let text = '';
  for await (const piece of response) {
    text += String(piece);
    if (text.length > MAX_ERROR_BYTES) break;
  }
  let error: unknown = { message: `HTTP status ${response.statusCode}` };
  try {
    error = JSON.parse(text).error ?? error;
  } catch {
    // not of our server, or of a proxy before it: the status tells
  }
  throw requestError(method, error);
}
