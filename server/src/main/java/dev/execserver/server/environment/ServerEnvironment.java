package dev.execserver.server.environment;

import dev.execserver.protocol.text.SurrogateEscapedText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Reads the variables that this process was started with as bytes, see proc_pid_environ(5). {@link System#getenv()}
 * decodes them with the encoding of the locale, which is ASCII under {@code LANG=C}: a child that inherits them would
 * get question marks.
 */
public final class ServerEnvironment {
    private static final Path OF_THIS_PROCESS = Path.of("/proc/self/environ");

    /** Variables of this server that may hold a key, which its commands must not get. */
    private static final Set<String> SECRETS =
            Set.of("OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS");

    private ServerEnvironment() {}

    /**
     * Reads the variables, as they were before {@link Utf8Restart}, in the form of {@link SurrogateEscapedText}, so that children inherit every byte. Reads a file: call it
     * once, on a platform thread.
     */
    public static Map<String, String> read() {
        try {
            return parse(Files.readAllBytes(OF_THIS_PROCESS));
        } catch (IOException procIsNotMounted) {
            return System.getenv();
        }
    }

    static Map<String, String> parse(byte[] block) {
        Map<String, String> variables = new LinkedHashMap<>();
        for (String entry : SurrogateEscapedText.decode(block).split("\0")) {
            // A name may not be empty, so an entry that starts with an equals sign is no variable.
            int equals = entry.indexOf('=');
            if (equals > 0) {
                // getenv(3) finds the first of two equal names.
                variables.putIfAbsent(entry.substring(0, equals), entry.substring(equals + 1));
            }
        }
        String before = variables.remove(Utf8Restart.BEFORE);
        if (before != null) {
            variables.remove("LC_ALL");
            if (!before.isEmpty()) {
                variables.put("LC_ALL", before.substring(1));
            }
        }
        variables.keySet().removeAll(SECRETS);
        return Map.copyOf(variables);
    }
}
