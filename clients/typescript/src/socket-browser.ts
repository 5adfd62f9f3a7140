import { ConnectFailedError } from './errors.js';
import type { SocketOptions, Transport, TransportListener } from './transport.js';

/** Opens a WebSocket in a browser, which sends no headers of ours and tells no HTTP status. */
export function openSocket(url: string, options: SocketOptions, listener: TransportListener): Promise<Transport> {
  return new Promise((resolve, reject) => {
    if (Object.keys(options.headers).length > 0) {
      reject(new ConnectFailedError('a browser sends neither tokens nor headers with a WebSocket'));
      return;
    }
    const socket = new WebSocket(url, [...(options.protocols ?? [])]);
    let opened = false;
    const limit = setTimeout(() => socket.close(), options.timeoutMs);
    socket.onopen = () => {
      opened = true;
      clearTimeout(limit);
      resolve({ send: message => socket.send(message), close: () => socket.close(1000) });
    };
    socket.onmessage = event => listener.message(String(event.data));
    socket.onclose = event => {
      clearTimeout(limit);
      if (opened) listener.ended(`${event.code} ${event.reason}`.trim());
      else reject(new ConnectFailedError(`${url} cannot be reached`));
    };
  });
}
