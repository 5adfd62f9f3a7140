import { fromBase64 } from './bytes.js';
import type { Client } from './client.js';
import { UnexpectedAnswerError } from './errors.js';
import type { Params } from './link.js';

/** Longest wait of one look at a process. */
const WAIT_MS = 20_000;

/** What an observer has seen of a process. */
export interface Sight {
  /** Bytes between the last sight and this one that were passed over; at the begin those before the first. */
  readonly skippedBytes: number;
  readonly output: readonly { stream: string; data: Uint8Array }[];
  readonly exited: boolean;
  readonly exitCode?: number;
  /** True if the process has exited and all its output was seen. */
  readonly closed: boolean;
}

export interface FollowOptions {
  /** At the begin, about so much of the newest output; all that is kept by default. */
  lastBytes?: number;
  /** Later, most output that may wait for the observer before it passes over the oldest. */
  behindBytes?: number;
}

/**
 * Follows a process of any session of the same principal, and changes nothing: yields what is new until its output has
 * ended. An observer that is slow passes over output instead of holding the process up.
 */
export async function* follow(
  client: Client,
  sessionId: string,
  processId: string,
  options: FollowOptions = {},
): AsyncGenerator<Sight, void, undefined> {
  let position = 0;
  let afterSeq = 0;
  for (let begun = false; ; begun = true) {
    const lastBytes = begun ? options.behindBytes : options.lastBytes;
    const answer: Params = await client.observe({
      sessionId,
      processId,
      afterSeq,
      waitMs: begun ? WAIT_MS : 0,
      ...(lastBytes === undefined ? {} : { lastBytes }),
    });
    const sight = read(answer, position);
    position = answer.endOffset as number;
    afterSeq = (answer.output as any).nextSeq - 1;
    if (sight.output.length > 0 || sight.closed || sight.skippedBytes > 0) yield sight;
    if (sight.closed) return;
  }
}

function read(answer: Params, position: number): Sight {
  const output: any = answer.output;
  if (typeof answer.offset !== 'number' || typeof answer.endOffset !== 'number' || !Array.isArray(output?.chunks)) {
    throw new UnexpectedAnswerError('session/observe: the result is not what the protocol says');
  }
  return {
    skippedBytes: Math.max(0, answer.offset - position),
    output: output.chunks.map((chunk: any) => ({ stream: String(chunk.stream), data: fromBase64(chunk.chunk) })),
    exited: output.exited === true,
    ...(typeof output.exitCode === 'number' ? { exitCode: output.exitCode } : {}),
    closed: output.closed === true,
  };
}
