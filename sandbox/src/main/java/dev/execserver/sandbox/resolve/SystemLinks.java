package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.PathWalk;
import dev.execserver.sandbox.paths.PathWalk.Located;
import dev.execserver.sandbox.resolve.Rule.Origin;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/**
 * Shows the few files in /etc that every program looks up and that many systems keep elsewhere, behind a link: name servers
 * (systemd-resolved: /run/systemd/resolve), host names, the time zone, certificates. A view with /etc alone would have
 * dangling links there, and names could not be looked up.
 *
 * <p>Only the file itself is shown, never its directory. It must lie below a known place and have a known name, so that a
 * replaced link shows nothing else. A denied file is never shown. One thread uses it.
 */
final class SystemLinks {

    /**
     * One name in /etc and its permitted targets.
     *
     * @param forNetwork true if only a command with a network needs it
     * @param ending required end of the target's path
     */
    private record Known(LinuxPath path, boolean forNetwork, String ending) {
        Known(String path, boolean forNetwork, String ending) {
            this(LinuxPath.of(path), forNetwork, ending);
        }
    }

    private static final List<Known> KNOWN = List.of(
            new Known("/etc/resolv.conf", true, "resolv.conf"),
            new Known("/etc/hosts", true, "/hosts"),
            new Known("/etc/host.conf", true, "/host.conf"),
            new Known("/etc/nsswitch.conf", true, "/nsswitch.conf"),
            new Known("/etc/gai.conf", true, "/gai.conf"),
            new Known("/etc/localtime", false, ""),
            new Known("/etc/ssl/certs", true, ""),
            new Known("/etc/ssl/cert.pem", true, ""),
            new Known("/etc/ssl/ca-bundle.pem", true, ""),
            new Known("/etc/ssl/certs/ca-certificates.crt", true, ""),
            new Known("/etc/pki/tls/certs/ca-bundle.crt", true, ""));

    /** Places of targets that must have a known name. */
    private static final List<LinuxPath> HOMES = paths("/run", "/usr", "/etc", "/var/lib", "/mnt/wsl", "/nix/store");

    /** Places of time zones and certificates, which contain nothing else. */
    private static final List<LinuxPath> PUBLIC = paths(
            "/usr/share/zoneinfo",
            "/usr/share/ca-certificates",
            "/usr/share/pki",
            "/usr/lib/ssl",
            "/usr/local/share/ca-certificates",
            "/var/lib/ca-certificates",
            "/etc/pki",
            "/etc/ssl",
            "/etc/ca-certificates",
            "/nix/store");

    private final PathWalk walk;
    private final RuleDraft draft;

    SystemLinks(PathWalk walk, RuleDraft draft) {
        this.walk = walk;
        this.draft = draft;
    }

    private static List<LinuxPath> paths(String... paths) {
        return Stream.of(paths).map(LinuxPath::of).toList();
    }

    /** Adds the missing files to the rules so far. */
    void add(boolean network) {
        if (draft.access(LinuxPath.ROOT).readable()) {
            return;
        }
        KNOWN.stream().filter(known -> network || !known.forNetwork()).forEach(this::add);
    }

    private void add(Known known) {
        if (draft.access(known.path().parent()) != Access.READ) {
            return; // denied, or the command can change the entry itself
        }
        Located at = walk.locate(known.path());
        boolean changeable = at.links().stream()
                .anyMatch(link -> draft.access(link.path().parent()).writable());
        if (at.exists()
                && !at.links().isEmpty()
                && !changeable
                && !draft.governed(at.path())
                && kept(known, at.path())) {
            draft.add(at, Access.READ, Origin.PLATFORM_DEFAULT);
        }
    }

    private static boolean kept(Known known, LinuxPath target) {
        boolean named = !known.ending().isEmpty();
        String text = new String(target.bytes(), StandardCharsets.ISO_8859_1);
        return text.endsWith(known.ending())
                && (named ? HOMES : PUBLIC).stream().anyMatch(target::below);
    }
}
