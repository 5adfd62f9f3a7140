import { WebSocket } from 'ws';
import { ConnectFailedError, UpgradeRefusedError } from './errors.js';
import { MAX_MESSAGE_BYTES, type SocketOptions, type Transport, type TransportListener } from './transport.js';

/** Time between two pings. A server that did not answer one when the next is due counts as lost. */
const PING_MS = 20_000;

/** Opens a WebSocket in Node, to `ws://`, `wss://` or `unix:PATH`. */
export function openSocket(url: string, options: SocketOptions, listener: TransportListener): Promise<Transport> {
  const address = url.startsWith('unix:') ? `ws+unix://${url.slice('unix:'.length)}:/` : url;
  return new Promise((resolve, reject) => {
    let socket: WebSocket;
    try {
      socket = new WebSocket(address, [...(options.protocols ?? [])], {
        headers: options.headers,
        handshakeTimeout: options.timeoutMs,
        maxPayload: MAX_MESSAGE_BYTES,
        perMessageDeflate: false,
        ...options.tls,
      });
    } catch (e) {
      reject(new ConnectFailedError(`not a URL of a server: ${url}`, { cause: e }));
      return;
    }
    let opened = false;
    let failure = '';
    let answered = true;
    const pings = setInterval(() => {
      if (!answered) {
        failure = 'the server does not answer pings';
        socket.terminate();
        return;
      }
      answered = false;
      socket.ping();
    }, PING_MS);
    pings.unref();
    socket.on('pong', () => (answered = true));
    socket.on('unexpected-response', (_request, response) => {
      socket.terminate();
      reject(new UpgradeRefusedError(url, response.statusCode ?? 0));
    });
    socket.on('error', e => {
      failure = e.message;
      if (!opened) reject(new ConnectFailedError(`${url} cannot be reached: ${e.message}`, { cause: e }));
    });
    socket.on('message', data => {
      answered = true;
      listener.message(data.toString());
    });
    socket.on('close', (code, reason) => {
      clearInterval(pings);
      if (opened) listener.ended(`${code} ${reason.toString() || failure}`.trim());
    });
    socket.on('open', () => {
      opened = true;
      resolve({
        send: message => socket.send(message),
        close: () => {
          socket.close(1000);
          setTimeout(() => socket.terminate(), 2_000).unref();
        },
      });
    });
  });
}
