// The time that 1 GiB takes from a server on the loopback interface, direct and through a transparent connection.
import { spawn } from 'node:child_process';
import { Server, managed, proxied, sideBySide } from '../lib.mjs';

const SOURCE = `
import socket, threading
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
data = bytes(1 << 20)
def serve(peer):
    with peer:
        for _ in range(1 << 10): peer.sendall(data)
while True: threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
`;
const SINK = `
import socket, sys, time
begin = time.perf_counter()
s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
buffer, count = bytearray(1 << 18), 0
while True:
    n = s.recv_into(buffer)
    if n == 0: break
    count += n
assert count == 1 << 30, count
print((time.perf_counter() - begin) * 1000)
`;

export const title = 'milliseconds of 1 GiB';

export async function run({ program, rounds }) {
  const server = await Server.start(program);
  const source = spawn('/usr/bin/python3', ['-c', SOURCE], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise((resolve) => source.stdout.once('data', (line) => resolve(Number(line))));
  const variant = (members) => async () => {
    const { code, text } = await server.run(['/usr/bin/python3', '-c', SINK, String(port)], members);
    if (code !== 0) throw new Error(`the client ended with ${code}`);
    return Number(text);
  };
  try {
    return await sideBySide({
      direct: variant({}),
      transparent: variant({ ...managed, ...proxied({ [`127.0.0.1:${port}`]: 'allow' }, true) }),
    }, Math.min(rounds, 3));
  } finally {
    source.kill();
    await server.stop();
  }
}
