import { toUri } from './paths.js';

interface Entry {
  path: unknown;
  access: 'read' | 'write' | 'deny';
}

/**
 * Description of a sandbox: which files may be read and written, and whether there is a network. The most specific place
 * decides (docs/permissions.md). Methods return a new description, so one may be shared.
 *
 *     Sandbox.readingEverything().write('/work').deny('/work/secret').within('/work')
 */
export class Sandbox {
  private constructor(
    private readonly entries: readonly Entry[],
    private readonly network: boolean,
    private readonly workspace: string | undefined,
  ) {}

  /** All files may be read, none written; no network. */
  static readingEverything(): Sandbox {
    return new Sandbox([{ path: { type: 'special', value: { kind: 'root' } }, access: 'read' }], false, undefined);
  }

  /** Only what programs of the platform need may be read; no network. */
  static readingThePlatform(): Sandbox {
    return new Sandbox([{ path: { type: 'special', value: { kind: 'minimal' } }, access: 'read' }], false, undefined);
  }

  read(path: string): Sandbox {
    return this.with(path, 'read');
  }

  /** Allows writing and reading. */
  write(path: string): Sandbox {
    return this.with(path, 'write');
  }

  /** Denies reading and writing, even inside of an allowed place. */
  deny(path: string): Sandbox {
    return this.with(path, 'deny');
  }

  withNetwork(): Sandbox {
    return new Sandbox(this.entries, true, this.workspace);
  }

  /** Sets the workspace, which relative places of the policy mean. */
  within(workspace: string): Sandbox {
    return new Sandbox(this.entries, this.network, toUri(workspace));
  }

  /** Returns the `sandbox` member of a request. */
  toWire(cwdUri: string): Record<string, unknown> {
    const anchor = this.workspace ?? cwdUri;
    return {
      permissions: {
        type: 'managed',
        network: this.network ? 'enabled' : 'restricted',
        file_system: { type: 'restricted', entries: this.entries },
      },
      cwd: anchor,
      workspaceRoots: [anchor],
      windowsSandboxLevel: 'disabled',
    };
  }

  private with(path: string, access: Entry['access']): Sandbox {
    const entry: Entry = { path: { type: 'path', path: toUri(path) }, access };
    return new Sandbox([...this.entries, entry], this.network, this.workspace);
  }
}

/** A description, the JSON of the protocol, or the name of a profile of the server. */
export type SandboxLike = Sandbox | string | Readonly<Record<string, unknown>>;

export function sandboxMember(sandbox: SandboxLike, cwdUri: string): Readonly<Record<string, unknown>> {
  if (sandbox instanceof Sandbox) return sandbox.toWire(cwdUri);
  if (typeof sandbox === 'string') return { profile: sandbox, cwd: cwdUri, workspaceRoots: [cwdUri] };
  return sandbox;
}
