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

  static async start(program) {
    const server = new AppServer();
    server.#process = spawn(program, ['--listen', 'stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
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

export async function run({ program, rounds }) {
  const server = await AppServer.start(program);
  const single = VARIANTS.map(() => []);
  const together = VARIANTS.map(() => []);
  try {
    for (let round = -1; round < rounds; round++) {
      for (const [i, [, command, profile]] of VARIANTS.entries()) {
        const one = () => server.exec(command, profile);
        const times = [];
        for (let call = 0; call < CALLS; call++) times.push(await timed(one));
        const all = await timed(() => Promise.all(Array.from({ length: AT_ONCE }, one)));
        if (round < 0) continue; // warms up
        single[i].push(...times);
        together[i].push(all);
      }
    }
  } finally {
    await server.end();
  }
  return VARIANTS.map(
    ([name], i) => `  ${name}: p50 ${median(single[i]).toFixed(2)} ms, 50 at once ${median(together[i]).toFixed(0)} ms`,
  );
}
