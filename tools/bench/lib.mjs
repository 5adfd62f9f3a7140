// A client of one server on its standard streams, and statistics.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { performance } from 'node:perf_hooks';

export const now = () => performance.now();

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

/** A server and its only client. */
export class Server {
  #id = 0;
  #process;
  #answers = new Map();
  #processes = new Map();

  /** @param variables of the environment, beside those of this program */
  static async start(program, variables = {}) {
    const server = new Server();
    server.#process = spawn(program, ['--listen', 'stdio'], {
      stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...variables },
    });
    server.ended = new Promise((resolve) => server.#process.once('exit', resolve));
    createInterface({ input: server.#process.stdout }).on('line', (line) => server.#take(JSON.parse(line)));
    await server.call('initialize', { clientName: 'bench' });
    server.#send({ method: 'initialized', params: {} });
    return server;
  }

  #send(message) {
    this.#process.stdin.write(JSON.stringify(message) + '\n');
  }

  #take(message) {
    if (message.method === undefined) {
      const { resolve, reject } = this.#answers.get(message.id);
      this.#answers.delete(message.id);
      if (message.error) reject(new Error(message.error.message));
      else resolve(message.result);
    } else {
      this.#processes.get(message.params?.processId)?.(message);
    }
  }

  call(method, params) {
    const id = ++this.#id;
    return new Promise((resolve, reject) => {
      this.#answers.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  /** Runs a program to its end; returns milliseconds, exit code and standard output. */
  async run(argv, members = {}) {
    const processId = `p${++this.#id}`;
    let code, text = '';
    const begin = now();
    const closed = new Promise((resolve) => {
      this.#processes.set(processId, ({ method, params }) => {
        if (method === 'process/output' && params.stream === 'stdout') text += Buffer.from(params.chunk, 'base64');
        if (method === 'process/exited') code = params.exitCode;
        if (method === 'process/closed') resolve();
      });
    });
    await this.call('process/start', {
      processId, argv, cwd: 'file:///', env: { PATH: '/usr/bin:/bin' }, tty: false, arg0: null, ...members,
    });
    await closed;
    this.#processes.delete(processId);
    return { ms: now() - begin, code, text };
  }

  async stop() {
    this.#process.stdin.end();
    await this.ended;
  }
}

/** A sandbox in which everything can be read and nothing written. */
export const readOnly = {
  cwd: 'file:///', workspaceRoots: [], windowsSandboxLevel: 'disabled',
  permissions: {
    type: 'managed', network: 'restricted',
    file_system: { type: 'restricted', entries: [{ path: { type: 'special', value: { kind: 'root' } }, access: 'read' }] },
  },
};

/** A command with no network but that of its proxy. */
export const managed = { sandbox: readOnly, enforceManagedNetwork: true };

/** A proxy that allows what the patterns say. */
export const proxied = (domains, transparentTcp) => ({
  networkProxy: {
    proxy: {
      enabled: true, enableSocks5: true, enableSocks5Udp: false, allowUpstreamProxy: false,
      dangerouslyAllowAllUnixSockets: false, mode: 'full', allowLocalBinding: false, domains, transparentTcp,
    },
  },
});

/**
 * Measures variants in turn and returns lines of a table. A variant gives milliseconds per piece.
 * @param variants name -> async function; the first is what the others are compared with
 */
export async function sideBySide(variants, rounds) {
  const names = Object.keys(variants);
  const measured = Object.fromEntries(names.map((name) => [name, []]));
  for (const name of names) await variants[name](); // warms the server up
  for (let round = 0; round < rounds; round++) {
    for (const name of names) measured[name].push(await variants[name]());
  }
  return names.map((name) => {
    const ratios = measured[name].map((ms, round) => ms / measured[names[0]][round]);
    const beyond = measured[name].map((ms, round) => ms - measured[names[0]][round]);
    return `  ${name.padEnd(12)} ${median(measured[name]).toFixed(3)} ms   ${median(ratios).toFixed(2)} times`
      + ` (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})   ${median(beyond).toFixed(3)} ms more`;
  });
}
