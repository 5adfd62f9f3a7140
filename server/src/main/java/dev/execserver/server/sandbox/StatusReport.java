package dev.execserver.server.sandbox;

import dev.execserver.protocol.environment.SandboxStatus;
import dev.execserver.sandbox.probe.HostCapabilities;
import java.util.List;
import java.util.Locale;

/** Converts the results of the checks of the machine to a status of the protocol. */
public final class StatusReport {
    private StatusReport() {}

    /** Returns the status of a machine on which no server runs. */
    public static SandboxStatus of(HostCapabilities host) {
        return of(host, host.warnings());
    }

    static SandboxStatus of(HostCapabilities host, List<String> warnings) {
        return new SandboxStatus(
                host.bubblewrapWorks(),
                host.landlockAbi().isPresent(),
                warnings,
                host.findings().stream()
                        .map(finding -> new SandboxStatus.Finding(
                                finding.layer().label(),
                                finding.status().name().toLowerCase(Locale.ROOT),
                                finding.result(),
                                finding.meaning(),
                                finding.remedy()))
                        .toList());
    }
}
