import type { Client } from '../../typescript/src/index.js';
import { randomId } from '../../typescript/src/bytes.js';
import { below, fromUri } from '../../typescript/src/paths.js';
import { Sandbox } from '../../typescript/src/sandbox.js';
import { h } from './dom.js';
import { words } from './format.js';

const CORE = { inherit: 'core', ignoreDefaultExcludes: true, exclude: [], set: {}, includeOnly: [] };
const SIZE = { cols: 100, rows: 30 };

/** Asks what to run in a new terminal, and starts it. */
export class StartDialog {
  readonly element: HTMLDialogElement;
  private readonly command = h('input', { id: 'start-command', required: true, spellcheck: 'false', autocomplete: 'off' });
  private readonly folder = h('input', { id: 'start-folder', spellcheck: 'false', autocomplete: 'off' });
  private readonly sandbox: HTMLSelectElement;
  private readonly problem = h('p', { class: 'problem', role: 'alert' });
  private client: Client | undefined;

  constructor(private readonly started: (processId: string) => void) {
    this.sandbox = h(
      'select',
      { id: 'start-sandbox' },
      h('option', { value: 'none' }, 'none: as the server’s user'),
      h('option', { value: 'read' }, 'read everything, write nothing, no network'),
      h('option', { value: 'folder' }, 'write the folder only, no network'),
    );
    const form = h(
      'form',
      { method: 'dialog', onsubmit: (event: Event) => void this.submit(event) },
      h('h2', {}, 'New terminal'),
      h('label', { for: 'start-command' }, 'Command'),
      this.command,
      h('label', { for: 'start-folder' }, 'Folder'),
      this.folder,
      h('label', { for: 'start-sandbox' }, 'Sandbox'),
      this.sandbox,
      this.problem,
      h(
        'div',
        { class: 'buttons end' },
        h('button', { type: 'button', onclick: () => this.element.close() }, 'Cancel'),
        h('button', { type: 'submit', class: 'primary' }, 'Open'),
      ),
    );
    this.element = h('dialog', { class: 'card', 'aria-label': 'New terminal' }, form);
  }

  open(client: Client): void {
    this.client = client;
    const shell: any = client.environment.shell;
    this.command.value ||= String(shell?.path ?? shell?.name ?? 'bash');
    this.folder.value ||= fromUri(client.cwdUri);
    this.problem.textContent = '';
    this.element.showModal();
    this.command.select();
  }

  private async submit(event: Event): Promise<void> {
    event.preventDefault();
    const client = this.client!;
    const processId = `console-${randomId()}`;
    const cwd = below(client.cwdUri, this.folder.value || '.');
    const params = {
      processId, argv: words(this.command.value), cwd, tty: true, size: SIZE, push: false, pipeStdin: false,
      env: { TERM: 'xterm-256color', COLORTERM: 'truecolor' }, envPolicy: CORE,
      ...this.confinement(cwd),
    };
    try {
      await client.call('process/start', params, { repeat: false });
      this.element.close();
      this.started(processId);
    } catch (e) {
      this.problem.textContent = e instanceof Error ? e.message : String(e);
    }
  }

  private confinement(cwd: string): Record<string, unknown> {
    if (this.sandbox.value === 'none') return {};
    const reading = Sandbox.readingEverything();
    const chosen = this.sandbox.value === 'read' ? reading : reading.write(cwd);
    return { sandbox: chosen.toWire(cwd) };
  }
}
