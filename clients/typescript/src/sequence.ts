import { fromBase64 } from './bytes.js';
import type { Params } from './link.js';

/** Most pushed output that waits for an earlier event; what does not fit is read again later. */
const MAX_PARKED_BYTES = 1024 * 1024;
const MAX_PARKED_EVENTS = 4_096;

/** How a process has ended. */
export interface Exit {
  /** Exit code; 128 + N when signal N has ended the process. */
  readonly code: number;
  /** Why the server ended it (`timeout`, `idle`, `memory`, ...), if it did. */
  readonly reason?: string;
  /** True if the sandbox seems to have kept the process from its work; undefined if the server did not say. */
  readonly sandboxDenied?: boolean;
  /** What the denial was about, where the server knows. */
  readonly denial?: { kind?: string; path?: string; host?: string; rule?: string; suggestion?: string };
  /** When the process was started with limits. */
  readonly usage?: { cpuMs?: number; peakMemoryBytes?: number; wallMs?: number };
}

export interface SequenceListener {
  output(stream: string, data: Uint8Array): void;
  /** Output is missing here. */
  gap(droppedBytes: number | undefined): void;
  /** The exit is known. Called once. */
  exited(exit: Exit): void;
  /** Nothing follows. */
  finished(): void;
}

interface Piece {
  stream: string;
  data: Uint8Array;
}

/** Puts the events of one process into order, each once. Pushed events may come in any order, twice, or not at all. */
export class Sequence {
  /** Number of the last event that was delivered. */
  last = 0;
  /** True if a read has to ask for events that were not taken or not pushed. */
  behind = false;
  done = false;
  private readonly parked = new Map<number, Piece | null>();
  private parkedBytes = 0;
  private closeSeq: number | undefined;
  private exitKnown = false;

  constructor(private readonly listener: SequenceListener) {}

  /** True if events wait for an earlier one. */
  get hole(): boolean {
    return this.parked.size > 0 || (this.closeSeq !== undefined && !this.done);
  }

  /** Takes `process/output`, unless there is no room for it. */
  pushedOutput(params: Params, room: boolean): void {
    const seq = numbered(params.seq);
    if (this.done || seq <= this.last || this.parked.has(seq)) return;
    const data = fromBase64(params.chunk);
    const full = this.parkedBytes + data.length > MAX_PARKED_BYTES || this.parked.size >= MAX_PARKED_EVENTS;
    if (!room || (full && seq !== this.last + 1)) {
      this.behind = true;
      return;
    }
    this.park(seq, { stream: String(params.stream), data });
    this.drain();
  }

  /** Takes `process/exited`. */
  pushedExit(params: Params): void {
    if (this.done) return;
    this.learn(params);
    // Servers of an earlier era say it in the answer to a read.
    if (typeof params.sandboxDenied !== 'boolean') this.behind = true;
    if (typeof params.seq === 'number' && params.seq > this.last) {
      this.park(params.seq, null);
      this.drain();
    }
  }

  /** Takes `process/closed`. One without a number needs a read, which tells whether something is missing. */
  pushedClose(params: Params): void {
    if (this.done) return;
    if (typeof params.seq === 'number') {
      this.closeSeq = params.seq;
      this.drain();
    } else {
      this.behind = true;
    }
  }

  /** Takes the answer to a read behind `last`. */
  merge(result: Params): void {
    if (this.done) return;
    const chunks = (Array.isArray(result.chunks) ? result.chunks : []) as Params[];
    if (typeof result.firstSeq === 'number' && result.firstSeq > this.last + 1) {
      this.skipTo(result.firstSeq - 1);
      this.listener.gap(typeof result.droppedBytes === 'number' ? result.droppedBytes : undefined);
    }
    let highest = this.last;
    for (const chunk of chunks) {
      const seq = numbered(chunk.seq);
      highest = Math.max(highest, seq);
      if (seq > this.last && !this.parked.get(seq)) {
        this.park(seq, { stream: String(chunk.stream), data: fromBase64(chunk.chunk) });
      }
    }
    this.drain();
    if (result.exited === true) this.learn(result);
    if (chunks.length > 0) {
      this.skipTo(highest); // numbers between the chunks are the exit's, which may come before the last output
      this.behind = true;
    } else {
      this.skipTo(typeof result.nextSeq === 'number' ? result.nextSeq - 1 : this.last);
      if (result.closed === true) this.finish();
    }
  }

  private park(seq: number, event: Piece | null): void {
    this.parked.set(seq, event);
    this.parkedBytes += event ? event.data.length : 0;
  }

  private drain(): void {
    for (let event = this.parked.get(this.last + 1); event !== undefined; event = this.parked.get(this.last + 1)) {
      this.last++;
      this.deliver(this.last, event);
    }
    if (this.closeSeq !== undefined && this.closeSeq <= this.last + 1 && this.parked.size === 0) this.finish();
  }

  /** Delivers everything up to a number, whatever is missing. */
  private skipTo(seq: number): void {
    const due = [...this.parked.keys()].filter(number => number <= seq).sort((a, b) => a - b);
    for (const number of due) this.deliver(number, this.parked.get(number)!);
    this.last = Math.max(this.last, seq);
    this.drain();
  }

  private deliver(seq: number, event: Piece | null): void {
    this.parked.delete(seq);
    if (event) {
      this.parkedBytes -= event.data.length;
      this.listener.output(event.stream, event.data);
    }
  }

  private learn(params: Params): void {
    if (this.exitKnown) return;
    this.exitKnown = true;
    this.listener.exited({
      code: typeof params.exitCode === 'number' ? params.exitCode : -1,
      ...(typeof params.reason === 'string' ? { reason: params.reason } : {}),
      ...(typeof params.sandboxDenied === 'boolean' ? { sandboxDenied: params.sandboxDenied } : {}),
      ...(params.denial ? { denial: params.denial } : {}),
      ...(params.usage ? { usage: params.usage } : {}),
    });
  }

  private finish(): void {
    if (this.done) return;
    this.done = true;
    this.listener.finished();
  }
}

function numbered(seq: unknown): number {
  if (typeof seq !== 'number') throw new TypeError('an event has no number');
  return seq;
}
