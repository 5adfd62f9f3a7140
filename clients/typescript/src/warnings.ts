/** Warnings of a server about the params of requests; one that was started with `--strict-members warn` gives them. */

/** Gets the method and the text, as it came. */
export type WarningHandler = (method: string, warning: string) => void;

/** Most warnings that a server can make us tell, and most of a text that is told. */
const MAX_WARNINGS = 100;
const MAX_LENGTH = 4_096;

/** Tells each warning once. */
export class Warnings {
  private readonly told = new Set<string>();

  constructor(private readonly handler: WarningHandler = toConsole) {}

  /** Takes an answer, whose warnings stand beside its result or in the data of its error. */
  answered(method: string, answer: any): void {
    const given: unknown = answer.error === undefined ? answer.warnings : [answer.error?.data?.warnings];
    if (!Array.isArray(given)) return;
    for (const text of given) if (typeof text === 'string') this.tell(method, text.slice(0, MAX_LENGTH));
  }

  /** Tells a warning about a method. */
  tell(method: string, text: string): void {
    const key = `${method}: ${text}`;
    if (this.told.size >= MAX_WARNINGS || this.told.has(key)) return;
    this.told.add(key);
    try {
      this.handler(method, text);
    } catch (e) {
      console.error('a handler of warnings has failed', e);
    }
  }
}

function toConsole(method: string, warning: string): void {
  console.warn(`exec-server: ${method}: ${visible(warning)}`);
}

/** Returns the text with escapes for control characters, line breaks and invisible characters. */
export function visible(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, char => `\\u{${char.codePointAt(0)!.toString(16)}}`);
}
