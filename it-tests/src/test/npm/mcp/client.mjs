// The client of the official TypeScript SDK. Arguments: the work folder, then a URL, or a program and its arguments.
// Each step writes one line of JSON; the first failure ends it with status 1.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const LIMIT = { timeout: 90_000, resetTimeoutOnProgress: true };
const [workdir, target, ...args] = process.argv.slice(2);
const transport = target.startsWith('http')
  ? new StreamableHTTPClientTransport(new URL(target))
  : new StdioClientTransport({ command: target, args, env: { ...process.env }, stderr: 'inherit' });
const client = new Client(
  { name: 'typescript-sdk', version: '1' },
  { capabilities: { elicitation: {}, roots: { listChanged: true } } },
);
const say = (step, value) => console.log(JSON.stringify({ step, value }));
client.setRequestHandler(ElicitRequestSchema, (request) => {
  say('asked', request.params.message);
  return { action: 'accept', content: {} };
});
client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: `file://${workdir}`, name: 'work' }] }));

const tool = (name, given, options = {}) =>
  client.callTool({ name, arguments: given }, undefined, { ...LIMIT, ...options });
const shell = (command, options) =>
  tool('shell', { command, workdir, login: false, timeout_ms: 60_000 }, options);

await client.connect(transport, LIMIT);
say('server', client.getServerVersion().name);
say('tools', (await client.listTools(undefined, LIMIT)).tools.map((found) => found.name));

const asked = await shell('touch made && echo $PWD; echo e >&2; exit 3');
say('shell', asked.structuredContent);

let heard = '';
const told = await shell('for i in 1 2 3; do echo line $i; sleep 0.3; done', {
  onprogress: (progress) => { heard += progress.message ?? ''; },
});
say('progress', { heard, whole: told.structuredContent.stdout });

const stop = new AbortController();
const running = shell('echo > pid; exec -a $MARK sleep 1000', { signal: stop.signal });
running.catch(() => {}); // the result is looked at below
await shell('until [ -s pid ]; do sleep 0.05; done');
stop.abort('no longer wanted');
say('cancelled', await running.then(() => 'answered', () => 'gone'));

const started = await tool('shell', { command: 'read line; echo got $line; sleep 1000', workdir, background: true, login: false });
const id = started.structuredContent.id;
await tool('shell_input', { id, text: 'hello\n' });
const output = await tool('shell_output', { id, wait_for_text: 'got hello', wait_ms: 60_000 });
say('background', output.structuredContent.output);
say('listed', (await tool('shell_list', {})).structuredContent.commands.length);
await tool('shell_kill', { id });

const refused = await tool('shell', { command: 'true' }).then(() => 'answered', (error) => error.code);
say('refused', refused);
await transport.terminateSession?.();
await client.close();
say('closed', true);
process.exit(0);
