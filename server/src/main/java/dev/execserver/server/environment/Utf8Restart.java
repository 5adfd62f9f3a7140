package dev.execserver.server.environment;

import dev.execserver.protocol.text.SurrogateEscapedText;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.SpawnCalls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Starts the program again in the locale C.UTF-8, where the one that it was started in is ASCII (LC_ALL=C, or no LANG) and a name that is
 * not ASCII was given. The JVM takes the encoding of file names from the locale, once; it could not open, and so not
 * protect, a file with such a name. Commands get the variables as they were. Main thread, before others run.
 */
public final class Utf8Restart {
    private static final String LOCALE = "LC_ALL=";
    private static final String UTF_8_LOCALE = LOCALE + "C.UTF-8";

    /** Variable with the value of LC_ALL before, behind an equals sign; empty where it was not set. */
    static final String BEFORE = "EXEC_SERVER_LC_ALL_BEFORE";

    private static final Path ARGUMENTS = Path.of("/proc/self/cmdline");
    private static final Path ENVIRONMENT = Path.of("/proc/self/environ");

    private Utf8Restart() {}

    /**
     * Starts the program again if need be, and does not return then.
     *
     * @return the reason why names that are not ASCII cannot be used; empty if they can or none was given
     */
    public static Optional<String> ifNeeded() {
        if (!System.getProperty("os.name").equals("Linux") || utf8()) {
            return Optional.empty();
        }
        try {
            List<byte[]> arguments = words(ARGUMENTS);
            List<byte[]> environment = words(ENVIRONMENT);
            if (!needed(arguments, environment)) {
                return Optional.empty();
            }
            boolean again = environment.stream().anyMatch(entry -> startsWith(entry, BEFORE + "="));
            String why = again
                    ? "this machine has no locale C.UTF-8"
                    : SpawnCalls.replaceProcess(bytes("/proc/self/exe"), arguments, inUtf8(environment))
                            .getMessage();
            return Optional.of(
                    "names that are not ASCII cannot be used: " + why + "; set LC_ALL to a locale with UTF-8");
        } catch (IOException | LinuxException e) {
            return Optional.of("cannot find out if names that are not ASCII were given: " + e.getMessage());
        }
    }

    private static boolean utf8() {
        return "UTF-8".equalsIgnoreCase(System.getProperty("sun.jnu.encoding"));
    }

    /** Returns true if an argument, a variable or the working directory is not ASCII, or a file may name others. */
    private static boolean needed(List<byte[]> arguments, List<byte[]> environment) throws IOException {
        return arguments.stream().anyMatch(word -> !ascii(word) || startsWith(word, "--config"))
                || environment.stream().anyMatch(word -> !ascii(word) || startsWith(word, "EXEC_SERVER_CONFIG="))
                || !new String(bytes(System.getProperty("user.dir")), StandardCharsets.US_ASCII)
                        .equals(System.getProperty("user.dir"));
    }

    static List<byte[]> inUtf8(List<byte[]> environment) {
        List<byte[]> changed = new ArrayList<>();
        String before = "";
        for (byte[] entry : environment) {
            if (startsWith(entry, LOCALE)) {
                before = before.isEmpty()
                        ? "=" + SurrogateEscapedText.decode(entry).substring(LOCALE.length())
                        : before; // getenv(3) finds the first
            } else {
                changed.add(entry);
            }
        }
        changed.add(bytes(UTF_8_LOCALE));
        changed.add(SurrogateEscapedText.encode(BEFORE + "=" + before));
        return changed;
    }

    private static List<byte[]> words(Path file) throws IOException {
        byte[] block = Files.readAllBytes(file);
        List<byte[]> words = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < block.length; i++) {
            if (block[i] == 0) {
                words.add(Arrays.copyOfRange(block, start, i));
                start = i + 1;
            }
        }
        return words;
    }

    private static boolean ascii(byte[] word) {
        for (byte each : word) {
            if (each < 0) {
                return false;
            }
        }
        return true;
    }

    private static boolean startsWith(byte[] word, String prefix) {
        return new String(word, StandardCharsets.ISO_8859_1).startsWith(prefix);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
