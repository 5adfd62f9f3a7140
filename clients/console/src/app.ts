import { Connection } from './connection.js';
import { h, setText } from './dom.js';
import { Feed } from './feed.js';
import { FilesView } from './files-view.js';
import { logout, stillValid, type Login } from './login.js';
import { ProcessView } from './process-view.js';
import { Questions } from './questions.js';
import { SessionList, type ProcessRow } from './session-list.js';
import { StartDialog } from './start-dialog.js';

const LIST_MS = 2_000;
const RETRY_MS = 3_000;

/** The page of somebody who is logged in: sessions and their processes at the side, one of them or the files beside it. */
export class App {
  readonly element: HTMLElement;
  private readonly connection: Connection;
  private readonly banner = h('div', { class: 'banner', role: 'status', hidden: true });
  private readonly pill = h('span', { class: 'pill', role: 'status' }, 'connecting');
  private readonly main = h('main', { class: 'detail', tabindex: '-1', id: 'detail' });
  private readonly list: SessionList;
  private readonly newButton: HTMLButtonElement;
  private readonly filesButton: HTMLButtonElement;
  private readonly feeds = new Map<string, Feed>();
  private readonly dialog = new StartDialog(id => void this.started(id));
  private readonly questions = new Questions();
  private view: ProcessView | FilesView | undefined;
  private wanted: string | undefined;
  private left = false;

  constructor(private readonly login: Login, private readonly leave: (said?: string) => void) {
    this.connection = new Connection(login);
    this.connection.onChange = () => this.changed();
    this.list = new SessionList(row => this.showProcess(row));
    this.newButton = h('button', { class: 'primary', type: 'button', onclick: () => this.openDialog() }, 'New terminal');
    this.filesButton = h('button', { type: 'button', 'aria-pressed': 'false', onclick: () => this.showFiles() }, 'Files');
    this.element = h(
      'div',
      { class: 'app' },
      h('a', { class: 'skip', href: '#detail' }, 'Skip to the content'),
      h(
        'header',
        {},
        h('strong', {}, 'exec-server'),
        h('span', { class: 'quiet host' }, location.host),
        this.pill,
        !login.write && h('span', { class: 'pill', title: 'The server lets the console look only (--console on)' }, 'read only'),
        h('span', { class: 'space' }),
        h('button', { type: 'button', class: 'plain', onclick: () => void this.logout() }, 'Log out'),
      ),
      this.banner,
      this.questions.element,
      h(
        'div',
        { class: 'columns' },
        h(
          'nav',
          { 'aria-label': 'Sessions and processes' },
          h('div', { class: 'actions' }, login.write && this.newButton, this.filesButton),
          this.list.element,
          login.write && this.questions.form,
        ),
        this.main,
      ),
      this.dialog.element,
    );
    this.showNothing();
    this.changed();
  }

  /** @param takeover see {@link Connection.open} */
  async start(takeover = true): Promise<void> {
    while (!this.left) {
      try {
        await this.connection.open(takeover);
        if (this.connection.state === 'elsewhere') return;
        break;
      } catch (e) {
        this.tell(`No connection: ${e instanceof Error ? e.message : e}. Trying again.`);
        if ((await stillValid(this.login)) === false) return this.leaveNow('Your log-in has ended.');
        await pause(RETRY_MS);
      }
    }
    for (const feed of this.feeds.values()) feed.stop();
    this.feeds.clear();
    if (this.connection.client && !this.left) this.questions.of(this.connection.client);
    void this.poll(this.connection.client);
    if (this.view instanceof FilesView) this.showFiles();
  }

  private async poll(client = this.connection.client): Promise<void> {
    while (client && client === this.connection.client && !client.closed && !this.left) {
      try {
        const sessions = await client.listSessions();
        this.list.update(sessions);
        this.drainOwn();
        if (this.view instanceof ProcessView) this.view.update(this.list.find(this.view.key));
        if (this.wanted && this.list.find(this.wanted)) {
          this.showProcess(this.list.find(this.wanted)!);
          this.wanted = undefined;
        }
      } catch (e) {
        if (!client.closed) this.tell(`The list of sessions is not there: ${e instanceof Error ? e.message : e}`);
      }
      await pause(LIST_MS);
    }
  }

  /** The output of processes of our own session is read whether somebody looks or not: they would wait for their client. */
  private drainOwn(): void {
    for (const row of this.list.rows()) if (row.own && !this.feeds.has(row.key)) this.feed(row);
    for (const [key, feed] of this.feeds) {
      const shown = this.view instanceof ProcessView && this.view.key === key;
      if (!this.list.find(key) && !shown) {
        feed.stop();
        this.feeds.delete(key);
      }
    }
  }

  private feed(row: ProcessRow): Feed {
    let feed = this.feeds.get(row.key);
    if (!feed) {
      feed = new Feed(this.connection.client!, row.sessionId, row.processId, row.own, row.tty, this.login.write);
      this.feeds.set(row.key, feed);
    }
    return feed;
  }

  private changed(): void {
    const { state, why } = this.connection;
    const off = state === 'lost' || state === 'ended' || state === 'elsewhere';
    setText(this.pill, off ? 'not connected' : state);
    this.pill.dataset.state = off ? 'lost' : state;
    this.newButton.disabled = state !== 'connected' || !this.connection.client;
    this.filesButton.disabled = !this.connection.client;
    if (state === 'connected') this.banner.hidden = true;
    else if (state === 'lost') this.tell('Connection lost. Trying again; programs go on meanwhile.');
    else if (state === 'ended' && !this.left) {
      this.tell(`Not connected any more: ${why}`);
      void pause(RETRY_MS).then(() => this.start(false));
    } else if (state === 'elsewhere') this.tellOfAnotherTab();
  }

  private tellOfAnotherTab(): void {
    this.questions.clear();
    const here = h('button', { type: 'button', onclick: () => { here.disabled = true; void this.start(); } }, 'Go on here');
    this.tell('This session goes on in another tab.', here);
  }

  private tell(text: string, ...more: HTMLElement[]): void {
    if (more.length > 0 || this.banner.textContent !== text) this.banner.replaceChildren(text, ...more);
    this.banner.hidden = false;
  }

  private swap(view: ProcessView | FilesView | undefined, content: HTMLElement): void {
    this.view?.hide();
    this.view = view;
    this.main.replaceChildren(content);
    this.element.classList.toggle('with-detail', view !== undefined);
    this.filesButton.setAttribute('aria-pressed', String(view instanceof FilesView));
    this.list.select(view instanceof ProcessView ? view.key : undefined);
  }

  private readonly back = (): void => {
    this.showNothing();
    this.list.focus();
  };

  private showNothing(): void {
    const text = this.login.write
      ? 'Choose a process to see its output, or open a terminal.'
      : 'Choose a process to see its output.';
    this.swap(undefined, h('div', { class: 'empty' }, h('p', {}, text)));
  }

  private showProcess(row: ProcessRow): void {
    if (!this.connection.client) return;
    for (const [key, feed] of this.feeds) {
      if (this.view instanceof ProcessView && this.view.key === key && !feed.screen.typing && key !== row.key) {
        if (!this.list.find(key)?.own) {
          this.view.hide();
          feed.stop();
          this.feeds.delete(key);
        }
      }
    }
    const view = new ProcessView(this.connection.client, row, this.feed(row), this.login.write, this.back);
    this.swap(view, view.element);
    view.show();
  }

  private showFiles(): void {
    if (!this.connection.client) return;
    const view = new FilesView(this.connection.client, this.login, this.back);
    this.swap(view, view.element);
    void view.show();
  }

  private openDialog(): void {
    if (this.connection.client) this.dialog.open(this.connection.client);
  }

  private async started(processId: string): Promise<void> {
    const client = this.connection.client!;
    this.wanted = `${client.sessionId} ${processId}`;
    this.list.update(await client.listSessions());
    const row = this.list.find(this.wanted);
    if (row) this.showProcess(row);
    this.wanted = row ? undefined : this.wanted;
  }

  private async logout(): Promise<void> {
    const running = [...this.list.rows()].filter(row => row.own && row.info.running).length;
    if (running > 0 && !confirm(`Log out, and end what runs in the terminals of this page (${running})?`)) return;
    this.left = true;
    const { client, state } = this.connection;
    if (client && state === 'connected') await client.end().catch(() => {}); // its session ends later then
    await logout(this.login);
    this.leaveNow();
  }

  private leaveNow(said?: string): void {
    this.left = true;
    this.connection.close();
    for (const feed of this.feeds.values()) feed.stop();
    this.leave(said);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms));
}
