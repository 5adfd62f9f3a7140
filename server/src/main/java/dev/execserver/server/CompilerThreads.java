package dev.execserver.server;

import dev.execserver.sandbox.linux.ProcessCalls;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lowers the priority of the JIT compiler threads of a stand-alone server below that of its requests. While a server
 * gets warm, a compiler works for hundreds of milliseconds without a pause. If all processors are busy, a request would
 * wait some milliseconds for the end of its time slice. With a lower priority a compiler gives way at once.
 *
 * <p>{@code -XX:CompilerThreadPriority} would do the same, but prints a warning for ordinary users. Compiler threads
 * that the JVM adds later are started by these and inherit the priority, see sched(7).
 */
final class CompilerThreads {

    /**
     * Added to the nice value that the server was started with. It halves the weight, so compiling goes on even on a
     * busy machine.
     */
    static final int STEP = 3;

    private static final Path THREADS = Path.of("/proc/self/task");

    /** Thread name; the kernel cuts names to 15 characters. */
    private static final String NAME = "C[12] CompilerThre.*";

    private static final Logger LOG = LoggerFactory.getLogger(CompilerThreads.class);

    private CompilerThreads() {}

    /** Lowers the priority. Reads a few files of /proc, so call it on a platform thread. */
    static void stepBack() {
        int nice = ProcessCalls.ownNice() + STEP;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
            for (Path thread : threads) {
                if (name(thread).matches(NAME)
                        && !ProcessCalls.setNice(
                                Integer.parseInt(thread.getFileName().toString()), nice)) {
                    LOG.debug("a compiler thread keeps its priority");
                }
            }
        } catch (IOException | DirectoryIteratorException e) { // without /proc nothing changes
            LOG.debug("compiler threads keep their priority: {}", e.toString());
        }
    }

    /** Returns the name of the thread; empty if the thread has ended. */
    private static String name(Path thread) {
        try {
            return Files.readString(thread.resolve("comm")).strip();
        } catch (IOException gone) {
            return "";
        }
    }
}
