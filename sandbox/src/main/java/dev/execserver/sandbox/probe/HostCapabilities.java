package dev.execserver.sandbox.probe;

import dev.execserver.sandbox.bwrap.BwrapProgram;
import dev.execserver.sandbox.resolve.LinuxPath;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What plans can rely on.
 *
 * @param bubblewraps usable programs, the best first
 * @param namespaces why bubblewrap cannot build a sandbox here; empty when it can
 * @param network why it cannot isolate the network; empty when it can
 * @param freshProc whether /proc can be mounted in a sandbox
 * @param linkMounts whether symbolic links in a sandbox can be mounted on themselves
 * @param seccomp whether filters can be installed
 * @param landlockAbi version of Landlock; empty when there is none
 * @param standIn whether Landlock may take bubblewrap's place unasked: not that of a program which the operator has named
 * @param wsl which kind of Windows Subsystem for Linux this is
 * @param signalReset an env(1) that can unblock signals; empty when there is none
 * @param findings everything that was tried, for people
 * @param settled false when something had no time to answer, was killed or could not be started: another look may find more
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

    /** Layers whose want is no warning: commands run without them, and the findings tell. */
    private static final Set<Finding.Layer> UNSAID =
            EnumSet.of(Finding.Layer.CGROUP, Finding.Layer.LANDLOCK, Finding.Layer.LINK_MOUNTS);

    public HostCapabilities {
        bubblewraps = List.copyOf(bubblewraps);
        findings = List.copyOf(findings);
    }

    /** Whether a sandbox with namespaces can be built. */
    public boolean bubblewrapWorks() {
        return wsl != Wsl.WSL1 && !bubblewraps.isEmpty() && namespaces.isEmpty();
    }

    /** One line for the log. */
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

    /** Sentences for the operator, at the start and in {@code environment/info}. */
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
