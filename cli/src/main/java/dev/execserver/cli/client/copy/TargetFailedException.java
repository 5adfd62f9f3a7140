package dev.execserver.cli.client.copy;

import java.io.IOException;

/** Reports that the target of a copy has failed, and not its source. */
final class TargetFailedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String target;
    private final Exception reason;

    /** @param target name of the target in messages */
    TargetFailedException(String target, Exception reason) {
        super(reason.getMessage(), reason);
        this.target = target;
        this.reason = reason;
    }

    String target() {
        return target;
    }

    Exception reason() {
        return reason;
    }
}
