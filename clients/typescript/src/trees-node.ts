import { constants, type Dirent } from 'node:fs';
import { lstat, mkdir, open, readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Client } from './client.js';
import { ExecServerError, UnexpectedAnswerError } from './errors.js';
import { below, fromUri } from './paths.js';

/** Files that are copied at once. */
const IN_FLIGHT = 8;

/** Deepest directory that is copied. */
const MAX_DEPTH = 128;

/** Result of a copy. */
export interface Copied {
  files: number;
  directories: number;
  bytes: number;
  /** Paths below the source that are neither files nor directories. */
  skipped: string[];
}

type Work = () => Promise<void>;

/**
 * Copies a local directory to the server. The target is made if it is missing; files in it are replaced, others stay.
 * Permission bits are kept. Links and special files are not copied but listed. Contents go in blocks, so that memory stays
 * constant.
 */
export async function uploadTree(client: Client, source: string, target: string): Promise<Copied> {
  const copied = { files: 0, directories: 0, bytes: 0, skipped: [] as string[] };
  const work: Work[] = [];

  async function directory(from: string, to: string, name: string, depth: number): Promise<void> {
    checkDepth(depth, name);
    await client.files.mkdir(to);
    copied.directories++;
    const entries: Dirent[] = await readdir(from, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const here = join(from, entry.name);
      const there = `${to}/${entry.name}`;
      if (entry.isDirectory()) await directory(here, there, `${name}${entry.name}/`, depth + 1);
      else if (entry.isFile()) work.push(() => file(here, there));
      else copied.skipped.push(name + entry.name);
    }
  }

  async function file(from: string, to: string): Promise<void> {
    const opened = await open(from, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const bytes = await client.files.writeBlocks(to, opened.createReadStream({ autoClose: false }));
      if (client.features.has('fs/setMode')) await client.files.chmod(to, (await opened.stat()).mode & 0o777);
      copied.bytes += bytes;
    } finally {
      await opened.close();
    }
    copied.files++;
  }

  await directory(source, fromUri(below(client.cwdUri, target)), '', 0);
  await all(work);
  return copied;
}

/**
 * Copies a directory of the server to this machine, as `uploadTree` does in the other direction. Nothing that a server sends
 * leaves the target: a name that is not one name ends the download, and links are not followed.
 */
export async function downloadTree(client: Client, source: string, target: string): Promise<Copied> {
  const copied = { files: 0, directories: 0, bytes: 0, skipped: [] as string[] };
  const work: Work[] = [];

  async function directory(from: string, to: string, name: string, depth: number): Promise<void> {
    checkDepth(depth, name);
    if (depth > 0 && (await isLink(to))) throw new ExecServerError(`${to} is a link; nothing is downloaded through it`);
    await mkdir(to, { recursive: true });
    copied.directories++;
    for (const entry of await client.files.entries(from)) {
      const child = checked(entry.fileName);
      const there = entry.path == null ? `${from}/${child}` : fromUri(entry.path);
      const here = join(to, child);
      // The listing describes the target of a link, which may be anywhere, or a directory above.
      const listed = entry.isDirectory || entry.isFile;
      if (listed && (await client.files.stat(there)).isSymlink) copied.skipped.push(name + child);
      else if (entry.isDirectory) await directory(there, here, `${name}${child}/`, depth + 1);
      else if (entry.isFile) work.push(() => file(there, here));
      else copied.skipped.push(name + child);
    }
  }

  async function file(from: string, to: string): Promise<void> {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
    const opened = await open(to, flags, 0o666);
    try {
      for await (const block of client.files.readBlocks(from)) {
        await opened.writeFile(block);
        copied.bytes += block.length;
      }
      const { mode } = await client.files.stat(from);
      if (mode !== undefined) await opened.chmod(mode & 0o777);
    } finally {
      await opened.close();
    }
    copied.files++;
  }

  await directory(fromUri(below(client.cwdUri, source)), target, '', 0);
  await all(work);
  return copied;
}

/** Runs everything, some at once. After a failure nothing more is begun, and the failure is thrown. */
async function all(work: Work[]): Promise<void> {
  let failed = false;
  const one = async (): Promise<void> => {
    for (let next = work.shift(); next !== undefined && !failed; next = work.shift()) {
      try {
        await next();
      } catch (e) {
        failed = true;
        throw e;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: IN_FLIGHT }, one));
  const failure = ends.find(end => end.status === 'rejected');
  if (failure) throw (failure as PromiseRejectedResult).reason;
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (e) {
    if ((e as { code?: string }).code === 'ENOENT') return false;
    throw e;
  }
}

/** Returns a name from the server that is one name and nothing else. */
function checked(name: string): string {
  if (['', '.', '..'].includes(name) || name.includes('/') || name.includes(sep) || name.includes('\0')) {
    throw new UnexpectedAnswerError(`the server names a file ${JSON.stringify(name)}, which is no name of a file`);
  }
  return name;
}

function checkDepth(depth: number, name: string): void {
  if (depth > MAX_DEPTH) throw new ExecServerError(`${name} is deeper than ${MAX_DEPTH} directories`);
}
