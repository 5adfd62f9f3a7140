package dev.execserver.server.files;

import dev.execserver.helper.fs.FileOperations;
import dev.execserver.protocol.fs.WriteFileParams;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.concurrent.FileWorkers;
import java.time.Duration;

/**
 * A write with an expected state. It needs the lock of a directory, which any process may hold. It waits on the
 * request's thread and tries again after pauses, so that it keeps no file worker busy meanwhile. Stateless.
 */
public final class LockedWrite {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(100);

    private LockedWrite() {}

    /**
     * @throws RpcException the errors of the write, and an error with {@code data.reason = "locked"} if it waits too
     * long
     */
    public static void run(WriteFileParams write, FileWorkers workers) throws InterruptedException {
        long deadline = System.nanoTime() + FileOperations.LOCK_LIMIT.toNanos();
        Duration pause = FIRST_PAUSE;
        while (!workers.callWhileWanted(() -> FileOperations.tryWrite(write))) {
            if (System.nanoTime() - deadline > 0) {
                throw FileOperations.locked(write);
            }
            Thread.sleep(pause);
            pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        }
    }
}
