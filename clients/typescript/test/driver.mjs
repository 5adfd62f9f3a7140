// Carries out one action of the behaviour suite that all clients share, and prints one JSON object.
//   node driver.mjs URL ACTION JSON
import { createHash } from 'node:crypto';
import { ConnectionLostError, RequestError, Sandbox, connect } from '../dist/index.js';

const [url, action, json] = process.argv.slice(2);
const args = JSON.parse(json);
const warnings = [];
let tokens = 0;

function open() {
  const token = args.token && { token: () => `${args.token}${args.countTokens ? ++tokens : ''}` };
  const name = args.sessionName && { sessionName: args.sessionName };
  const warned = args.takeWarnings && { onWarning: (method, warning) => warnings.push(`${method}: ${warning}`) };
  const reconnect = args.reconnectMs === undefined ? {} : { reconnectMs: args.reconnectMs };
  return connect(url, { ...token, ...name, ...warned, ...reconnect });
}

function sandbox() {
  return args.readOnly ? { sandbox: Sandbox.readingEverything() } : {};
}

async function digest(stream) {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of stream) {
    hash.update(piece);
    bytes += piece.length;
  }
  return { sha256: hash.digest('hex'), bytes };
}

function told(exit) {
  return { exitCode: exit.code, reason: exit.reason ?? null, sandboxDenied: exit.sandboxDenied ?? null, denial: exit.denial?.kind ?? null };
}

const actions = {
  async output(client) {
    const limit = args.timeoutMs === undefined ? {} : { timeoutMs: args.timeoutMs };
    const p = await client.exec(args.argv, { ...sandbox(), ...limit, mergeStderr: args.merge ?? false });
    console.error('started');
    const [out, err] = await Promise.all([digest(p.stdout), args.merge ? { bytes: 0 } : digest(p.stderr)]);
    return { ...out, stderrBytes: err.bytes, ...told(await p.closed) };
  },
  async stderrOnly(client) {
    const p = await client.exec(args.argv);
    const err = await digest(p.stderr);
    return { stderrBytes: err.bytes, ...told(await p.exit), stdoutBytes: (await digest(p.stdout)).bytes };
  },
  async echo(client) {
    const p = await client.exec(['cat'], { stdin: true });
    console.error('started');
    const sent = createHash('sha256');
    const received = digest(p.stdout);
    for (let i = 0; i < args.pieces; i++) {
      const piece = Buffer.from(`${i} `.repeat(args.repeat));
      sent.update(piece);
      await p.stdin.write(piece);
    }
    await p.stdin.end();
    return { same: (await received).sha256 === sent.digest('hex'), ...told(await p.closed) };
  },
  async terminal(client) {
    const p = await client.exec(['sh', '-c', 'stty size; read line; stty size; echo "got $line"'], { tty: { cols: 90, rows: 20 } });
    let text = '';
    for await (const piece of p.stdout) {
      text += Buffer.from(piece).toString();
      if (text === '20 90\r\n') {
        await p.resize(132, 43);
        await p.stdin.write('w\u00f6rd\n');
      }
    }
    return { text, ...told(await p.exit) };
  },
  async stale(client) {
    const p = await client.exec(['cat'], { stdin: true });
    await p.close();
    const failures = [];
    for (const call of [() => p.signal('TERM'), () => p.kill(), () => p.stdin.write('x')]) {
      failures.push(await call().then(() => 'none', e => e.name));
    }
    let left;
    do {
      left = (await client.listProcesses()).filter(one => one.running).length;
    } while (left > 0);
    return { failures, left };
  },
  async approval(client) {
    const asked = [];
    client.onRequest('exec/approval', question => {
      asked.push(question.argv.join(' '));
      return { decision: args.decision, reason: 'the test says so' };
    });
    const result = await client.run(args.argv, { execPolicy: { rules: [{ name: 'test', text: args.rules }] } });
    return { asked, text: result.text, ...told(result.exit) };
  },
  async warned(client) {
    for (let i = 0; i < 2; i++) await client.call('environment/status', undefined, { repeat: true });
    await client.call('fs/readFile', { path: 'file:///x' }, { repeat: true }).catch(e => {
      if (!(e instanceof RequestError)) throw e;
    });
    return { warnings };
  },
  async observed(client) {
    const p = await client.exec(['sh', '-c', 'echo ready; read -r line; echo got $line; exit 5'], { stdin: true });
    const observer = await connect(url);
    const row = (await observer.listSessions()).find(one => one.name === args.sessionName);
    const [sessionId, processId] = [row.sessionId, row.processes[0].processId];
    const { met } = await observer.waitFor({ processId, sessionId, until: { text: 'ready' } });
    let seen = '';
    let seenCode;
    for await (const sight of observer.follow(sessionId, processId)) {
      for (const { data } of sight.output) seen += Buffer.from(data).toString();
      if (seen === 'ready\n') await p.stdin.write('w\n');
      seenCode = sight.exitCode;
    }
    await observer.end();
    let text = '';
    for await (const piece of p.stdout) text += Buffer.from(piece).toString();
    const own = sessionId === client.sessionId && processId === p.id;
    return { own, met, seen, seenCode, text, ...told(await p.exit) };
  },
  async approver(client) {
    const asked = [];
    const closed = new Promise(resolve => client.onApprovalClosed(resolve));
    client.onRequest('exec/approval', async question => {
      asked.push(question.approverId);
      return asked.length === 1 ? { decision: 'deny', reason: 'the other says so' } : closed.then(() => ({ decision: 'deny' }));
    });
    const { approverId } = await client.approve(args.right);
    return { approverId, by: (await closed).by, asked, own: (await client.allowApprover()).token };
  },
  async lostRight(client) {
    await client.approve(args.right);
    console.error('started');
    while (warnings.length === 0) await new Promise(done => setTimeout(done, 10));
    return { warnings };
  },
  async aborted(client) {
    const controller = new AbortController();
    const work = client.run(['sleep', '300'], { signal: controller.signal });
    const running = async () => (await client.listProcesses()).filter(one => one.running).length;
    while ((await running()) === 0);
    controller.abort();
    const failure = await work.then(() => 'none', e => (e.name === 'AbortError' ? 'aborted' : e.name));
    let left;
    do {
      left = await running();
    } while (left > 0);
    return { failure, left };
  },
  async files(client) {
    const at = name => `${args.directory}/${name}`;
    const watch = await client.files.watch(args.directory);
    await client.files.write(at('f\u00fcr 100%'), 'content');
    const seen = [];
    for await (const change of watch) {
      seen.push(...change.changes.map(one => one.path));
      break;
    }
    await watch.close();
    const large = Buffer.alloc(args.largeBytes, 'x');
    await client.files.write(at('large'), large);
    const missing = await client.files.read(at('missing')).then(() => 'none', e => e.name);
    await client.files.rename(at('large'), at('renamed'));
    const stat = await client.files.stat(at('renamed'));
    const same = large.equals(await client.files.read(at('renamed')));
    return { seen, names: await client.files.list(args.directory), size: stat.size, same, missing };
  },
};

try {
  const client = await open();
  const result = await actions[action](client);
  await client.end().catch(e => {
    if (!(e instanceof ConnectionLostError)) throw e;
  });
  console.log(JSON.stringify(result));
} catch (e) {
  console.log(JSON.stringify({ error: e.name, message: e.message, status: e.status ?? null }));
}
process.exit(0);
