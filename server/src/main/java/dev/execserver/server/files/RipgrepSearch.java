package dev.execserver.server.files;

import dev.execserver.protocol.fs.FsLimits;
import dev.execserver.protocol.fs.SearchParams;
import dev.execserver.sandbox.glob.CommandRunner.Output;
import dev.execserver.sandbox.glob.Ripgrep;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.PolicyRefusedException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets ripgrep find the files that contain a text, with as many threads as it likes. Our own search then reads only
 * these files, so the answer is the same with and without ripgrep. Ripgrep's regular expressions and case folding
 * differ from Java's, so it gets only case-sensitive plain text. If it fails, the search is done without it. Called by
 * file workers. No state.
 */
public final class RipgrepSearch {

    private static final Logger LOG = LoggerFactory.getLogger(RipgrepSearch.class);
    private static final int NO_MATCH = 1;

    /** All files, byte by byte, without regard to their content or to ignore files. */
    private static final List<String> ARGUMENTS = List.of(
            "--no-config",
            "--hidden",
            "--no-ignore",
            "--text",
            "--encoding=none",
            "--no-mmap",
            "--max-filesize=" + FsLimits.SEARCH_FILE_BYTES, // our search skips larger ones
            "--case-sensitive",
            "--fixed-strings",
            "--files-with-matches",
            "--null",
            "--color=never");

    private final Ripgrep ripgrep;

    public RipgrepSearch(Ripgrep ripgrep) {
        this.ripgrep = ripgrep;
    }

    /** Returns a test if a file, named relative to the directory, may contain the text; empty if that is unknown. */
    Optional<Predicate<byte[]>> candidates(SearchParams params) {
        if (!understands(params)) {
            return Optional.empty();
        }
        List<String> arguments = new ArrayList<>(ARGUMENTS);
        arguments.addAll(List.of("-e", params.pattern(), "--", "."));
        try {
            Output output = ripgrep.runner()
                    .run(
                            ripgrep.program(),
                            arguments,
                            LinuxPath.of(params.path().bytes()));
            if (output.exitCode() == 0
                    || output.exitCode() == NO_MATCH && output.stderr().isEmpty()) {
                Set<String> names = names(output.stdout());
                return Optional.of(file -> names.contains(new String(file, StandardCharsets.ISO_8859_1)));
            }
            LOG.debug("ripgrep ended with status {}: {}", output.exitCode(), output.stderr());
        } catch (PolicyRefusedException e) {
            LOG.debug("ripgrep is of no use: {}", e.getMessage());
        }
        return Optional.empty();
    }

    /**
     * Returns true if ripgrep and our search treat the request equally. Invalid UTF-8 reads as U+FFFD in our search and
     * as raw bytes in ripgrep, so such patterns are excluded. Paths with {@code ..} are excluded because only the
     * kernel resolves them rightly.
     */
    private static boolean understands(SearchParams params) {
        String pattern = params.pattern();
        boolean plain = !params.regex()
                && params.caseSensitive()
                && pattern.chars()
                        .noneMatch(c -> c == '\n' || c == 0 || c == '\uFFFD' || Character.isSurrogate((char) c));
        String path = params.path().display() + "/";
        return plain && params.path().isValidOnLinux() && !path.contains("/../");
    }

    private static Set<String> names(byte[] output) {
        Set<String> names = new HashSet<>();
        for (String name : new String(output, StandardCharsets.ISO_8859_1).split("\0")) {
            names.add(name.startsWith("./") ? name.substring(2) : name);
        }
        return names;
    }
}
