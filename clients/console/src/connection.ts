import { connect, SessionBusyError, type Client } from '../../typescript/src/index.js';
import { TAKEN_OVER } from '../../typescript/src/link.js';
import { base, type Login } from './login.js';

const SESSION = 'exec-server-console-session';
const RECONNECT_MS = 300_000;
const SESSION_TTL_MS = 600_000;

/** `elsewhere`: another tab has the session, as a duplicate of this one does. */
export type State = 'connecting' | 'connected' | 'lost' | 'ended' | 'elsewhere';

/** The page's connection. Takes up the session of its tab again after a reload, so that terminals stay. */
export class Connection {
  client: Client | undefined;
  state: State = 'connecting';
  /** Why there is no connection. */
  why = '';
  onChange: () => void = () => {};

  constructor(readonly login: Login) {}

  /** @param takeover takes the session from another tab: only when a person wants that, or two tabs would take it in turns for ever */
  async open(takeover: boolean): Promise<void> {
    this.change('connecting', '');
    const resume = sessionStorage.getItem(SESSION) ?? undefined;
    try {
      this.client = await this.dial(resume, takeover);
    } catch (e) {
      if (e instanceof SessionBusyError) {
        this.change('elsewhere', e.message);
        return;
      }
      if (resume === undefined) throw e;
      sessionStorage.removeItem(SESSION); // that session has ended
      this.client = await this.dial(undefined, false);
    }
    sessionStorage.setItem(SESSION, this.client.sessionId ?? '');
    this.change('connected', '');
  }

  private dial(resume: string | undefined, takeover: boolean): Promise<Client> {
    const url = new URL(base);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    return connect(url.href, {
      protocols: ['exec-server-console', this.login.key],
      clientName: 'console',
      sessionName: 'console',
      sessionTtlMs: SESSION_TTL_MS,
      reconnectMs: RECONNECT_MS,
      ...(resume === undefined ? {} : { resume, takeover }),
      onWarning: () => {},
      onConnection: (state, why) => this.change(why.includes(TAKEN_OVER) ? 'elsewhere' : state, why),
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
