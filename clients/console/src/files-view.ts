import type { Client } from '../../typescript/src/index.js';
import { fromUri, toUri } from '../../typescript/src/paths.js';
import { h, save, setText } from './dom.js';
import { bytes, visible } from './format.js';
import { authorization, base, type Login } from './login.js';

const PREVIEW_BYTES = 256 * 1024;
const PICTURE_BYTES = 16 * 1024 * 1024;
const MAX_ENTRIES = 5_000;
/** Pictures that carry no script. */
const PICTURES: Record<string, string> = { png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' };

interface Entry {
  uri: string;
  name: string;
  folder: boolean;
}

/** Browses folders, shows files, takes and gives them. */
export class FilesView {
  readonly element: HTMLElement;
  private readonly path = h('input', { id: 'path', 'aria-label': 'Folder', spellcheck: 'false', autocomplete: 'off' });
  private readonly entries = h('ul', { class: 'files' });
  private readonly preview = h('div', { class: 'preview' });
  private readonly said = h('p', { class: 'small quiet', role: 'status' });
  private folder: string;

  constructor(private readonly client: Client, private readonly login: Login, back: () => void) {
    this.folder = client.cwdUri;
    const picker = h('input', { type: 'file', multiple: true, class: 'hidden', id: 'upload', 'aria-label': 'Upload files', onchange: () => void this.upload(picker.files) });
    this.element = h(
      'section',
      { class: 'view files-view', 'aria-label': 'Files' },
      h(
        'form',
        { class: 'toolbar', onsubmit: (event: Event) => { event.preventDefault(); this.go(this.path.value); } },
        h('button', { type: 'button', class: 'plain back', onclick: back, 'aria-label': 'Back to the list' }, '‹ Back'),
        h('button', { type: 'button', onclick: () => void this.list(parent(this.folder)), 'aria-label': 'Parent folder' }, 'Up'),
        this.path,
        h('button', { type: 'submit' }, 'Go'),
        login.write && h('button', { type: 'button', onclick: () => picker.click() }, 'Upload'),
        login.write && picker,
      ),
      this.said,
      h('div', { class: 'split' }, this.entries, this.preview),
    );
    if (login.write) this.takeDrops();
  }

  async show(): Promise<void> {
    await this.list(this.folder);
  }

  hide(): void {}

  private go(path: string): void {
    try {
      void this.list(toUri(path));
    } catch (e) {
      this.say(e);
    }
  }

  private async list(uri: string): Promise<void> {
    try {
      const answer = await this.client.call('fs/readDirectory', { path: uri }, { repeat: true });
      const found: Entry[] = answer.entries.map((entry: any) => ({
        uri: typeof entry.path === 'string' ? entry.path : `${uri.replace(/\/$/, '')}${toUri(`/${entry.fileName}`).slice('file://'.length)}`,
        name: String(entry.fileName),
        folder: entry.isDirectory === true,
      }));
      found.sort((a, b) => Number(b.folder) - Number(a.folder) || a.name.localeCompare(b.name));
      this.folder = uri;
      this.path.value = native(uri);
      this.preview.replaceChildren();
      this.entries.replaceChildren(...found.slice(0, MAX_ENTRIES).map(entry => this.entry(entry)));
      const hint = this.login.write ? ' Drop files here to upload them.' : '';
      const more = found.length > MAX_ENTRIES ? `, the first ${MAX_ENTRIES} are shown` : '';
      setText(this.said, found.length === 0 ? `This folder is empty.${hint}` : `${found.length} entries${more}.${hint}`);
    } catch (e) {
      this.say(e);
    }
  }

  private entry(entry: Entry): HTMLElement {
    const open = (): void => void (entry.folder ? this.list(entry.uri) : this.look(entry));
    const button = h('button', { type: 'button', class: entry.folder ? 'file folder' : 'file', onclick: open }, visible(entry.name) + (entry.folder ? '/' : ''));
    return h('li', {}, button);
  }

  private url(uri: string): URL {
    const url = new URL('console/files', base);
    url.search = `path=${encodeURIComponent(uri)}`;
    return url;
  }

  private async look(entry: Entry): Promise<void> {
    const title = h('h2', {}, visible(entry.name));
    const facts = h('span', { class: 'quiet small' });
    const button = h('button', { type: 'button', onclick: () => void this.download(entry, button) }, 'Download');
    const content = h('div', { class: 'content' });
    this.preview.replaceChildren(h('div', { class: 'toolbar' }, title, facts, h('span', { class: 'space' }), button), content);
    try {
      const info = await this.client.call('fs/getMetadata', { path: entry.uri }, { repeat: true });
      setText(facts, `${bytes(info.size)}, ${new Date(info.modifiedAtMs).toLocaleString()}`);
      const type = PICTURES[entry.name.split('.').pop()!.toLowerCase()];
      const picture = type !== undefined && info.size <= PICTURE_BYTES;
      const range: Record<string, string> = picture || info.size === 0 ? {} : { Range: `bytes=0-${PREVIEW_BYTES - 1}` };
      const answer = await fetch(this.url(entry.uri), { headers: { ...authorization(this.login), ...range } });
      if (!answer.ok) throw new Error(await refusal(answer));
      const data = await answer.arrayBuffer();
      if (picture) content.replaceChildren(await image(new Blob([data], { type }), entry.name));
      else content.replaceChildren(...text(new Uint8Array(data), info.size));
    } catch (e) {
      content.replaceChildren(h('p', { class: 'problem' }, visible(e instanceof Error ? e.message : e)));
    }
  }

  private async download(entry: Entry, button: HTMLButtonElement): Promise<void> {
    button.disabled = true;
    try {
      const answer = await fetch(this.url(entry.uri), { headers: authorization(this.login) });
      if (!answer.ok) throw new Error(await refusal(answer));
      save(entry.name, new Blob([await answer.blob()], { type: 'application/octet-stream' }));
    } catch (e) {
      this.say(e);
    }
    button.disabled = false;
  }

  private takeDrops(): void {
    const over = (event: DragEvent): void => {
      event.preventDefault();
      this.element.classList.add('dropping');
    };
    const out = (): void => this.element.classList.remove('dropping');
    this.element.addEventListener('dragover', over);
    this.element.addEventListener('dragleave', out);
    this.element.addEventListener('drop', event => {
      event.preventDefault();
      out();
      void this.upload(event.dataTransfer?.files ?? null);
    });
  }

  private async upload(files: FileList | null): Promise<void> {
    const folder = this.folder;
    const names: string[] = [];
    for (const file of [...(files ?? [])]) {
      const target = `${folder.replace(/\/$/, '')}${toUri(`/${file.name}`).slice('file://'.length)}`;
      try {
        await this.put(target, file, false);
        names.push(file.name);
      } catch (e) {
        this.say(e);
        return;
      }
    }
    if (names.length === 0) return;
    await this.list(folder);
    setText(this.said, `Uploaded ${names.map(visible).join(', ')}.`);
  }

  /** Sends a file. One that is there already is replaced only when the person says so. */
  private async put(target: string, file: File, replace: boolean): Promise<void> {
    const status = await this.send(target, file, replace);
    if (status.code === 412 && !replace) {
      if (confirm(`${file.name} is there already. Replace it?`)) await this.put(target, file, true);
    } else if (status.code >= 300) {
      throw new Error(`${file.name}: ${status.text}`);
    }
  }

  private send(target: string, file: File, replace: boolean): Promise<{ code: number; text: string }> {
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest(); // fetch tells no progress of what it sends
      request.open('PUT', this.url(target));
      for (const [name, value] of Object.entries(authorization(this.login))) request.setRequestHeader(name, value);
      if (!replace) request.setRequestHeader('If-None-Match', '*');
      request.upload.onprogress = ({ loaded }) => setText(this.said, `${visible(file.name)}: ${bytes(loaded)} of ${bytes(file.size)}`);
      request.onload = () => resolve({ code: request.status, text: message(request.responseText) });
      request.onerror = () => reject(new Error(`${file.name}: the connection was lost`));
      request.send(file);
    });
  }

  private say(e: unknown): void {
    setText(this.said, visible(e instanceof Error ? e.message : e));
  }
}

function native(uri: string): string {
  return fromUri(uri);
}

function parent(uri: string): string {
  return uri.replace(/\/$/, '').replace(/\/[^/]*$/, '') === 'file://' ? 'file:///' : uri.replace(/\/$/, '').replace(/\/[^/]*$/, '');
}

function message(body: string): string {
  try {
    return String(JSON.parse(body).error.message);
  } catch {
    return body;
  }
}

async function refusal(answer: Response): Promise<string> {
  return message(await answer.text());
}

async function image(content: Blob, name: string): Promise<HTMLElement> {
  const url = URL.createObjectURL(content);
  const element = h('img', { alt: visible(name), src: url });
  await element.decode().finally(() => URL.revokeObjectURL(url));
  return element;
}

function text(data: Uint8Array, size: number): HTMLElement[] {
  if (data.length === 0) return [h('p', { class: 'quiet' }, 'The file is empty.')];
  if (data.includes(0)) return [h('p', { class: 'quiet' }, 'This is no text. Download it to look at it.')];
  const lines = new TextDecoder().decode(data).split('\n').map(line => line.split('\t').map(visible).join('\t'));
  const shown = h('pre', { tabindex: '0' }, lines.join('\n'));
  return size > data.length ? [h('p', { class: 'quiet small' }, `The first ${bytes(data.length)} of ${bytes(size)}.`), shown] : [shown];
}
