// bench.mjs [CASE...] [--rounds N] [--server PATH] [--peer PATH]: measures a built server. See README.md.
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const known = readdirSync(here('cases')).filter((file) => file.endsWith('.mjs')).map((file) => file.slice(0, -4)).sort();
const wanted = [];
let rounds = 5;
let peer; // another app-server, which the case command-exec measures beside ours
let program = here('../../server/target/dist/bin/exec-server');
for (let words = process.argv.slice(2); words.length > 0;) {
  const word = words.shift();
  if (word === '--rounds') rounds = Number(words.shift());
  else if (word === '--server') program = words.shift();
  else if (word === '--peer') peer = words.shift();
  else if (known.includes(word)) wanted.push(word);
  else {
    console.error(`unknown: ${word}; cases: ${known.join(' ')}; options: --rounds N, --server PATH, --peer PATH`);
    process.exit(2);
  }
}
if (!existsSync(program)) {
  console.error(`there is no ${program}; build the server first`);
  process.exit(1);
}
for (const name of wanted.length > 0 ? wanted : known) {
  const { title, run } = await import(`./cases/${name}.mjs`);
  console.log(`${name}: ${title}`);
  for (const line of await run({ program, rounds, peer })) console.log(line);
}
