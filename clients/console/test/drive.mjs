// Drives the console with a real browser: node test/drive.mjs URL TOKEN SCREENSHOTS FOLDER [VIEW_URL]. FOLDER is one that files go to;
// VIEW_URL is a server with --console on. Each check is a line; the first one that fails ends it with 1.
import assert from 'node:assert/strict';
import { createConnection, createServer } from 'node:net';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const [url, token, pictures, folder, viewUrl, approverToken] = process.argv.slice(2);
mkdirSync(pictures, { recursive: true });
mkdirSync(`${folder}/sub`, { recursive: true });

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
});
const violations = [];

async function tab(address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.on('console', message => {
    if (/Content Security Policy|Refused to/i.test(message.text())) violations.push(message.text());
  });
  page.on('pageerror', e => violations.push(`error on the page: ${e.stack}`));
  page.on('dialog', dialog => {
    if (dialog.message().startsWith('Log out')) dialog.accept();
    else violations.push(`a dialog: ${dialog.message()}`);
  });
  await page.goto(`${address}/console`);
  return page;
}

async function login(page, secret = token) {
  await page.getByLabel('Token').fill(secret);
  await page.getByRole('button', { name: 'Log in' }).click();
}

const picture = (page, name) => page.screenshot({ path: `${pictures}/${name}.png` });
const rows = page => page.locator('.screen .xterm-rows');
const shows = (page, text) => page.waitForFunction(
  wanted => document.querySelector('.screen .xterm-rows')?.innerText.replaceAll('\u00a0', ' ').includes(wanted), text);

async function open(page, command) {
  await page.getByRole('button', { name: 'New terminal', exact: true }).click();
  await page.locator('#start-command').fill(command);
  await page.locator('#start-folder').fill(folder);
  if (command.startsWith('env')) await picture(page, 'new-terminal');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await page.locator('.screen .xterm').waitFor();
}

async function paste(page, text) {
  await page.evaluate(value => {
    const data = new DataTransfer();
    data.setData('text/plain', value);
    document.querySelector('.xterm-helper-textarea').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
  }, text);
}

/** Stands between a page and the server, so that the connection can be cut. */
async function cuttable() {
  const target = new URL(url);
  const sockets = new Set();
  let up = true;
  const server = createServer(near => {
    if (!up) return near.destroy();
    const far = createConnection(Number(target.port), target.hostname);
    for (const [a, b] of [[near, far], [far, near]]) {
      sockets.add(a);
      a.on('error', () => b.destroy());
      a.on('close', () => { sockets.delete(a); b.destroy(); });
      a.pipe(b);
    }
  });
  await new Promise(done => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    cut() { up = false; for (const socket of sockets) socket.destroy(); },
    mend() { up = true; },
    close: () => server.close(),
  };
}

/** Is the client of a session whose programs are asked about; it lives in a page of its own, with a connection of its own. */
async function agent(sessionName) {
  const page = await tab(url);
  await page.evaluate(async ([secret, name]) => {
    const login = await fetch('console/login', { method: 'POST', body: secret });
    const { key } = await login.json();
    const socket = new WebSocket(location.href.replace(/^http/, 'ws').replace(/console$/, ''), ['exec-server-console', key]);
    const waiting = new Map();
    let next = 1;
    window.asked = [];
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.method === 'exec/approval') window.asked.push(message.id);
      if (message.method === undefined) waiting.get(message.id)(message.result ?? message.error);
    };
    window.answer = decision => socket.send(JSON.stringify({ id: window.asked.shift(), result: { decision } }));
    window.call = (method, params) => new Promise(done => {
      waiting.set(next, done);
      socket.send(JSON.stringify({ id: next++, method, params }));
    });
    await new Promise(done => { socket.onopen = done; });
    await window.call('initialize', { clientName: 'agent', sessionName: name });
    socket.send(JSON.stringify({ method: 'initialized', params: {} }));
  }, [token, sessionName]);
  return {
    right: async () => (await page.evaluate(() => window.call('exec/allowApprover', {}))).token,
    start: script => page.evaluate(text => window.call('process/start', {
      processId: 'asking', argv: ['sh', '-c', text], cwd: 'file:///tmp', env: { PATH: '/usr/bin:/bin' }, tty: false,
      execPolicy: { prefixRules: [{ pattern: ['id'], decision: 'prompt' }] },
    }), script),
    async answer(decision) {
      await page.waitForFunction(() => window.asked.length > 0);
      await page.evaluate(word => window.answer(word), decision);
    },
    close: () => page.close(),
  };
}

/** Waits for what only this program sees. */
async function until(condition) {
  for (const end = Date.now() + 30_000; !condition() && Date.now() < end;) await new Promise(done => setTimeout(done, 20));
}

async function answerFor(page, right) {
  await page.getByLabel('Token of an approver').fill(right);
  await page.getByRole('button', { name: 'Answer for this session' }).click();
}

async function check(name, work) {
  process.stderr.write(`${name} ... `);
  await work();
  assert.deepEqual(violations, [], name);
  console.log(`ok ${name}`);
}

let first;
try {
  await check('a wrong token is told, and a right one lets in', async () => {
    first = await tab(url);
    await login(first, 'wrong');
    await first.getByRole('alert').getByText('not accepted').waitFor();
    await picture(first, 'wrong-token');
    await login(first);
    await first.getByText(approverToken ? 'it-tests' : 'No session has a process').first().waitFor();
    await picture(first, 'empty');
    assert.equal(await first.evaluate(() => document.cookie), '');
    assert.ok(!(await first.evaluate(() => JSON.stringify(sessionStorage))).includes(token));
    assert.ok(!first.url().includes(token));
  });

  await check('a terminal opens, takes keys and knows its size', async () => {
    await open(first, 'env PS1=$\\  sh');
    await first.keyboard.type('echo hello $((20+22))\n');
    await shows(first, 'hello 42');
    await first.keyboard.type('stty size\n');
    const before = (await rows(first).innerText()).match(/^(\d+)\s(\d+)\s*$/m);
    await first.waitForFunction(() => /^\d+\s\d+\s*$/m.test(document.querySelector('.xterm-rows').innerText));
    await first.setViewportSize({ width: 1000, height: 640 });
    await first.keyboard.type('clear; stty size\n');
    await first.waitForFunction(
      () => { const size = document.querySelector('.xterm-rows').innerText.match(/^(\d+)\s(\d+)\s*$/m); return size && Number(size[2]) < 90; });
    await first.setViewportSize({ width: 1280, height: 800 });
    assert.ok(before === null || before.length === 3);
  });

  await check('umlauts are pasted as they are', async () => {
    await paste(first, 'printf "%s\\n" "Grüße, Jürgen – 日本 €"');
    await first.keyboard.press('Enter');
    await shows(first, '\nGrüße, Jürgen – 日本 €');
    await first.keyboard.type("printf 'ä' | od -An -tx1\n");
    await shows(first, 'c3 a4');
    await picture(first, 'terminal');
  });

  let second;
  await check('a second browser watches the same terminal and cannot type', async () => {
    second = await tab(url, { colorScheme: 'dark' });
    await login(second);
    await second.locator('.process', { hasText: 'PS1' }).click();
    await shows(second, 'c3 a4');
    await second.locator('.screen').click();
    await second.keyboard.type('echo from the second\n');
    await first.locator('.screen').click();
    await first.keyboard.type('echo from the first\n');
    await shows(second, '\nfrom the first');
    assert.ok(!(await rows(first).innerText()).includes('from the second'));
    await picture(second, 'watching-dark');
  });

  await check('output is searched and downloaded', async () => {
    await first.getByLabel('Search output').fill('hello');
    await first.keyboard.press('Enter');
    const [download] = await Promise.all([
      first.waitForEvent('download'), first.getByRole('button', { name: 'Download', exact: true }).click()]);
    assert.match(readFileSync(await download.path(), 'utf8'), /Grüße, Jürgen/);
  });

  await check('what programs write is inert', async () => {
    const evil = '<img src=x onerror=document.title=1><script>document.title=2</script>';
    await first.locator('.screen').click();
    await first.keyboard.type(`printf '\\033]0;hacked\\007\\033]8;;javascript:document.title=3\\007link\\033]8;;\\007\\033[6n\\033P\\033\\\\ %s\\n' '${evil}'\n`);
    await shows(first, 'onerror');
    writeFileSync(`${folder}/${evil.replaceAll('/', '_')}`, evil);
    await open(first, `sh -c 'sleep 600' '${evil}'`);
    await first.locator('.process .command', { hasText: 'onerror' }).waitFor();
    await first.getByRole('button', { name: 'Files', exact: true }).click();
    await first.locator('#path').fill(folder);
    await first.getByRole('button', { name: 'Go', exact: true }).click();
    await first.locator('.file', { hasText: 'onerror' }).click();
    await first.locator('.preview pre', { hasText: 'onerror' }).waitFor();
    assert.equal(await first.title(), 'exec-server console');
    assert.equal(await first.locator('img').count(), 0);
    await picture(first, 'hostile');
  });

  await check('files are uploaded, shown and downloaded', async () => {
    const content = Buffer.alloc(Number(process.env.UPLOAD_BYTES ?? 20_000_000), 'Zeile mit Umlaut ä\n');
    writeFileSync(`${folder}/sub/from.txt`, content);
    await first.getByLabel('Upload files').setInputFiles({ name: 'größe.txt', mimeType: 'text/plain', buffer: content });
    await first.getByText('Uploaded größe.txt').waitFor();
    assert.ok(readFileSync(`${folder}/größe.txt`).equals(content));
    await first.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(['dropped\n'], 'dropped.txt'));
      document.querySelector('.files-view').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
    });
    await first.getByText('Uploaded dropped.txt').waitFor();
    await first.locator('.file', { hasText: 'größe.txt' }).click();
    await first.locator('.preview pre', { hasText: 'Umlaut ä' }).waitFor();
    await picture(first, 'files');
    const [download] = await Promise.all([
      first.waitForEvent('download'), first.locator('.preview').getByRole('button', { name: 'Download', exact: true }).click()]);
    assert.ok(readFileSync(await download.path()).equals(content));
  });

  await check('a denial is shown with the suggested grant', async () => {
    await first.getByRole('button', { name: 'New terminal', exact: true }).click();
    await first.locator('#start-command').fill("sh -c 'echo x > /var/tmp/exec-server-console-denied'");
    await first.locator('#start-sandbox').selectOption('read');
    await first.getByRole('button', { name: 'Open', exact: true }).click();
    await first.getByText('Denied by the sandbox').waitFor();
    await picture(first, 'denied');
  });

  await check('the connection is lost and comes again, and the terminal with it', async () => {
    const line = await cuttable();
    const page = await tab(line.url);
    await login(page);
    await open(page, 'sh');
    await page.keyboard.type('echo before\n');
    await shows(page, '\nbefore');
    line.cut();
    await page.getByText('Connection lost').waitFor();
    await picture(page, 'lost');
    line.mend();
    await page.getByText('Connection lost').waitFor({ state: 'hidden' });
    await page.keyboard.type('echo after\n');
    await shows(page, '\nafter');
    await page.reload();
    await page.locator('.process', { hasText: 'running' }).last().waitFor();
    await page.locator('.process').last().click();
    await page.getByRole('button', { name: 'Log out', exact: true }).click();
    await page.getByLabel('Token').waitFor();
    line.close();
  });

  await check('it works with the keyboard alone, and at the width of a phone', async () => {
    const page = await tab(url, { viewport: { width: 390, height: 780 } });
    await page.keyboard.type(token);
    await page.keyboard.press('Enter');
    await page.locator('.process', { hasText: 'PS1' }).waitFor();
    await picture(page, 'phone-list');
    for (let i = 0; i < 30 && !(await page.evaluate(() => document.activeElement.matches('.process') && document.activeElement.textContent.includes('PS1'))); i++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('.screen .xterm').waitFor();
    await shows(page, 'hello 42');
    await picture(page, 'phone-terminal');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the phone');
  });

  await check('an ended process says so', async () => {
    await open(first, "sh -c 'exit 3'");
    await first.locator('.title', { hasText: 'exited 3' }).waitFor();
    await picture(first, 'ended');
  });

  await check('a duplicated tab takes the session, and the first one waits for its user', async () => {
    const page = await tab(url);
    await page.clock.install();
    await login(page);
    await page.locator('.pill', { hasText: /^connected$/ }).waitFor();
    let dialled = 0;
    page.on('websocket', () => dialled++);
    const [copy] = await Promise.all([page.waitForEvent('popup'), page.evaluate(() => { window.open(location.href); })]);
    const here = at => at.locator('.pill', { hasText: /^connected$/ }).waitFor();
    await page.getByText('goes on in another tab').waitFor();
    await here(copy);
    await page.clock.runFor(60_000);
    assert.equal(dialled, 0, 'the first tab leaves the session to the other one');
    await here(copy);
    await picture(page, 'another-tab');
    await page.getByRole('button', { name: 'Go on here' }).click();
    await here(page);
    await copy.getByText('goes on in another tab').waitFor();
    await page.getByRole('button', { name: 'Log out', exact: true }).click();
    await page.getByLabel('Token').waitFor();
    await page.context().close();
  });

  await check('questions say which session asks, and one that another has answered is settled here too', async () => {
    const [build, deploy] = [await agent('build'), await agent('deploy')];
    const page = await tab(url);
    const sent = [];
    page.on('websocket', socket => socket.on('framesent', ({ payload }) => sent.push(JSON.parse(payload))));
    await login(page);
    await page.getByText('Answer questions').click();
    await answerFor(page, await build.right());
    await page.getByText('Questions of build').waitFor();
    await build.start('env id -u; env id -u; exit 7');
    await deploy.start('env id -u; exit 7'); // which asks before the page has its right
    await answerFor(page, await deploy.right());
    const card = name => page.locator('.question', { hasText: `${name} (agent)` });
    await card('build').waitFor();
    await card('deploy').waitFor();
    await picture(page, 'two-sessions-ask');
    const settled = () => sent.filter(message => message.result?.decision !== undefined);
    await build.answer('run');
    await until(() => settled().length > 0);
    assert.deepEqual(settled().map(message => message.result), [{ decision: 'deny' }]);
    await card('build').getByRole('button', { name: 'Run', exact: true }).click();
    await card('build').waitFor({ state: 'detached' });
    assert.equal(await card('deploy').count(), 1);
    assert.deepEqual(settled().at(-1).result, { decision: 'run' });
    for (const who of [build, deploy]) await who.close();
    await page.context().close();
  });

  if (approverToken) {
    await check('a question about a program of another session is answered', async () => {
      await first.getByText('Answer questions').click();
      await answerFor(first, approverToken);
      await first.getByText('May this program run').waitFor();
      await picture(first, 'question');
      await first.getByRole('button', { name: 'Run', exact: true }).click();
      await first.getByText('May this program run').waitFor({ state: 'detached' });
    });
  }

  if (viewUrl) {
    await check('a console that looks only has nothing to change things with', async () => {
      const page = await tab(viewUrl);
      await login(page);
      await page.getByText('read only').waitFor();
      assert.equal(await page.getByRole('button', { name: 'New terminal', exact: true }).count(), 0);
      await page.getByRole('button', { name: 'Files', exact: true }).click();
      await page.locator('.file').first().waitFor();
      assert.equal(await page.getByRole('button', { name: 'Upload' }).count(), 0);
      await picture(page, 'read-only');
    });
  }
} catch (e) {
  console.log(`failed: ${e.stack}`);
  if (violations.length > 0) console.log(violations.join('\n'));
  for (const [at, context] of browser.contexts().entries()) {
    for (const page of context.pages()) await picture(page, `failure-${at}`).catch(() => {});
  }
  process.exitCode = 1;
} finally {
  await browser.close();
}
