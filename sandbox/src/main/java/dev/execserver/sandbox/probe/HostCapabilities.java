package dev.execserver.sandbox.probe;

import dev.execserver.sandbox.bwrap.BwrapProgram;
import dev.execserver.sandbox.paths.LinuxPath;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Features of this machine that plans can rely on.
 *
 * @param bubblewraps usable programs, the best first
 * @param namespaces why bubblewrap cannot build a sandbox here; empty when it can
 * @param network why it cannot isolate the network; empty when it can
 * @param freshProc true if /proc can be mounted in a sandbox
 * @param linkMounts true if symbolic links in a sandbox can be mounted on themselves
 * @param seccomp true if system call filters can be installed
 * @param landlockAbi version of Landlock; empty when there is none
 * @param standIn true if Landlock may replace bubblewrap unasked; false if the program named by --bwrap cannot be used
 * @param wsl the kind of Windows Subsystem for Linux, or none
 * @param signalReset an env(1) that can reset signals to their default; empty when there is none
 * @param findings all results, for people
 * @param settled false if a check timed out, was killed or could not be started, so that a second look may find more
 */
public record HostCapabilities(
        List<BwrapProgram> bubblewraps,
        Optional<String> namespaces,
        Optional<String> network,
        boolean freshProc,
        boolean linkMounts,
        boolean seccomp,
        OptionalInt landlockAbi,
        boolean standIn,
        Wsl wsl,
        Optional<LinuxPath> signalReset,
        List<Finding> findings,
        boolean settled) {

    /** Layers that bring no warning when they are missing: commands run without them, and the findings name them. */
    private static final Set<Finding.Layer> UNSAID = EnumSet.of(
            Finding.Layer.CGROUP, Finding.Layer.LANDLOCK, Finding.Layer.LINK_MOUNTS, Finding.Layer.EXEC_INTERCEPTION);

    public HostCapabilities {
        bubblewraps = List.copyOf(bubblewraps);
        findings = List.copyOf(findings);
    }

    /** Returns true if a sandbox with namespaces can be built. */
    public boolean bubblewrapWorks() {
        return wsl != Wsl.WSL1 && !bubblewraps.isEmpty() && namespaces.isEmpty();
    }

    /** Returns the same features with one more result for people. */
    public HostCapabilities withFinding(Finding more) {
        return new HostCapabilities(
                bubblewraps,
                namespaces,
                network,
                freshProc,
                linkMounts,
                seccomp,
                landlockAbi,
                standIn,
                wsl,
                signalReset,
                Stream.concat(findings.stream(), Stream.of(more)).toList(),
                settled);
    }

    /** Returns one line for the log. */
    public String summary() {
        if (bubblewrapWorks()) {
            return "sandboxes are built by " + bubblewraps.getFirst().path();
        }
        if (!standIn) {
            return "sandboxed requests are refused, because the program that --bwrap names cannot be used";
        }
        return landlockAbi.isPresent()
                ? "sandboxes are built by Landlock where it enforces the same, because namespaces cannot be used"
                : "sandboxed requests are refused, because this machine has neither namespaces nor Landlock";
    }

    /** Returns the sentences that the operator reads at the start and a client in {@code environment/info}. */
    public List<String> warnings() {
        return findings.stream()
                .filter(finding -> finding.status() != Finding.Status.OK)
                .filter(finding -> !UNSAID.contains(finding.layer())
                        || (finding.layer() == Finding.Layer.LANDLOCK && landlockAbi.isPresent()))
                .map(finding -> finding.meaning() + (finding.remedy().isEmpty() ? "" : " " + finding.remedy()))
                .distinct()
                .toList();
    }
}
