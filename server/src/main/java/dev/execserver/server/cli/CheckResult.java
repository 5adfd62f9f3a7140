package dev.execserver.server.cli;

import dev.execserver.protocol.environment.SandboxStatus;
import dev.execserver.sandbox.probe.Finding;
import dev.execserver.sandbox.probe.Finding.Status;
import java.util.Locale;

/**
 * Result of one check of the doctor.
 *
 * @param subject short name, stable
 * @param result the observation
 * @param meaning the consequence for the operator
 * @param remedy what the operator can do; empty when nothing is wrong
 */
record CheckResult(String subject, Status status, String result, String meaning, String remedy) {
    static CheckResult ok(String subject, String result, String meaning) {
        return new CheckResult(subject, Status.OK, result, meaning, "");
    }

    static CheckResult warning(String subject, String result, String meaning, String remedy) {
        return new CheckResult(subject, Status.WARNING, result, meaning, remedy);
    }

    static CheckResult missing(String subject, String result, String meaning, String remedy) {
        return new CheckResult(subject, Status.MISSING, result, meaning, remedy);
    }

    static CheckResult of(Finding finding) {
        return new CheckResult(
                finding.layer().label(), finding.status(), finding.result(), finding.meaning(), finding.remedy());
    }

    String statusWord() {
        return status.name().toLowerCase(Locale.ROOT);
    }

    SandboxStatus.Finding reported() {
        return new SandboxStatus.Finding(subject, statusWord(), result, meaning, remedy);
    }
}
