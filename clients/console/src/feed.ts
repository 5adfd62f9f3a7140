import type { Client } from '../../typescript/src/index.js';
import { fromBase64, toBase64 } from '../../typescript/src/bytes.js';
import { Screen } from './screen.js';

const WAIT_MS = 20_000;
const PIECE_BYTES = 128 * 1024;
const TAIL_BYTES = 512 * 1024;
const MAX_DOWNLOAD_BYTES = 256 * 1024 * 1024;

type Answer = Record<string, any>;

/**
 * What the page knows of one process: its screen, and how it ended. The page drives the processes of its own session, so it reads their
 * output as their client; at those of others it looks.
 */
export class Feed {
  readonly screen: Screen;
  exitCode: number | undefined;
  closed = false;
  denial: Answer | undefined;
  /** Why nothing more comes. */
  failure = '';
  skipped = 0;
  onChange: () => void = () => {};
  private afterSeq = 0;
  private stopped = false;
  private writes = 0;
  private readonly writeId = `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 8)}`;
  private input: Promise<void> = Promise.resolve();

  constructor(
    private readonly client: Client,
    readonly sessionId: string,
    readonly processId: string,
    own: boolean,
    readonly tty: boolean,
    typing: boolean,
  ) {
    this.screen = new Screen(own && typing && tty, !tty);
    if (this.screen.typing) {
      this.screen.terminal.onData(text => this.type(new TextEncoder().encode(text)));
      this.screen.terminal.onBinary(text => this.type(Uint8Array.from(text, char => char.charCodeAt(0))));
      this.screen.terminal.onResize(({ cols, rows }) => void this.resize(cols, rows));
    }
    void (own ? this.drive() : this.look());
  }

  stop(): void {
    this.stopped = true;
    this.screen.dispose();
  }

  private async drive(): Promise<void> {
    await this.loop(async () => {
      const params = { processId: this.processId, afterSeq: this.afterSeq, maxBytes: PIECE_BYTES, waitMs: WAIT_MS };
      return this.client.call('process/read', params, { repeat: true, timeoutMs: WAIT_MS * 3 });
    });
  }

  private async look(): Promise<void> {
    let position = 0;
    let begun = false;
    await this.loop(async () => {
      const { sessionId, processId, afterSeq } = this;
      const answer: Answer = await this.client.observe({
        sessionId, processId, afterSeq, waitMs: begun ? WAIT_MS : 0, lastBytes: TAIL_BYTES,
      });
      this.skipped += Math.max(0, answer.offset - position);
      position = answer.endOffset;
      begun = true;
      return answer.output;
    });
  }

  private async loop(read: () => Promise<Answer>): Promise<void> {
    try {
      while (!this.closed && !this.stopped) await this.take(await read());
    } catch (e) {
      this.failure = e instanceof Error ? e.message : String(e);
      this.onChange();
    }
  }

  private async take(answer: Answer): Promise<void> {
    for (const chunk of answer.chunks) {
      if (this.stopped) return;
      await new Promise<void>(written => this.screen.terminal.write(fromBase64(chunk.chunk), written));
    }
    if (typeof answer.nextSeq === 'number') this.afterSeq = answer.nextSeq - 1;
    if (answer.exited && typeof answer.exitCode === 'number') this.exitCode = answer.exitCode;
    if (answer.denial) this.denial = answer.denial;
    this.closed = answer.closed === true;
    if (answer.failure) throw new Error(String(answer.failure));
    this.onChange();
  }

  private type(data: Uint8Array): void {
    const params = { processId: this.processId, chunk: toBase64(data), writeId: `${this.writeId}-${++this.writes}` };
    this.input = this.input.then(async () => {
      try {
        await this.client.call('process/write', params, { repeat: true, timeoutMs: undefined });
      } catch (e) {
        this.failure = `What you typed did not arrive: ${e instanceof Error ? e.message : e}`;
        this.onChange();
      }
    });
  }

  private async resize(cols: number, rows: number): Promise<void> {
    const params = { processId: this.processId, cols, rows };
    await this.client.call('process/resize', params, { repeat: true }).catch(() => {}); // it has ended
  }

  /** Returns everything that the server still has of the output. */
  async download(): Promise<Blob> {
    const pieces: BlobPart[] = [];
    let afterSeq = 0;
    for (let size = 0; size < MAX_DOWNLOAD_BYTES; ) {
      const { sessionId, processId } = this;
      const answer: Answer = await this.client.observe({ sessionId, processId, afterSeq, waitMs: 0 });
      const chunks: Answer[] = answer.output.chunks;
      if (chunks.length === 0) break;
      for (const chunk of chunks) {
        const data = fromBase64(chunk.chunk);
        size += data.length;
        pieces.push(data as BlobPart);
      }
      afterSeq = answer.output.nextSeq - 1;
    }
    return new Blob(pieces);
  }
}
