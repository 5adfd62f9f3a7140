package dev.execserver.sandbox.bwrap;

import dev.execserver.protocol.text.SurrogateEscapedText;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.paths.LinuxPath;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects the options of one run and their descriptors. All options travel in a pipe ({@code --args}). There they may be
 * long and hold any bytes, and no process can read them in /proc. Bubblewrap reads them late, so it is started before they
 * are known. If this server is killed meanwhile, bubblewrap gets only a part of the options or none. Then the command must
 * not run, see {@link #commandLine}. Used by one thread.
 */
final class BwrapArguments {
    /** Largest number of arguments that bubblewrap accepts. */
    static final int MAX_ARGUMENTS = 9000;

    private final ByteArrayOutputStream options = new ByteArrayOutputStream();
    private final List<Fd> descriptors = new ArrayList<>();
    private final int firstFd;
    private int count;

    /** @param firstFd number of the first descriptor in bubblewrap */
    BwrapArguments(int firstFd) {
        this.firstFd = firstFd;
    }

    BwrapArguments add(String... words) {
        for (String word : words) {
            put(SurrogateEscapedText.encode(word));
        }
        return this;
    }

    BwrapArguments add(String option, LinuxPath path) {
        return add(option).put(path.bytes());
    }

    BwrapArguments add(String option, LinuxPath source, LinuxPath destination) {
        return add(option).put(source.bytes()).put(destination.bytes());
    }

    /**
     * Adds an option with the number that the descriptor will have in bubblewrap. The caller keeps and closes the descriptor.
     */
    BwrapArguments add(String option, Fd fd) {
        return add(option, Integer.toString(inherit(fd)));
    }

    /** Adds one word. */
    BwrapArguments put(byte[] word) {
        options.writeBytes(word);
        options.write(0);
        count++;
        return this;
    }

    /** Returns the number that the next descriptor will have. */
    int next() {
        return firstFd + descriptors.size();
    }

    /** Passes the descriptor to bubblewrap. Returns its number there. */
    int inherit(Fd fd) {
        descriptors.add(fd);
        return firstFd + descriptors.size() - 1;
    }

    /**
     * Returns the first arguments. Bubblewrap reads the filter last. If the filter pipe ends without an instruction, the
     * kernel refuses the filter (EINVAL, see seccomp(2)), and bubblewrap gives up.
     *
     * @param options number of the pipe with the options
     * @param filter number of the pipe for the filter, which is written whole or not at all, after all options
     */
    static List<String> commandLine(int options, int filter) {
        return List.of("--args", Integer.toString(options), "--seccomp", Integer.toString(filter), "--");
    }

    int count() {
        return count;
    }

    byte[] bytes() {
        return options.toByteArray();
    }

    /** Returns the descriptors in the order of their numbers. */
    List<Fd> descriptors() {
        return List.copyOf(descriptors);
    }
}
