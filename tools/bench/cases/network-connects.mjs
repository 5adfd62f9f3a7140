// The time that connect(2) takes, direct and as a decided transparent connection: to a host with a name, and to a port of this machine,
// for which the server looks first whether the command has a server of its own there.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Server, managed, proxied, sideBySide } from '../lib.mjs';

const CONNECTS = 200;
const CLIENT = `
import socket, statistics, sys, time
host = socket.gethostbyname(sys.argv[1])
times = []
for i in range(${CONNECTS}):
    s = socket.socket()
    begin = time.perf_counter()
    s.connect((host, int(sys.argv[2])))
    times.append((time.perf_counter() - begin) * 1000)
    s.close()
print(statistics.median(times))
`;

export const title = `milliseconds of connect(2), median of ${CONNECTS}`;

export async function run({ program, rounds }) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const hosts = join(folder, 'hosts');
  writeFileSync(hosts, '127.0.0.1 named.test\n');
  const server = await Server.start(program, { JAVA_TOOL_OPTIONS: `-Djdk.net.hosts.file=${hosts}` });
  const peer = createServer((socket) => socket.on('error', () => {}).resume());
  await new Promise((resolve) => peer.listen(0, '127.0.0.1', 512, resolve));
  const { port } = peer.address();
  const domains = { [`127.0.0.1:${port}`]: 'allow', 'named.test': 'allow' };
  const variant = (host, members) => async () => {
    const { code, text } = await server.run(['/usr/bin/python3', '-c', CLIENT, host, String(port)], members);
    if (code !== 0) throw new Error(`the client ended with ${code}`);
    return Number(text);
  };
  try {
    return await sideBySide({
      direct: variant('127.0.0.1', {}),
      transparent: variant('named.test', { ...managed, ...proxied(domains, true) }),
      'own machine': variant('127.0.0.1', { ...managed, ...proxied(domains, true) }),
    }, rounds);
  } finally {
    peer.close();
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}
