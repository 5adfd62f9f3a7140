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
 * Makes the sandboxes that are asked for most: everything or only named places may be read, named places may be written.
 * The most specific place decides. Mutable and not thread-safe; every method but {@link #in} returns this.
 *
 * <pre>{@code
 * spec.sandbox(SandboxProfile.readingEverything().write(workspace).deny(secrets).in(workspace))
 * }</pre>
 */
public final class SandboxProfile {

    private final List<Entry> entries = new ArrayList<>();
    private NetworkPolicy network = NetworkPolicy.RESTRICTED;

    private SandboxProfile() {}

    /** All files may be read; no network. */
    public static SandboxProfile readingEverything() {
        return new SandboxProfile().add(Entry.of(new SpecialPath.Root(), Access.READ));
    }

    /** What programs of the platform need may be read, and nothing else; no network. */
    public static SandboxProfile readingThePlatform() {
        return new SandboxProfile().add(Entry.of(new SpecialPath.Minimal(), Access.READ));
    }

    public SandboxProfile read(PathUri place) {
        return add(Entry.of(place, Access.READ));
    }

    /** Reading included. */
    public SandboxProfile write(PathUri place) {
        return add(Entry.of(place, Access.WRITE));
    }

    /** Neither read nor written, whatever is allowed around it. */
    public SandboxProfile deny(PathUri place) {
        return add(Entry.of(place, Access.DENY));
    }

    public SandboxProfile withNetwork() {
        network = NetworkPolicy.ENABLED;
        return this;
    }

    /** For a command with this workspace. */
    public SandboxContext in(PathUri workspace) {
        return SandboxContext.of(
                new PermissionProfile.Managed(new FileSystemPolicy.Restricted(entries), network), workspace);
    }

    private SandboxProfile add(Entry entry) {
        entries.add(entry);
        return this;
    }
}
