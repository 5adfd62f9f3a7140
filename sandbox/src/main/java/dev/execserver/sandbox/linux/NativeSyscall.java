package dev.execserver.sandbox.linux;

import java.io.File;
import java.nio.file.Path;

/**
 * System calls through the {@linkplain SyscallLibrary library} of a distribution, with the same results as
 * {@link Libc#syscall}. The JVM takes 25 ms to link a function of the C library at its first use, and 0.2 ms to load this
 * library. Those 25 ms would be most of the start of a file helper; see {@code docs/decisions/0011-system-calls.md}.
 * Stateless.
 */
final class NativeSyscall {

    private NativeSyscall() {}

    /** Returns true if the library is beside the jar that the JVM was started with, and was loaded. */
    static boolean loadBesideJar() {
        String first = System.getProperty("java.class.path", "").split(File.pathSeparator, 2)[0];
        File library = new File(new File(first).getAbsoluteFile().getParent(), SyscallLibrary.FILE_NAME);
        return first.endsWith(".jar") && library.isFile() && load(library.toPath());
    }

    /** Returns false if the loader cannot use the file: on another machine, or if nothing may be executed there. */
    static boolean load(Path library) {
        try {
            System.load(library.toString());
            return true;
        } catch (UnsatisfiedLinkError e) {
            return false;
        }
    }

    /** Returns the result as the kernel gives it: from -4095 to -1 it is a negated errno. */
    static native long call(long number, long a, long b, long c, long d, long e, long f);
}
