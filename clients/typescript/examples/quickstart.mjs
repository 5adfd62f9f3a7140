// Programs, a terminal and files. Usage: node quickstart.mjs URL
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Sandbox, connect } from 'exec-server-client';

const client = await connect(process.argv[2]);

// One program, its whole output.
const sorted = await client.run(['sort'], { input: 'b\na\n' });
process.stdout.write(sorted.text);

// A program that runs while its output is read.
const counting = await client.exec(['sh', '-c', 'for i in 1 2 3; do echo line $i; done; exit 3']);
for await (const line of counting.stdout.lines()) console.log(line);
console.log('exit code', (await counting.exit).code);

// A terminal.
const shell = await client.exec(['sh'], { tty: { cols: 100, rows: 30 } });
await shell.stdin.write('stty size; exit\n');
console.log('size', /\d+ \d+/.exec(await shell.stdout.text())[0]);

// A sandbox that may read everything and write nothing.
const denied = await client.run(['touch', '/usr/not-there'], { sandbox: Sandbox.readingEverything() });
console.log('denied', denied.exit.denial?.kind);

// Files.
const directory = await mkdtemp(join(tmpdir(), 'quickstart-'));
await client.files.write(`${directory}/greeting`, 'hello');
console.log((await client.files.stat(`${directory}/greeting`)).size, 'bytes');
await rm(directory, { recursive: true });

await client.end();
