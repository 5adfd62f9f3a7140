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
 * Lets the JIT compilers of a stand-alone server step back behind its requests.
 *
 * <p>A compiler works for hundreds of milliseconds on end while a server gets warm. Where there are no more processors than
 * busy threads, a request that arrives then waits for the end of its time slice, some milliseconds. With a lower priority
 * a compiler gives way at once and still gets what is left. {@code -XX:CompilerThreadPriority} would do the same, but warns
 * ordinary users on stderr. Compiler threads that the JVM adds later are started by these and inherit it, see sched(7).
 */
final class CompilerThreads {

    /** Added to what the server was started with. Half of the weight: compiling goes on, however busy the machine. */
    static final int STEP = 3;

    private static final Path THREADS = Path.of("/proc/self/task");

    /** Names are cut to 15 characters by the kernel. */
    private static final String NAME = "C[12] CompilerThre.*";

    private static final Logger LOG = LoggerFactory.getLogger(CompilerThreads.class);

    private CompilerThreads() {}

    /** Reads a few files of /proc: for a platform thread. */
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
        } catch (IOException | DirectoryIteratorException e) { // no /proc: then everything is as it was
            LOG.debug("compiler threads keep their priority: {}", e.toString());
        }
    }

    /** Empty for a thread that has ended meanwhile. */
    private static String name(Path thread) {
        try {
            return Files.readString(thread.resolve("comm")).strip();
        } catch (IOException gone) {
            return "";
        }
    }
}
