// command/exec of /bin/true and of 1 MiB of output, without and with a sandbox: one after the other, and 50 at once.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { median, now } from '../lib.mjs';

const CALLS = 20;
const AT_ONCE = 50;
const VARIANTS = [
  ['true', ['/bin/true'], ':danger-full-access'],
  ['true, sandboxed', ['/bin/true'], ':read-only'],
  ['1 MiB', ['head', '-c', '1048576', '/dev/zero'], ':danger-full-access'],
  ['1 MiB, sandboxed', ['head', '-c', '1048576', '/dev/zero'], ':read-only'],
];

export const title = '`command/exec`: milliseconds of one call, and of 50 at once';

/** A server that speaks the app-server dialect, and its only client. */
class AppServer {
  #id = 0;
  #process;
  #waiting = new Map();

  static async start(program, ...words) {
    const server = new AppServer();
    server.#process = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'] });
    server.ended = new Promise((resolve) => server.#process.once('exit', resolve));
    createInterface({ input: server.#process.stdout }).on('line', (line) => {
      const message = JSON.parse(line);
      server.#waiting.get(message.id)?.(message);
    });
    await server.call('initialize', { clientInfo: { name: 'bench', version: '1' }, capabilities: { experimentalApi: true } });
    server.#process.stdin.write('{"method":"initialized"}\n');
    return server;
  }

  async call(method, params) {
    const id = ++this.#id;
    const { error, result } = await new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#process.stdin.write(JSON.stringify({ id, method, params }) + '\n');
    });
    this.#waiting.delete(id);
    if (error) throw new Error(error.message);
    return result;
  }

  async exec(command, permissionProfile) {
    const { exitCode } = await this.call('command/exec', { command, permissionProfile, timeoutMs: 60000 });
    if (exitCode !== 0) throw new Error(`${command[0]} ended with ${exitCode}`);
  }

  async end() {
    this.#process.stdin.end();
    await this.ended;
  }
}

const timed = async (work) => {
  const begin = now();
  await work();
  return now() - begin;
};

/** Milliseconds of one variant on one server: of each call, and of 50 at once. */
async function measure(server, command, profile) {
  const one = () => server.exec(command, profile);
  const single = [];
  for (let call = 0; call < CALLS; call++) single.push(await timed(one));
  return { single, together: await timed(() => Promise.all(Array.from({ length: AT_ONCE }, one))) };
}

const line = (name, { single, together }) =>
  `  ${name}: p50 ${median(single).toFixed(2)} ms, 50 at once ${median(together).toFixed(0)} ms`;

const ratios = (ours, theirs) =>
  `p50 ${(median(ours.single) / median(theirs.single)).toFixed(2)}, 50 at once ${(median(ours.together) / median(theirs.together)).toFixed(2)}`;

export async function run({ program, rounds, peer }) {
  const servers = [await AppServer.start(program, '--listen', 'stdio')];
  if (peer) servers.push(await AppServer.start(peer, 'app-server'));
  const measured = servers.map(() => VARIANTS.map(() => ({ single: [], together: [] })));
  try {
    for (let round = -1; round < rounds; round++) {
      for (const [i, [, command, profile]] of VARIANTS.entries()) {
        for (const [s, server] of servers.entries()) {
          const { single, together } = await measure(server, command, profile);
          if (round < 0) continue; // warms up
          measured[s][i].single.push(...single);
          measured[s][i].together.push(together);
        }
      }
    }
  } finally {
    for (const server of servers) await server.end();
  }
  const [ours, theirs] = measured;
  return VARIANTS.flatMap(([name], i) =>
    theirs
      ? [line(name, ours[i]), line('  peer', theirs[i]), `    ours to the peer's: ${ratios(ours[i], theirs[i])}`]
      : [line(name, ours[i])],
  );
}
