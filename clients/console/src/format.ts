/** Words and numbers for people. */

/** Invisible and direction-changing characters, which could make one name look like another. */
const STRANGE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Returns a text with its invisible characters made visible. */
export function visible(text: unknown): string {
  return String(text ?? '').replace(STRANGE, char =>
    char < ' ' ? String.fromCharCode(0x2400 + char.charCodeAt(0)) : `<U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`,
  );
}

/** Returns a command line as one would type it. */
export function commandLine(argv: unknown): string {
  const words = Array.isArray(argv) ? argv.map(visible) : [];
  return words.map(word => (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`)).join(' ');
}

export function bytes(count: unknown): string {
  let value = Number(count) || 0;
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

export function cpu(ms: unknown): string {
  const value = Number(ms) || 0;
  return value < 60_000 ? `${(value / 1000).toFixed(1)} s` : duration(value);
}

/** Splits a command line as a shell does, without its variables and patterns. */
export function words(line: string): string[] {
  const found: string[] = [];
  for (const match of line.matchAll(/(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+/g)) {
    found.push(
      match[0].replace(/\\(.)|'([^']*)'|"((?:[^"\\]|\\.)*)"/g, (_all, escaped, single, double) =>
        escaped ?? single ?? String(double).replace(/\\(.)/g, '$1'),
      ),
    );
  }
  return found;
}
