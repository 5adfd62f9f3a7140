// node.mjs pushed|asking|client read|starts URL COUNT: milliseconds for COUNT MiB of output, or COUNT starts of /bin/true.
import { createRequire } from 'node:module';
import { performance } from 'node:perf_hooks';

const folder = new URL('../../../clients/typescript/', import.meta.url);
const [kind, task, url, count] = process.argv.slice(2);
const zeros = (mebibytes) => ['head', '-c', `${mebibytes}M`, '/dev/zero'];
const cwd = 'file:///';

/**
 * Sends, receives, parses and decodes; nothing more.
 * @param asking to ask for the output, as the client does; otherwise the server pushes it
 */
async function bare(asking) {
  const { WebSocket } = createRequire(folder)('ws');
  const socket = new WebSocket(url, { perMessageDeflate: false, maxPayload: 64 << 20 });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  let id = 0, bytes = 0, answered = () => {}, closed = () => {};
  socket.on('message', (data) => {
    const { method, params, result } = JSON.parse(data.toString());
    if (method === undefined) answered(result);
    else if (method === 'process/output') bytes += Buffer.from(params.chunk, 'base64').length;
    else if (method === 'process/closed') closed();
  });
  const call = (method, params) => {
    const answer = new Promise((resolve) => (answered = resolve));
    socket.send(JSON.stringify({ id: ++id, method, params }));
    return answer;
  };
  await call('initialize', { clientName: 'bench' });
  socket.send('{"method":"initialized","params":{}}');
  const run = async (argv) => {
    bytes = 0;
    const end = new Promise((resolve) => (closed = resolve));
    const processId = `p${id}`;
    await call('process/start', { processId, argv, cwd, env: {}, tty: false, arg0: null, push: !asking });
    for (let last = 0, done = !asking; !done; ) {
      const read = await call('process/read', { processId, afterSeq: last, maxBytes: 512 << 10, waitMs: 20_000 });
      for (const { chunk } of read.chunks) bytes += Buffer.from(chunk, 'base64').length;
      last = read.chunks.length > 0 ? read.chunks.at(-1).seq : last;
      done = read.closed && read.chunks.length === 0;
    }
    await end;
    return bytes;
  };
  return { run, end: () => socket.close() };
}

async function client() {
  const { connect } = await import(new URL('dist/index.js', folder));
  const session = await connect(url);
  const run = async (argv) => {
    const process = await session.exec(argv, { cwd });
    let bytes = 0;
    for await (const piece of process.stdout) bytes += piece.length;
    await process.closed;
    return bytes;
  };
  return { run, end: () => session.end() };
}

const { run, end } = await { pushed: () => bare(false), asking: () => bare(true), client }[kind]();
const tasks = {
  async read(mebibytes) {
    if ((await run(zeros(mebibytes))) !== mebibytes << 20) throw new Error('bytes are missing');
  },
  async starts(times) {
    for (let i = 0; i < times; i++) await run(['/bin/true']);
  },
};
await tasks[task](20); // warms up
const begin = performance.now();
await tasks[task](Number(count));
console.log(performance.now() - begin);
await end();
