// The cost of transparent TCP for the start of a command with a managed network.
import { Server, managed, median, proxied, sideBySide } from '../lib.mjs';

const STARTS = 30;

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
      managed: variant({ ...managed, ...proxied({}, false) }),
      transparent: variant({ ...managed, ...proxied({}, true) }),
    }, rounds);
  } finally {
    await server.stop();
  }
}
