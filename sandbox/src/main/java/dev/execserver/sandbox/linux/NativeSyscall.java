package dev.execserver.sandbox.linux;

import java.io.File;
import java.nio.file.Path;

/**
 * System calls through the {@linkplain SyscallLibrary library} of a distribution. It does what {@link Libc#syscall} does, but
 * linking a function of the C library takes the JVM 25 ms at its first use and loading this one 0.2 ms, which is what the start
 * of a file helper is made of; see {@code docs/decisions/0011-system-calls.md}. Stateless.
 */
final class NativeSyscall {

    private NativeSyscall() {}

    /** Whether the library lies beside the jar that the JVM was started with, and has been loaded. */
    static boolean loadBesideJar() {
        String first = System.getProperty("java.class.path", "").split(File.pathSeparator, 2)[0];
        File library = new File(new File(first).getAbsoluteFile().getParent(), SyscallLibrary.FILE_NAME);
        return first.endsWith(".jar") && library.isFile() && load(library.toPath());
    }

    /** False where the loader cannot use the file: on another machine, or where nothing may be executed. */
    static boolean load(Path library) {
        try {
            System.load(library.toString());
            return true;
        } catch (UnsatisfiedLinkError e) {
            return false;
        }
    }

    /** The result as the kernel gives it: from -4095 to -1 it is a negated errno. */
    static native long call(long number, long a, long b, long c, long d, long e, long f);
}
