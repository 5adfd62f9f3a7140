// The cost of the shell tool of `exec-server mcp`, beside the start of the same command, and the time until its tools are listed.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { Server, median, now, readOnly, sideBySide } from '../lib.mjs';

const CALLS = 50;
const COMMAND = ['/bin/bash', '-c', 'true'];

export const title = `milliseconds of a sandboxed \`bash -c true\`, median of ${CALLS}: process/start, and the tool shell`;

/** An MCP server and its only client. */
class Mcp {
  #id = 0;
  #process;
  #answers = new Map();

  static async start(program) {
    const mcp = new Mcp();
    const begin = now();
    mcp.#process = spawn(program, ['mcp', '--shell', COMMAND[0]], { stdio: ['pipe', 'pipe', 'inherit'] });
    mcp.ended = new Promise((resolve) => mcp.#process.once('exit', resolve));
    createInterface({ input: mcp.#process.stdout }).on('line', (line) => {
      const message = JSON.parse(line);
      mcp.#answers.get(message.id)?.(message);
    });
    await mcp.call('initialize', {
      protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bench', version: '0' },
    });
    await mcp.call('tools/list', {});
    mcp.listedMs = now() - begin;
    await mcp.call('codex/sandbox-state/update', { sandboxPolicy: { type: 'read-only' }, sandboxCwd: '/' });
    return mcp;
  }

  async call(method, params) {
    const id = ++this.#id;
    const answer = await new Promise((resolve) => {
      this.#answers.set(id, resolve);
      this.#process.stdin.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }) + '\n');
    });
    this.#answers.delete(id);
    if (answer.error) throw new Error(answer.error.message);
    return answer.result;
  }

  async shell(command) {
    const begin = now();
    const result = await this.call('tools/call', {
      name: 'shell', arguments: { command, workdir: '/', login: false },
    });
    if (result.structuredContent.exit_code !== 0) throw new Error(result.structuredContent.output);
    return now() - begin;
  }

  async stop() {
    this.#process.stdin.end();
    await this.ended;
  }
}

const medianOf = async (piece) => {
  const times = [];
  for (let i = 0; i < CALLS; i++) times.push(await piece());
  return median(times);
};

export async function run({ program, rounds }) {
  const listed = [];
  for (let i = 0; i < rounds; i++) {
    const started = await Mcp.start(program);
    listed.push(started.listedMs);
    await started.stop();
  }
  const server = await Server.start(program);
  const mcp = await Mcp.start(program);
  try {
    const lines = await sideBySide({
      'process/start': () => medianOf(async () => (await server.run(COMMAND, { sandbox: readOnly })).ms),
      shell: () => medianOf(() => mcp.shell('true')),
    }, rounds);
    return [...lines, `  start of exec-server mcp to the answer of tools/list: ${median(listed).toFixed(0)} ms`];
  } finally {
    await mcp.stop();
    await server.stop();
  }
}
