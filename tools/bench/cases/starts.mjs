// The cost of rules for the start of a command.
import { Server, median, sideBySide } from '../lib.mjs';

const STARTS = 50;

export const title = `milliseconds from the request to process/closed, median of ${STARTS} starts of /bin/true`;

export async function run({ program, rounds }) {
  const server = await Server.start(program);
  const variant = (members) => async () => {
    const times = [];
    for (let i = 0; i < STARTS; i++) times.push((await server.run(['/bin/true'], members)).ms);
    return median(times);
  };
  try {
    return await sideBySide({
      plain: variant({}),
      execPolicy: variant({ execPolicy: { prefixRules: [{ pattern: ['/usr/bin/false'], decision: 'forbidden' }] } }),
    }, rounds);
  } finally {
    await server.stop();
  }
}
