import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { Terminal, type ITheme } from '@xterm/xterm';

const SCROLLBACK_LINES = 20_000;
const dark = matchMedia('(prefers-color-scheme: dark)');

const THEMES: Record<'dark' | 'light', ITheme> = {
  dark: { background: '#15181d', foreground: '#d8dee6', cursor: '#8ab4f8', selectionBackground: '#3a4a63' },
  light: {
    background: '#fcfcfb', foreground: '#22262b', cursor: '#1f5fbf', selectionBackground: '#c9dcf7',
    black: '#22262b', red: '#b3261e', green: '#1b6e35', yellow: '#7a5900', blue: '#1f5fbf', magenta: '#8e2a8b', cyan: '#0b6b74', white: '#5b6169',
    brightBlack: '#6a7078', brightRed: '#c5372c', brightGreen: '#23803f', brightYellow: '#8a6500', brightBlue: '#2b6dd0', brightMagenta: '#9c389a', brightCyan: '#127883', brightWhite: '#3a3f45',
  },
};

/** A link of a program is opened in another tab that knows nothing of this one, and only if it leads to the web. */
function openLink(_event: MouseEvent, uri: string): void {
  if (/^https?:\/\//i.test(uri) && confirm(`Open this address?\n\n${uri}`)) window.open(uri, '_blank', 'noopener,noreferrer');
}

/** A terminal on the page. It understands what programs write; what they write does nothing beyond the terminal. */
export class Screen {
  readonly terminal: Terminal;
  readonly search = new SearchAddon();
  private readonly fit = new FitAddon();
  private readonly watcher = new ResizeObserver(() => this.fitNow());
  private readonly recolour = () => (this.terminal.options.theme = THEMES[dark.matches ? 'dark' : 'light']);

  /** @param typing true if keys go to a program */
  constructor(readonly typing: boolean, lines: boolean) {
    this.terminal = new Terminal({
      disableStdin: !typing,
      cursorInactiveStyle: typing ? 'outline' : 'none',
      convertEol: lines,
      scrollback: SCROLLBACK_LINES,
      fontFamily: 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace',
      fontSize: 13,
      lineHeight: 1.2,
      minimumContrastRatio: 4.5,
      allowProposedApi: true,
      linkHandler: { activate: openLink },
      theme: THEMES[dark.matches ? 'dark' : 'light'],
    });
    this.terminal.loadAddon(this.fit);
    this.terminal.loadAddon(this.search);
    this.terminal.loadAddon(new WebLinksAddon(openLink));
    this.terminal.attachCustomKeyEventHandler(event => {
      if (event.key === 'F6' && event.ctrlKey) {
        if (event.type === 'keydown') document.querySelector<HTMLElement>('.toolbar input')?.focus();
        return false;
      }
      return typing || event.key !== 'Tab';
    });
    dark.addEventListener('change', this.recolour);
  }

  show(place: HTMLElement): void {
    if (this.terminal.element) place.append(this.terminal.element);
    else this.terminal.open(place);
    this.watcher.disconnect();
    this.watcher.observe(place);
    this.fitNow();
  }

  hide(): void {
    this.watcher.disconnect();
    this.terminal.element?.remove();
  }

  dispose(): void {
    this.watcher.disconnect();
    dark.removeEventListener('change', this.recolour);
    this.terminal.dispose();
  }

  private fitNow(): void {
    if (this.terminal.element?.isConnected) this.fit.fit();
  }
}
