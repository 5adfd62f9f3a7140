// Drives process.v1.ProcessService with the gRPC of npm. Arguments: address, definition, name of a step, and the step's own arguments.
// Prints one line of JSON.
import fs from 'node:fs';
import grpc from '@grpc/grpc-js';
import loader from '@grpc/proto-loader';

const [address, definition, step, ...rest] = process.argv.slice(2);
const { process: { v1 } } = grpc.loadPackageDefinition(
  loader.loadSync(definition, { keepCase: true, oneofs: true, enums: Number, defaults: true }));
const metadata = new grpc.Metadata();
if (process.env.TOKEN) {
  metadata.set('authorization', `Bearer ${process.env.TOKEN}`);
}
const credentials = process.env.CA
  ? grpc.credentials.createSsl(fs.readFileSync(process.env.CA))
  : grpc.credentials.createInsecure();
const client = new v1.ProcessService(address, credentials, { 'grpc.max_send_message_length': -1 });

/** Resolves with the answer, or with {code, details}. */
const call = (method, request, options = {}) => new Promise((done) => {
  client[method](request, metadata, options, (error, answer) =>
    done(error ? { code: error.code, details: error.details } : answer));
});

/** Starts a command. Emits nothing itself: `init` and `over` are promises, `bytes` counts, `text` has the output. */
function start(command, more = {}, options = {}) {
  const stream = client.Start({ config: { command, ...more.config }, pty: more.pty }, metadata, options);
  const running = { stream, bytes: 0, text: '', error: '', exit: null };
  let begun;
  running.init = new Promise((done) => { begun = done; });
  running.over = new Promise((done) => {
    stream.on('data', (message) => {
      if (message.event === 'init') {
        running.id = message.init.process_id;
        begun(running.id);
      } else if (message.event === 'exit') {
        running.exit = message.exit.exit_code;
      } else {
        const piece = message[message.event];
        running.bytes += piece.length;
        if (running.bytes < 1_000_000) {
          running[message.event === 'stdout' ? 'text' : 'error'] += piece.toString();
        }
      }
      running.seen?.();
    });
    stream.on('error', () => {});
    stream.on('status', (status) => {
      begun(undefined);
      done({ exit: running.exit, bytes: running.bytes, text: running.text, error: running.error, code: status.code, details: status.details });
    });
  });
  running.until = (text) => new Promise((done) => {
    running.seen = () => running.text.includes(text) && done();
    running.seen();
  });
  return running;
}

const steps = {
  async execute() {
    return call('Execute', { config: JSON.parse(rest[0]) });
  },
  async stream() {
    return start(['sh', '-c', rest[0]]).over;
  },
  async input() {
    const cat = start(['sh', '-c', 'cat; echo end']);
    const process_id = await cat.init;
    const first = await call('WriteStdin', { process_id, input: Buffer.from('one\n') });
    await cat.until('one\n');
    await call('WriteStdin', { process_id, input: Buffer.from('two\n') });
    await call('WriteStdin', { process_id, eof: {} });
    const over = await cat.over;
    const late = await call('WriteStdin', { process_id, input: Buffer.from('three\n') });
    return { first, over, late };
  },
  async signal() {
    const shell = start(['sh', '-c', 'trap "echo caught; exit 7" TERM; echo ready; while :; do sleep 0.1; done']);
    const process_id = await shell.init;
    await shell.until('ready');
    const wrong = await call('SendSignal', { process_id, signal: 0 });
    const sent = await call('SendSignal', { process_id, signal: 15 });
    const over = await shell.over;
    const sleeper = start(['sleep', '600']);
    await call('SendSignal', { process_id: await sleeper.init, signal: 9 });
    return { wrong, sent, over, killed: await sleeper.over };
  },
  async terminal() {
    const shell = start(['sh', '-c', 'stty size; trap "stty size; exit" WINCH; echo ready; while :; do sleep 0.1; done'],
      { pty: { cols: 100, rows: 30 } });
    const process_id = await shell.init;
    await shell.until('ready');
    const zero = await call('ResizeTTY', { process_id, cols: 0, rows: 5 });
    await call('ResizeTTY', { process_id, cols: 90, rows: 20 });
    const over = await shell.over;
    const pipes = start(['sleep', '600']);
    const none = await call('ResizeTTY', { process_id: await pipes.init, cols: 90, rows: 20 });
    pipes.stream.cancel();
    return { zero, over, none };
  },
  async cancel() {
    const shell = start(['sh', '-c', rest[0]]);
    await shell.until('ready');
    shell.stream.cancel();
    return shell.over;
  },
  async deadline() {
    const shell = start(['sh', '-c', rest[0]], {}, { deadline: Date.now() + 10_000 });
    return shell.over;
  },
  async slow() {
    const shell = start(['sh', '-c', 'i=0; while :; do head -c 65536 /dev/zero; i=$((i+1)); echo $i > count; done'], { config: { cwd: rest[0] } });
    await shell.init;
    shell.stream.pause();
    const count = () => { try { return Number(fs.readFileSync(`${rest[0]}/count`, 'utf8')); } catch { return 0; } };
    let before = -1;
    let same = 0;
    for (let now = count(); same < 10; now = count()) {
      same = now > 0 && now === before ? same + 1 : 0;
      before = now;
      await new Promise((done) => setTimeout(done, 200));
    }
    const other = await call('Execute', { config: { command: ['echo', 'others go on'] } });
    shell.stream.resume();
    while (count() < before + 100) {
      await new Promise((done) => setTimeout(done, 50));
    }
    shell.stream.cancel();
    const over = await shell.over;
    return { held: before, other: other.stdout.toString(), code: over.code };
  },
  async many() {
    const all = Array.from({ length: 200 }, (_, i) => start(['sh', '-c', `echo ${i}; read line; echo got $line; exit ${i % 7}`]));
    const ids = await Promise.all(all.map((each) => each.init));
    await Promise.all(ids.map((process_id, i) => call('WriteStdin', { process_id, input: Buffer.from(`line ${i}\n`) })));
    const over = await Promise.all(all.map((each) => each.over));
    return {
      distinct: new Set(ids).size,
      right: over.filter((each, i) => each.code === 0 && each.exit === i % 7 && each.text === `${i}\ngot line ${i}\n`).length,
    };
  },
  async large() {
    return call('Execute', { config: { command: ['true'], env_vars: { LARGE: 'x'.repeat(5 * 1024 * 1024) } } });
  },
  async half() {
    const http2 = await import('node:http2');
    const session = http2.connect(`http://${address}`);
    const open = (body, end) => new Promise((done) => {
      const stream = session.request({
        ':method': 'POST', ':path': '/process.v1.ProcessService/Execute', 'content-type': 'application/grpc', te: 'trailers',
      });
      let status;
      stream.on('response', (headers) => { status = headers['grpc-status'] ?? status; });
      stream.on('trailers', (headers) => { status = headers['grpc-status'] ?? status; });
      stream.on('data', () => {});
      stream.on('error', () => {});
      stream.on('close', () => done(status));
      stream.on('end', () => stream.end());
      if (body) {
        stream.write(body);
      }
      if (end) {
        stream.end();
      }
    });
    const message = Buffer.from([0x0a, 0x06, 0x0a, 0x04, 0x74, 0x72, 0x75, 0x65]);
    const framed = Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message]);
    const answers = {
      nothing: await open(null, true),
      part: await open(framed.subarray(0, 7), true),
      whole: await open(framed, true),
      stillOpen: await open(framed, false),
      twice: await open(Buffer.concat([framed, framed]), true),
      compressed: await open(Buffer.concat([Buffer.from([1]), framed.subarray(1)]), true),
      garbage: await open(Buffer.from([0, 0, 0, 0, 3, 0xff, 0xff, 0xff]), true),
    };
    session.close();
    return answers;
  },
  async resets() {
    const http2 = await import('node:http2');
    const session = http2.connect(`http://${address}`);
    const most = Buffer.alloc(3 << 20);
    most.set([0, 0, 0x40, 0, 0]); // announces 4 MiB
    for (let i = 0; i < Number(rest[0]); i++) {
      const stream = session.request({
        ':method': 'POST', ':path': '/process.v1.ProcessService/Execute', 'content-type': 'application/grpc', te: 'trailers',
      });
      stream.on('error', () => {});
      await new Promise((done) => { stream.write(most, done); });
      const closed = new Promise((done) => { stream.on('close', done); });
      stream.close(http2.constants.NGHTTP2_CANCEL);
      await closed;
    }
    session.close();
    return call('Execute', { config: { command: ['true'], env_vars: { A: 'x'.repeat(100_000) } } });
  },
  async unknown() {
    const wrong = { path: '/process.v1.ProcessService/Nothing', requestStream: false, responseStream: false };
    return new Promise((done) => client.makeUnaryRequest(
      wrong.path, () => Buffer.alloc(0), (bytes) => bytes, {}, metadata, {}, (error) => done({ code: error.code })));
  },
};

const answer = await steps[step]();
console.log(JSON.stringify(answer, (_, value) =>
  value?.type === 'Buffer' ? Buffer.from(value.data).toString() : value));
client.close();
