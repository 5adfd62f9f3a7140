// Bundles the page into the folder that is given. The result depends on the sources and the versions of package-lock.json alone.
import { build } from 'esbuild';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2];
if (!out) throw new Error('usage: node build.mjs FOLDER');
const bundled = ['@xterm/xterm', '@xterm/addon-fit', '@xterm/addon-search', '@xterm/addon-web-links'];

await mkdir(out, { recursive: true });
await build({
  absWorkingDir: here,
  entryPoints: { console: 'src/main.ts' },
  outdir: out,
  bundle: true,
  minify: true,
  target: 'es2022',
  format: 'iife',
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [
    {
      name: 'browser-socket',
      setup(b) {
        b.onResolve({ filter: /^#socket$/ }, () => ({ path: join(here, '../typescript/src/socket-browser.ts') }));
      },
    },
  ],
});
const css = [join(here, 'node_modules/@xterm/xterm/css/xterm.css'), join(here, 'src/console.css')];
const styles = (await Promise.all(css.map(file => readFile(file, 'utf8')))).join('\n');
await writeFile(join(out, 'console.css'), styles.replace(/\r\n/g, '\n'));
await copyFile(join(here, 'src/index.html'), join(out, 'index.html'));
const licences = [];
for (const name of bundled) {
  const folder = join(here, 'node_modules', name);
  const { version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  licences.push(`${name} ${version} (${license})\n\n${(await readFile(join(folder, 'LICENSE'), 'utf8')).trim()}\n`);
}
const head = 'The console of exec-server contains these libraries.\n\n';
await writeFile(join(out, 'licences.txt'), head + licences.join(`\n${'-'.repeat(72)}\n\n`));
