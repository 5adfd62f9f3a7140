package dev.execserver.sandbox.linux;

import java.util.Locale;

/** The machines whose system call numbers and struct layouts are known. Both are 64-bit and little endian. */
enum Architecture {
    X86_64,
    AARCH64;

    private static final Architecture CURRENT =
            of(System.getProperty("os.name", ""), System.getProperty("os.arch", ""));

    static Architecture current() {
        return CURRENT;
    }

    static Architecture of(String system, String machine) {
        if (!system.toLowerCase(Locale.ROOT).equals("linux")) {
            throw new UnsupportedPlatformException("exec-server runs on Linux only, this is " + system);
        }
        return switch (machine) {
            case "amd64", "x86_64" -> X86_64;
            case "aarch64", "arm64" -> AARCH64;
            default ->
                throw new UnsupportedPlatformException(
                        "exec-server knows the system calls of x86-64 and arm64 only, this JVM is for " + machine);
        };
    }
}
