import { connect, type Client } from '../../typescript/src/index.js';
import { base, type Login } from './login.js';

const SESSION = 'exec-server-console-session';
const RECONNECT_MS = 300_000;
const SESSION_TTL_MS = 600_000;

export type State = 'connecting' | 'connected' | 'lost' | 'ended';

/** The page's connection. Takes up the session of its tab again after a reload, so that terminals stay. */
export class Connection {
  client: Client | undefined;
  state: State = 'connecting';
  /** Why there is no connection. */
  why = '';
  onChange: () => void = () => {};

  constructor(readonly login: Login) {}

  async open(): Promise<void> {
    this.change('connecting', '');
    const resume = sessionStorage.getItem(SESSION) ?? undefined;
    try {
      this.client = await this.dial(resume);
    } catch (e) {
      if (resume === undefined) throw e;
      sessionStorage.removeItem(SESSION); // that session has ended
      this.client = await this.dial(undefined);
    }
    sessionStorage.setItem(SESSION, this.client.sessionId ?? '');
    this.change('connected', '');
  }

  private dial(resume: string | undefined): Promise<Client> {
    const url = new URL(base);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    return connect(url.href, {
      protocols: ['exec-server-console', this.login.key],
      clientName: 'console',
      sessionName: 'console',
      sessionTtlMs: SESSION_TTL_MS,
      reconnectMs: RECONNECT_MS,
      ...(resume === undefined ? {} : { resume, takeover: true }),
      onWarning: () => {},
      onConnection: (state, why) => this.change(state, why),
    });
  }

  close(): void {
    this.onChange = () => {};
    this.client?.close();
  }

  private change(state: State, why: string): void {
    this.state = state;
    this.why = why;
    this.onChange();
  }
}
