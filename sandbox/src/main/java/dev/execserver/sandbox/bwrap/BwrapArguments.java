package dev.execserver.sandbox.bwrap;

import dev.execserver.protocol.text.ExactText;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.resolve.LinuxPath;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects the options of one run and the descriptors that they name. All options travel in a pipe ({@code --args}): there
 * they may be long, hold any bytes, and nobody reads them in /proc; and they are needed only when bubblewrap reads them, so
 * it is started before they are known. If this server is killed meanwhile, bubblewrap finds a part of them or none: the
 * command must not run then, see {@link #commandLine}. Used by one thread.
 */
final class BwrapArguments {
    /** The limit of bubblewrap itself: it gives up beyond it. */
    static final int MAX_ARGUMENTS = 9000;

    private static final int FIRST_FD = 3;

    private final ByteArrayOutputStream options = new ByteArrayOutputStream();
    private final List<Fd> descriptors = new ArrayList<>();
    private int count;

    BwrapArguments add(String... words) {
        for (String word : words) {
            put(ExactText.encode(word));
        }
        return this;
    }

    BwrapArguments add(String option, LinuxPath path) {
        return add(option).put(path.bytes());
    }

    BwrapArguments add(String option, LinuxPath source, LinuxPath destination) {
        return add(option).put(source.bytes()).put(destination.bytes());
    }

    /** The option with the number that the descriptor will have in bubblewrap. The descriptor stays the caller's. */
    BwrapArguments add(String option, Fd fd) {
        return add(option, Integer.toString(inherit(fd)));
    }

    /** One word. */
    BwrapArguments put(byte[] word) {
        options.writeBytes(word);
        options.write(0);
        count++;
        return this;
    }

    /** The number that the next descriptor will have. */
    int next() {
        return FIRST_FD + descriptors.size();
    }

    /** Hands the descriptor down; returns its number there. */
    int inherit(Fd fd) {
        descriptors.add(fd);
        return FIRST_FD + descriptors.size() - 1;
    }

    /**
     * The beginning of the arguments. Bubblewrap reads the filter last; one without an instruction is none that the kernel
     * takes (EINVAL, see seccomp(2)), and then it gives up.
     *
     * @param options number of the pipe with the options
     * @param filter number of the pipe that the filter comes on, whole or not at all, when all options have been written
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

    /** In the order of their numbers. */
    List<Fd> descriptors() {
        return List.copyOf(descriptors);
    }
}
