// What the clients add to bare loops in the same language, which receive, parse and decode: one has the output pushed, one asks for it.
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median } from '../lib.mjs';

const MEBIBYTES = 256;
const STARTS = 1000;

export const title = `speed of each client beside a bare loop in its language: ${MEBIBYTES} MiB of output, ${STARTS} starts`;

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Command lines before the arguments of clients/*. */
function languages(program) {
  const java = process.env.JAVA_HOME ? join(process.env.JAVA_HOME, 'bin', 'java') : 'java';
  const libraries = join(dirname(program), '..', 'lib', '*');
  if (!existsSync(here('../../../clients/typescript/dist'))) {
    throw new Error('build the TypeScript client first: cd clients/typescript && npm install && npm run build');
  }
  return {
    Java: [java, '-cp', libraries, here('../clients/ClientBench.java')],
    TypeScript: [process.execPath, here('../clients/node.mjs')],
    Python: ['/usr/bin/python3', '-B', here('../clients/python.py')],
  };
}

async function listening(program) {
  const server = spawn(program, ['--listen', 'ws://127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise((resolve) => createInterface({ input: server.stdout }).once('line', resolve));
  return { url, stop: () => new Promise((resolve) => server.once('exit', resolve) && server.kill()) };
}

export async function run({ program, rounds }) {
  const commands = languages(program);
  const server = await listening(program);
  const measure = async ([file, ...words], ...args) => {
    const { stdout } = await promisify(execFile)(file, [...words, ...args]);
    return Number(stdout);
  };
  const lines = [];
  try {
    for (const [language, command] of Object.entries(commands)) {
      for (const [task, count] of [['read', MEBIBYTES], ['starts', STARTS]]) {
        const times = { pushed: [], asking: [], client: [] };
        for (let round = 0; round < rounds; round++) {
          for (const kind of Object.keys(times)) times[kind].push(await measure(command, kind, task, server.url, String(count)));
        }
        const quickest = median(times.pushed) < median(times.asking) ? 'pushed' : 'asking';
        const speeds = times[quickest].map((ms, round) => (100 * ms) / times.client[round]);
        const shown = Object.entries(times).map(([kind, all]) => `${kind} ${median(all).toFixed(0)} ms`).join(', ');
        lines.push(`  ${language.padEnd(11)} ${task.padEnd(7)} ${shown}: ${median(speeds).toFixed(0)} % of the quicker loop`
          + ` (${Math.min(...speeds).toFixed(0)} to ${Math.max(...speeds).toFixed(0)})`);
      }
    }
  } finally {
    await server.stop();
  }
  return lines;
}
