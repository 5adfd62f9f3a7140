import type { Client } from '../../typescript/src/index.js';
import { fromUri } from '../../typescript/src/paths.js';
import { h, save, setText } from './dom.js';
import type { Feed } from './feed.js';
import { bytes, commandLine, cpu, duration, visible } from './format.js';
import { state, type ProcessRow } from './session-list.js';

const SEARCH = { decorations: { matchOverviewRuler: '#888888', activeMatchColorOverviewRuler: '#e0a030', matchBackground: '#7a6a20', activeMatchBackground: '#b07a10' } };

/** One process: what it is, its output, and what became of it. */
export class ProcessView {
  readonly element: HTMLElement;
  readonly key: string;
  private readonly place = h('div', { class: 'screen' });
  private readonly word = h('span', { class: 'state' });
  private readonly facts = h('span', { class: 'quiet small' });
  private readonly note = h('div', { class: 'note', role: 'status', hidden: true });
  private readonly stopButtons: HTMLElement;
  private row: ProcessRow;

  constructor(
    private readonly client: Client,
    row: ProcessRow,
    private readonly feed: Feed,
    write: boolean,
    back: () => void,
  ) {
    this.key = row.key;
    this.row = row;
    const search = h('input', {
      type: 'search', placeholder: 'Search output', 'aria-label': 'Search output', title: 'Enter: next, Shift+Enter: previous',
      oninput: () => this.find(search.value, false),
      onkeydown: (event: KeyboardEvent) => {
        if (event.key === 'Enter') this.find(search.value, event.shiftKey);
        if (event.key === 'Escape') this.feed.screen.terminal.focus();
      },
    });
    this.stopButtons = h(
      'span',
      { class: 'buttons', hidden: !(write && row.own) },
      h('button', { type: 'button', onclick: () => void this.signal('process/signal', { signal: 'interrupt' }) }, 'Interrupt'),
      h('button', { type: 'button', class: 'danger', onclick: () => void this.signal('process/terminate', { graceMs: 2_000 }) }, 'End'),
    );
    this.element = h(
      'section',
      { class: 'view', 'aria-label': 'Process' },
      h(
        'div',
        { class: 'title' },
        h('button', { type: 'button', class: 'plain back', onclick: back, 'aria-label': 'Back to the list' }, '‹ Back'),
        h('code', { class: 'command' }, commandLine(row.info.argv)),
        h('span', { class: 'line' }, this.word, this.facts),
      ),
      h(
        'div',
        { class: 'toolbar', role: 'toolbar', 'aria-label': 'Output' },
        search,
        h('button', { type: 'button', onclick: () => void this.download() }, 'Download'),
        this.stopButtons,
        feed.screen.typing && h('span', { class: 'quiet small hint' }, 'Ctrl+F6 leaves the terminal'),
      ),
      this.note,
      this.place,
    );
    feed.onChange = () => this.refresh();
    this.refresh();
  }

  show(): void {
    this.feed.screen.show(this.place);
    if (this.feed.screen.typing) this.feed.screen.terminal.focus();
  }

  hide(): void {
    this.feed.onChange = () => {};
    this.feed.screen.hide();
  }

  /** @param row what the list says now; undefined when the process is not in it any more */
  update(row: ProcessRow | undefined): void {
    if (row) this.row = row;
    else if (!this.feed.failure) this.feed.failure = 'This process is not there any more; what is shown is all that came.';
    this.refresh();
  }

  private refresh(): void {
    const info = { ...this.row.info };
    if (this.feed.closed) Object.assign(info, { running: false, exited: true, exitCode: this.feed.exitCode ?? info.exitCode });
    const [word, kind] = state(info);
    setText(this.word, word);
    this.word.dataset.kind = kind;
    const parts = [
      info.pid === undefined ? '' : `pid ${info.pid}`,
      info.cwd ? visible(native(String(info.cwd))) : '',
      `started ${duration(Date.now() - Number(info.startedAtMs))} ago`,
      info.cpuMs === undefined ? '' : `CPU ${cpu(info.cpuMs)}`,
      `${bytes(info.outputBytes)} of output`,
      this.row.own ? '' : 'of another session, to watch only',
    ];
    setText(this.facts, parts.filter(part => part).join(' · '));
    if (info.exited) this.stopButtons.hidden = true;
    this.tell();
  }

  private tell(): void {
    const { denial, failure, skipped } = this.feed;
    const lines: HTMLElement[] = [];
    if (denial) {
      lines.push(h('strong', {}, 'Denied by the sandbox'));
      for (const part of [denial.rule, denial.suggestion]) if (part) lines.push(h('p', {}, visible(part)));
      if (denial.change) lines.push(h('pre', {}, visible(JSON.stringify(denial.change))));
    }
    if (failure) lines.push(h('p', {}, visible(failure)));
    if (skipped > 0) lines.push(h('p', { class: 'quiet' }, `${bytes(skipped)} of output before or between are not shown; Download has what the server still keeps.`));
    const text = lines.map(line => line.textContent).join('\n');
    this.note.hidden = lines.length === 0;
    this.note.classList.toggle('denial', denial !== undefined);
    if (this.note.dataset.text !== text) this.note.replaceChildren(...lines);
    this.note.dataset.text = text;
  }

  private find(text: string, before: boolean): void {
    const { search } = this.feed.screen;
    if (text === '') search.clearDecorations();
    else if (before) search.findPrevious(text, SEARCH);
    else search.findNext(text, SEARCH);
  }

  private async signal(method: string, params: Record<string, unknown>): Promise<void> {
    try {
      await this.client.call(method, { processId: this.row.processId, ...params }, { repeat: false });
    } catch (e) {
      this.feed.failure = String(e instanceof Error ? e.message : e);
      this.refresh();
    }
  }

  private async download(): Promise<void> {
    try {
      save(`${this.row.processId.replace(/[^A-Za-z0-9._-]/g, '_')}.log`, await this.feed.download());
    } catch (e) {
      this.feed.failure = `The output cannot be downloaded: ${e instanceof Error ? e.message : e}`;
      this.refresh();
    }
  }
}

function native(uri: string): string {
  try {
    return fromUri(uri);
  } catch {
    return uri;
  }
}
