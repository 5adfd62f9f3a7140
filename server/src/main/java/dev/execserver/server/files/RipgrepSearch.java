package dev.execserver.server.files;

import dev.execserver.protocol.fs.FsLimits;
import dev.execserver.protocol.fs.SearchParams;
import dev.execserver.sandbox.resolve.CommandRunner.Output;
import dev.execserver.sandbox.resolve.LinuxPath;
import dev.execserver.sandbox.resolve.PolicyRefusedException;
import dev.execserver.sandbox.resolve.Ripgrep;
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
 * Has ripgrep name the files that contain a text, with as many threads as it likes, so that the search of our own looks
 * into these only and the answer is the same with and without it. Its regular expressions and its idea of upper and lower
 * case are not Java's, so it is asked about plain text only. Whatever goes wrong with it, the search is done without it.
 * Called by file workers. No state.
 */
final class RipgrepSearch {

    private static final Logger LOG = LoggerFactory.getLogger(RipgrepSearch.class);
    private static final int NO_MATCH = 1;

    /** All files, byte by byte, whatever is in them and wherever a configuration would not look. */
    private static final List<String> ARGUMENTS = List.of(
            "--no-config",
            "--hidden",
            "--no-ignore",
            "--text",
            "--encoding=none",
            "--no-mmap",
            "--max-filesize=" + FsLimits.SEARCH_FILE_BYTES, // larger ones are skipped anyway
            "--case-sensitive",
            "--fixed-strings",
            "--files-with-matches",
            "--null",
            "--color=never");

    private final Ripgrep ripgrep;

    RipgrepSearch(Ripgrep ripgrep) {
        this.ripgrep = ripgrep;
    }

    /** Tells which files may contain the text, by their way from the directory; empty when that is not known. */
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

    /** Bytes that are no UTF-8 read as U+FFFD here, and as what they are there. Two dots mean what the kernel says. */
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
