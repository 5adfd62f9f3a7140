package dev.execserver.client.process;

import dev.execserver.client.error.RequestFailedException;
import dev.execserver.client.error.StdinClosedException;
import dev.execserver.protocol.process.WriteParams;
import dev.execserver.protocol.process.WriteStatus;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes to the stdin of one process, one request at a time. Otherwise writes would lose their order if one has to be
 * repeated. {@code lock} is held during a whole write, also while its request is in flight.
 */
final class StdinWriter {

    /** Most bytes in one request. */
    static final int MAX_CHUNK_BYTES = 1 << 20;

    private static final String STDIN_FULL = "stdinFull";
    private static final long FIRST_DELAY_MS = 5;
    private static final long MAX_DELAY_MS = 200;

    /** Action that keeps its place in the order of the writes. */
    @FunctionalInterface
    interface Step {
        void run() throws InterruptedException;
    }

    private final String processId;
    private final ProcessMethods methods;
    private final ReentrantLock lock = new ReentrantLock(true);
    /**
     * Prefix of write ids. Another client of the same session must not use the same ids, because the server would take
     * its writes for repetitions.
     */
    private final String prefix = HexFormat.of().toHexDigits(new SecureRandom().nextLong()) + "-";

    private long nextId = 1;
    private volatile boolean closed;

    StdinWriter(String processId, ProcessMethods methods) {
        this.processId = processId;
        this.methods = methods;
    }

    /** Makes every later write fail, because the process was released. */
    void close() {
        closed = true;
    }

    /** @throws StdinClosedException when the process was released */
    void checkOpen() {
        if (closed) {
            throw new StdinClosedException(processId, "it was closed by this client");
        }
    }

    void write(byte[] bytes, int offset, int length) throws InterruptedException {
        checkOpen();
        inOrder(() -> {
            for (int done = 0; done < length; done += MAX_CHUNK_BYTES) {
                int start = offset + done;
                chunk(Arrays.copyOfRange(bytes, start, start + Math.min(MAX_CHUNK_BYTES, length - done)));
            }
        });
    }

    void inOrder(Step step) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            step.run();
        } finally {
            lock.unlock();
        }
    }

    private void chunk(byte[] bytes) throws InterruptedException {
        WriteParams params = new WriteParams(processId, bytes, Optional.of(prefix + nextId++));
        long delayMs = FIRST_DELAY_MS;
        while (!accepted(params)) {
            Thread.sleep(delayMs);
            delayMs = Math.min(MAX_DELAY_MS, delayMs * 2);
        }
    }

    /** Returns true if the server has accepted the write, false if it should be repeated. */
    private boolean accepted(WriteParams params) throws InterruptedException {
        try {
            WriteStatus status = methods.write(params).status();
            return switch (status) {
                case ACCEPTED -> true;
                case STARTING -> false;
                case STDIN_CLOSED, UNKNOWN_PROCESS -> throw new StdinClosedException(processId, status.wire());
            };
        } catch (RequestFailedException e) {
            if (e.reason().filter(STDIN_FULL::equals).isPresent()) {
                return false;
            }
            throw e;
        }
    }
}
