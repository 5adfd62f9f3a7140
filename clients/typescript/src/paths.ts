/** Paths are strings for callers and `file:` URIs on the wire (docs/protocol.md, "Paths"). */

const UNESCAPED = /[A-Za-z0-9\-._~/]/;

/**
 * Returns the URI of an absolute path. A `file:` URI is returned as it is.
 *
 * @throws TypeError when the path is not absolute
 */
export function toUri(path: string): string {
  if (path.startsWith('file:')) return path;
  if (!path.startsWith('/')) throw new TypeError(`not an absolute path: ${path}`);
  let uri = 'file://';
  for (const byte of new TextEncoder().encode(path)) {
    const char = String.fromCharCode(byte);
    uri += UNESCAPED.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return uri;
}

/** Returns the native path of a URI of the server. One with bytes that are not UTF-8 is returned as the URI. */
export function fromUri(uri: string): string {
  const match = /^file:(?:\/\/(?:localhost)?)?(\/.*)$/.exec(uri);
  if (!match) throw new TypeError(`not a file: URI of this server: ${uri}`);
  try {
    return decodeURIComponent(match[1]!);
  } catch {
    return uri;
  }
}

/** Returns the URI of a path that may be relative to `cwdUri`. */
export function below(cwdUri: string, path: string): string {
  if (path.startsWith('file:') || path.startsWith('/')) return toUri(path);
  const base = cwdUri.endsWith('/') ? cwdUri : `${cwdUri}/`;
  return base + toUri(`/${path}`).slice('file:///'.length);
}
