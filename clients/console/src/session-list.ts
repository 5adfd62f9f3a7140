import { arrange, h, setText } from './dom.js';
import { commandLine, cpu, duration, visible } from './format.js';

type Json = Record<string, any>;

/** One process as the list has it. */
export interface ProcessRow {
  key: string;
  sessionId: string;
  sessionName: string;
  processId: string;
  own: boolean;
  tty: boolean;
  info: Json;
}

/** Word and kind of the state of a process. */
export function state(info: Json): [string, string] {
  if (info.stopped) return ['stopped', 'warn'];
  if (info.running) return ['running', 'good'];
  if (!info.exited) return ['starting', ''];
  return info.exitCode === 0 ? ['exited 0', ''] : [`exited ${info.exitCode ?? '?'}`, 'bad'];
}

interface Entry {
  element: HTMLButtonElement;
  command: HTMLElement;
  word: HTMLElement;
  facts: HTMLElement;
}

/** The sessions and their processes. Elements are kept from one list to the next, so that the focus stays. */
export class SessionList {
  readonly element = h('div', { class: 'sessions' });
  private readonly entries = new Map<string, Entry>();
  private readonly groups = new Map<string, { element: HTMLElement; title: HTMLElement; facts: HTMLElement; list: HTMLElement }>();
  private readonly empty = h('p', { class: 'quiet pad' }, 'No session has a process.');
  private found = new Map<string, ProcessRow>();
  private selected: string | undefined;

  constructor(private readonly chosen: (row: ProcessRow) => void) {
    this.element.append(h('p', { class: 'quiet pad' }, 'Waiting for the server.'));
  }

  rows(): Iterable<ProcessRow> {
    return this.found.values();
  }

  find(key: string): ProcessRow | undefined {
    return this.found.get(key);
  }

  focus(): void {
    this.element.querySelector('button')?.focus();
  }

  select(key: string | undefined): void {
    this.selected = key;
    for (const [other, entry] of this.entries) {
      if (other === key) entry.element.setAttribute('aria-current', 'true');
      else entry.element.removeAttribute('aria-current');
    }
  }

  update(sessions: readonly Json[]): void {
    const found = new Map<string, ProcessRow>();
    const groups: HTMLElement[] = [];
    for (const session of sessions) {
      const processes: Json[] = session.processes ?? [];
      if (processes.length === 0) continue;
      const rows = processes.map(info => ({
        key: `${session.sessionId} ${info.processId}`,
        sessionId: String(session.sessionId),
        sessionName: visible(session.name ?? session.clientName),
        processId: String(info.processId),
        own: session.own === true,
        tty: info.tty === true,
        info,
      }));
      for (const row of rows) found.set(row.key, row);
      groups.push(this.group(session, rows));
    }
    this.found = found;
    arrange(this.element, groups.length > 0 ? groups : [this.empty]);
    for (const key of this.entries.keys()) if (!found.has(key)) this.entries.delete(key);
    this.select(this.selected);
  }

  private group(session: Json, rows: readonly ProcessRow[]): HTMLElement {
    let group = this.groups.get(session.sessionId);
    if (!group) {
      const title = h('h2', {});
      const facts = h('span', { class: 'quiet small' });
      const list = h('ul', {});
      group = { element: h('section', {}, h('div', { class: 'group' }, title, facts), list), title, facts, list };
      this.groups.set(session.sessionId, group);
    }
    setText(group.title, session.own ? 'This page' : visible(session.name ?? session.clientName ?? 'unnamed'));
    const since = duration(Date.now() - Number(session.sinceMs));
    const client = session.name && !session.own ? `${visible(session.clientName)}, ` : '';
    setText(group.facts, session.own ? '' : `${client}${session.attached ? 'attached' : 'detached'} for ${since}`);
    arrange(group.list, rows.map(row => this.entry(row).element.parentElement!));
    return group.element;
  }

  private entry(row: ProcessRow): Entry {
    let entry = this.entries.get(row.key);
    if (!entry) {
      const command = h('code', { class: 'command' });
      const word = h('span', { class: 'state' });
      const facts = h('span', { class: 'quiet small' });
      const element = h(
        'button',
        { type: 'button', class: 'process', onclick: () => this.chosen(this.found.get(row.key)!) },
        command,
        h('span', { class: 'line' }, word, facts),
      );
      h('li', {}, element);
      entry = { element, command, word, facts };
      this.entries.set(row.key, entry);
    }
    const [word, kind] = state(row.info);
    setText(entry.command, commandLine(row.info.argv));
    setText(entry.word, word);
    entry.word.dataset.kind = kind;
    setText(entry.facts, facts(row.info));
    return entry;
  }
}

function facts(info: Json): string {
  const parts = [`started ${duration(Date.now() - Number(info.startedAtMs))} ago`];
  if (info.cpuMs !== undefined) parts.push(`CPU ${cpu(info.cpuMs)}`);
  return parts.join(', ');
}
