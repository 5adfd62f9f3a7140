package dev.execserver.server.mcp.shell;

import dev.execserver.protocol.rpc.RpcException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Names of keys: what they send to a terminal, and what they mean for a command without one. */
final class Keys {
    private static final String CONTROL = "ctrl-";

    /** Bit mask that makes a control character of a letter. */
    private static final int CONTROL_BITS = 0x1f;

    private static final Map<String, String> NAMED = Map.ofEntries(
            Map.entry("enter", "\r"),
            Map.entry("tab", "\t"),
            Map.entry("escape", "\u001b"),
            Map.entry("space", " "),
            Map.entry("backspace", "\u007f"),
            Map.entry("delete", "\u001b[3~"),
            Map.entry("up", "\u001b[A"),
            Map.entry("down", "\u001b[B"),
            Map.entry("right", "\u001b[C"),
            Map.entry("left", "\u001b[D"),
            Map.entry("home", "\u001b[H"),
            Map.entry("end", "\u001b[F"),
            Map.entry("page-up", "\u001b[5~"),
            Map.entry("page-down", "\u001b[6~"));

    /** Keys that a terminal turns into signals. */
    private static final Map<String, String> SIGNALS = Map.of("ctrl-c", "INT", "ctrl-\\", "QUIT", "ctrl-z", "TSTP");

    private Keys() {}

    static String onTerminal(String name) {
        String key = name.toLowerCase(Locale.ROOT);
        if (NAMED.containsKey(key)) {
            return NAMED.get(key);
        }
        if (key.startsWith(CONTROL) && key.length() == CONTROL.length() + 1) {
            return String.valueOf((char) (Character.toUpperCase(key.charAt(CONTROL.length())) & CONTROL_BITS));
        }
        throw RpcException.invalidParams("unknown key `" + name + "`, expected ctrl-LETTER or one of "
                + String.join(", ", NAMED.keySet().stream().sorted().toList()));
    }

    /** Returns the signal that a terminal would send for the key. */
    static Optional<String> signal(String name) {
        return Optional.ofNullable(SIGNALS.get(name.toLowerCase(Locale.ROOT)));
    }

    static boolean endsInput(String name) {
        return name.equalsIgnoreCase("ctrl-d");
    }

    /** Returns what the key sends to a command that reads a pipe. */
    static String onPipe(String name) {
        return name.equalsIgnoreCase("enter") ? "\n" : onTerminal(name);
    }
}
