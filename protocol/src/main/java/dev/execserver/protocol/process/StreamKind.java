package dev.execserver.protocol.process;

import dev.execserver.protocol.rpc.ParamsReader;

/** Source of output. */
public enum StreamKind {
    STDOUT("stdout"),
    STDERR("stderr"),
    /** All output of a process on a terminal. */
    PTY("pty");

    private final String wire;

    StreamKind(String wire) {
        this.wire = wire;
    }

    public String wire() {
        return wire;
    }

    static StreamKind parse(String text) {
        return switch (text) {
            case "stdout" -> STDOUT;
            case "stderr" -> STDERR;
            case "pty" -> PTY;
            default -> throw ParamsReader.unknownVariant(text, "one of `stdout`, `stderr`, `pty`");
        };
    }
}
