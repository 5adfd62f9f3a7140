/** Bytes, texts and Base64, in Node and in browsers. */

const HAS_BUFFER = typeof Buffer !== 'undefined';
const PIECE = 0x8000;

export function toBase64(data: Uint8Array): string {
  if (HAS_BUFFER) return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
  let text = '';
  for (let at = 0; at < data.length; at += PIECE) text += String.fromCharCode(...data.subarray(at, at + PIECE));
  return btoa(text);
}

/** Returns the bytes of a Base64 text. Throws when it is none. */
export function fromBase64(text: unknown): Uint8Array {
  if (typeof text !== 'string') throw new TypeError('Base64 is no string');
  if (HAS_BUFFER) {
    const bytes = Buffer.from(text, 'base64');
    const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
    if (bytes.length !== (text.length / 4) * 3 - padding) throw new TypeError('not Base64');
    return bytes;
  }
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export function toBytes(data: Uint8Array | string): Uint8Array {
  return typeof data === 'string' ? new TextEncoder().encode(data) : data;
}

export function join(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0]!;
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Returns a text that nobody can guess, of 24 hexadecimal digits. */
export function randomId(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}
