package dev.execserver.sandbox.intercept;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The first line of a script as the kernel reads it (load_script in fs/binfmt_script.c): {@code #!}, a path, and what is left of
 * the line as one argument.
 *
 * @param interpreter path as it stands there
 * @param argument empty if there is none
 */
@SuppressWarnings("ArrayRecordComponent") // paths are bytes; never compared
record ShebangLine(byte[] interpreter, Optional<byte[]> argument) {
    /** Bytes of the first line that the kernel reads (BINPRM_BUF_SIZE). */
    static final int HEAD_BYTES = 256;

    /**
     * Reads the line; empty if the kernel would refuse it.
     *
     * @param head the first bytes of the file, at most {@link #HEAD_BYTES}, one character each
     */
    static Optional<ShebangLine> read(String head) {
        int end = head.indexOf('\n');
        boolean whole = end >= 0 || head.length() < HEAD_BYTES;
        end = end < 0 ? head.length() : end;
        while (end > 2 && blank(head.charAt(end - 1))) {
            end--;
        }
        int start = behindBlanks(head, 2, end);
        int name = start;
        while (name < end && !blank(head.charAt(name)) && head.charAt(name) != 0) {
            name++;
        }
        if (name == start || (!whole && name == head.length())) {
            return Optional.empty(); // no path, or one that may be longer than what is read
        }
        Optional<byte[]> argument = Optional.empty();
        if (name < end && head.charAt(name) != 0) {
            String rest = head.substring(behindBlanks(head, name, end), end);
            int nul = rest.indexOf(0);
            argument = Optional.of(bytes(nul < 0 ? rest : rest.substring(0, nul)));
        }
        return Optional.of(new ShebangLine(bytes(head.substring(start, name)), argument));
    }

    private static int behindBlanks(String head, int from, int end) {
        int at = from;
        while (at < end && blank(head.charAt(at))) {
            at++;
        }
        return at;
    }

    private static boolean blank(char c) {
        return c == ' ' || c == '\t';
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
