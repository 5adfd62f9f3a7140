package dev.execserver.server.cli;

import java.io.IOException;
import java.io.InputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the end of standard input, which means that the parent closed its end or died. Input before the end is
 * discarded. Reads on a daemon platform thread: the read blocks in the kernel, and no virtual thread may do that.
 */
final class StdinWatch {
    private static final Logger LOG = LoggerFactory.getLogger(StdinWatch.class);
    private static final int BUFFER_BYTES = 4_096;

    private StdinWatch() {}

    static void start(InputStream stdin, Runnable atEnd) {
        Thread.ofPlatform().name("stdin-watch").daemon().start(() -> {
            drain(stdin);
            LOG.info("standard input ended");
            atEnd.run();
        });
    }

    private static void drain(InputStream stdin) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            while (stdin.read(buffer) >= 0) {
                // No input is expected.
            }
        } catch (IOException e) {
            LOG.debug("standard input cannot be read any more", e);
        }
    }
}
