package dev.execserver.server.helper;

import dev.execserver.sandbox.io.AsyncFd;
import dev.execserver.sandbox.io.Buffers;
import dev.execserver.sandbox.io.ClosedException;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.spawn.Child;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the standard error of a helper up to a limit, so that the helper can neither block nor flood the log. */
final class HelperErrors {

    private static final Logger LOG = LoggerFactory.getLogger(HelperErrors.class);
    private static final int LOGGED_BYTES = 4096;

    private HelperErrors() {}

    static void log(Child child, Buffers buffers) {
        AsyncFd errors = child.stderr().orElseThrow();
        int left = LOGGED_BYTES;
        try {
            while (true) {
                errors.awaitReadable();
                try (Buffers.Lease lease = buffers.borrow()) {
                    int count = errors.tryRead(lease.segment());
                    if (count == 0) {
                        return;
                    }
                    int logged = Math.min(count, left);
                    if (logged > 0) {
                        left -= logged;
                        byte[] text = lease.segment().asSlice(0, logged).toArray(ValueLayout.JAVA_BYTE);
                        LOG.warn("file helper {}: {}", child.pid(), new String(text, StandardCharsets.UTF_8).strip());
                    }
                }
            }
        } catch (LinuxException | ClosedException e) {
            LOG.debug("file helper {} is gone: {}", child.pid(), e.getMessage());
        }
    }
}
