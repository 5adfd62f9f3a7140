package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.sandbox.resolve.PathWalk.Located;
import dev.execserver.sandbox.resolve.Rule.Origin;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/**
 * Shows the few files that every program looks up under a fixed name in /etc and that many systems keep elsewhere, behind a
 * link: name servers (systemd-resolved: /run/systemd/resolve), names of hosts, the time zone, certificates. A view that shows
 * /etc and not the rest would hold a dangling link there, and names could not be looked up.
 *
 * <p>Only the very file is shown, never the directory that it lies in; only below places where such files are kept and under
 * the names that they have there, so that a link that somebody has exchanged shows nothing else; and never what the policy
 * denies. Used by one thread.
 */
final class SystemLinks {

    /**
     * One name, and where it may lead.
     *
     * @param forNetwork whether only a command with a network needs it
     * @param ending of the path that it leads to
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

    /** Where the files with a name of their own are kept. */
    private static final List<LinuxPath> HOMES = paths("/run", "/usr", "/etc", "/var/lib", "/mnt/wsl", "/nix/store");

    /** Time zones and certificates: nothing else is kept there. */
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

    /** Adds what is missing to the rules so far. */
    void add(boolean network) {
        if (draft.access(LinuxPath.ROOT).readable()) {
            return;
        }
        KNOWN.stream().filter(known -> network || !known.forNetwork()).forEach(this::add);
    }

    private void add(Known known) {
        if (draft.access(known.path().parent()) != Access.READ) {
            return; // not to be seen, or the command decides itself what lies there
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
