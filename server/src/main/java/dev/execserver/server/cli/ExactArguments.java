package dev.execserver.server.cli;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.protocol.text.SurrogateEscapedText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Restores the bytes of the arguments. The JVM decodes them with the encoding of the locale, which is ASCII under
 * {@code LC_ALL=C}: bytes that it lacks become U+FFFD. The kernel has the bytes, see proc_pid_cmdline(5). Main thread.
 */
final class ExactArguments {
    private static final Path OF_THIS_PROCESS = Path.of("/proc/self/cmdline");

    private ExactArguments() {}

    /**
     * Returns the same arguments with every byte, in the form of {@link SurrogateEscapedText}.
     *
     * @throws ConfigException when some are not ASCII and the kernel does not give their bytes
     */
    static String[] of(String... decoded) {
        if (Arrays.stream(decoded).allMatch(ExactArguments::ascii)) {
            return decoded;
        }
        try {
            return last(Files.readAllBytes(OF_THIS_PROCESS), decoded);
        } catch (IOException noProc) {
            throw ConfigException.failure("the arguments are not ASCII and cannot be read as they are from "
                    + OF_THIS_PROCESS + ": " + noProc.getMessage());
        }
    }

    /** Returns the last words of the JVM's command line, which are the arguments of the program. */
    static String[] last(byte[] commandLine, String... decoded) throws IOException {
        List<String> words = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < commandLine.length; i++) {
            if (commandLine[i] == 0) {
                words.add(SurrogateEscapedText.decode(Arrays.copyOfRange(commandLine, start, i)));
                start = i + 1;
            }
        }
        int first = words.size() - decoded.length;
        for (int i = 0; i < decoded.length; i++) {
            if (first < 0 || ascii(decoded[i]) && !decoded[i].equals(words.get(first + i))) {
                throw new IOException("it has other arguments");
            }
        }
        return words.subList(first, words.size()).toArray(String[]::new);
    }

    private static boolean ascii(String text) {
        return text.chars().allMatch(character -> character < 0x80);
    }
}
