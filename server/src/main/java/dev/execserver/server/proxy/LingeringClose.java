package dev.execserver.server.proxy;

import java.io.IOException;
import java.time.Duration;

/**
 * Ends a connection while its process may still be sending. An immediate close would reset the connection, and our
 * answer would be lost.
 */
final class LingeringClose {

    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final int MAX_BYTES = 1 << 20;

    private LingeringClose() {}

    /** Shuts down the output. Then reads and discards input, limited in time and bytes. */
    static void drain(ProxyConnection visit) throws IOException {
        visit.wire().shutdownOutput();
        visit.watch().within(LIMIT);
        byte[] buffer = new byte[8 * 1024];
        int left = MAX_BYTES;
        int count = visit.source().read(buffer);
        while (count >= 0 && left > 0) {
            left -= count;
            count = visit.source().read(buffer);
        }
    }
}
