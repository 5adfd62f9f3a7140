package dev.execserver.server.environment;

import dev.execserver.protocol.text.ExactText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The variables that this process was started with. {@link System#getenv()} decodes them with the locale's encoding,
 * which is ASCII under {@code LANG=C}: a child that inherits them would then get question marks. The kernel has the
 * bytes, see proc_pid_environ(5).
 */
public final class ServerEnvironment {
    private static final Path OF_THIS_PROCESS = Path.of("/proc/self/environ");

    private ServerEnvironment() {}

    /** In the form of {@link ExactText}, so that children inherit every byte. Reads a file: call it once, from a platform thread. */
    public static Map<String, String> read() {
        try {
            return parse(Files.readAllBytes(OF_THIS_PROCESS));
        } catch (IOException procIsNotMounted) {
            return System.getenv();
        }
    }

    static Map<String, String> parse(byte[] block) {
        Map<String, String> variables = new LinkedHashMap<>();
        for (String entry : ExactText.decode(block).split("\0")) {
            // A name may not be empty, so an equals sign at the start belongs to nothing.
            int equals = entry.indexOf('=');
            if (equals > 0) {
                // getenv(3) finds the first of two equal names.
                variables.putIfAbsent(entry.substring(0, equals), entry.substring(equals + 1));
            }
        }
        return Map.copyOf(variables);
    }
}
