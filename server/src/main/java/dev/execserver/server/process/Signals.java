package dev.execserver.server.process;

import dev.execserver.protocol.rpc.RpcException;
import java.util.Locale;
import java.util.Map;

/** Table of signal names and numbers, as in signal(7); they are equal on x86-64 and arm64. */
public final class Signals {

    private static final Map<String, Integer> NUMBERS = Map.ofEntries(
            Map.entry("HUP", 1),
            Map.entry("INT", 2),
            Map.entry("QUIT", 3),
            Map.entry("ILL", 4),
            Map.entry("TRAP", 5),
            Map.entry("ABRT", 6),
            Map.entry("IOT", 6),
            Map.entry("BUS", 7),
            Map.entry("FPE", 8),
            Map.entry("KILL", 9),
            Map.entry("USR1", 10),
            Map.entry("SEGV", 11),
            Map.entry("USR2", 12),
            Map.entry("PIPE", 13),
            Map.entry("ALRM", 14),
            Map.entry("TERM", 15),
            Map.entry("STKFLT", 16),
            Map.entry("CHLD", 17),
            Map.entry("CONT", 18),
            Map.entry("STOP", 19),
            Map.entry("TSTP", 20),
            Map.entry("TTIN", 21),
            Map.entry("TTOU", 22),
            Map.entry("URG", 23),
            Map.entry("XCPU", 24),
            Map.entry("XFSZ", 25),
            Map.entry("VTALRM", 26),
            Map.entry("PROF", 27),
            Map.entry("WINCH", 28),
            Map.entry("IO", 29),
            Map.entry("POLL", 29),
            Map.entry("PWR", 30),
            Map.entry("SYS", 31),
            // the protocol's own name
            Map.entry("INTERRUPT", 2));

    private Signals() {}

    /**
     * Returns the number of a signal. The name may begin with {@code SIG}; upper and lower case are equal.
     *
     * @throws RpcException -32602 for a name that this system does not have
     */
    public static int number(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        Integer number = NUMBERS.get(upper.startsWith("SIG") ? upper.substring(3) : upper);
        if (number == null) {
            throw RpcException.invalidParams(
                    "unknown signal `" + name + "`, expected `interrupt` or a name such as `TERM` or `SIGTERM`");
        }
        return number;
    }
}
