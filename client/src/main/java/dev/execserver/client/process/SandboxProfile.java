package dev.execserver.client.process;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.Access;
import dev.execserver.protocol.permissions.Entry;
import dev.execserver.protocol.permissions.FileSystemPolicy;
import dev.execserver.protocol.permissions.NetworkPolicy;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.protocol.permissions.SpecialPath;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the most common sandboxes: everything or only named places may be read, named places may be written. The most
 * specific place decides. Mutable and not thread-safe; every method but {@link #in} returns this.
 *
 * <pre>{@code
 * spec.sandbox(SandboxProfile.readingEverything().write(workspace).deny(secrets).in(workspace))
 * }</pre>
 */
public final class SandboxProfile {

    private final List<Entry> entries = new ArrayList<>();
    private NetworkPolicy network = NetworkPolicy.RESTRICTED;

    private SandboxProfile() {}

    /** Allows reading all files; no network. */
    public static SandboxProfile readingEverything() {
        return new SandboxProfile().add(Entry.of(new SpecialPath.Root(), Access.READ));
    }

    /** Allows reading the files that programs of the platform need, and no others; no network. */
    public static SandboxProfile readingThePlatform() {
        return new SandboxProfile().add(Entry.of(new SpecialPath.Minimal(), Access.READ));
    }

    public SandboxProfile read(PathUri place) {
        return add(Entry.of(place, Access.READ));
    }

    /** Allows writing and reading. */
    public SandboxProfile write(PathUri place) {
        return add(Entry.of(place, Access.WRITE));
    }

    /** Denies reading and writing, even inside of an allowed place. */
    public SandboxProfile deny(PathUri place) {
        return add(Entry.of(place, Access.DENY));
    }

    public SandboxProfile withNetwork() {
        network = NetworkPolicy.ENABLED;
        return this;
    }

    /** Returns the context for a command with this workspace. */
    public SandboxContext in(PathUri workspace) {
        return SandboxContext.of(
                new PermissionProfile.Managed(new FileSystemPolicy.Restricted(entries), network), workspace);
    }

    private SandboxProfile add(Entry entry) {
        entries.add(entry);
        return this;
    }
}
