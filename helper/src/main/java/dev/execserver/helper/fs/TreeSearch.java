package dev.execserver.helper.fs;

import dev.execserver.protocol.fs.FsLimits;
import dev.execserver.protocol.fs.SearchParams;
import dev.execserver.protocol.fs.SearchResult;
import dev.execserver.protocol.fs.WalkOptions;
import dev.execserver.protocol.fs.WalkResult;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * One {@code fs/search} (an addition) in one tree, file by file and line by line, in the order of a walk. Links are not
 * followed. Skipped are files that are too large, files that are not text (a NUL byte in the first
 * {@value #TEXT_PROBE_BYTES} bytes) and directories that may not be read. One thread.
 */
final class TreeSearch {

    private static final int TEXT_PROBE_BYTES = 8192;
    /** Lines searched between two checks of the clock. */
    private static final int STEP_LINES = 1024;

    private static final WalkOptions EVERYTHING =
            new WalkOptions(FsLimits.WALK_DEPTH, FsLimits.WALK_DIRECTORIES, FsLimits.WALK_ENTRIES, false, false);

    private final SearchParams params;
    private final Predicate<byte[]> candidates;
    private final Pattern pattern;
    private final DeadlineText text;
    private final List<SearchResult.Match> matches = new ArrayList<>();
    private byte[] content = new byte[256 * 1024];
    private int files;
    private int skipped;

    private TreeSearch(SearchParams params, Predicate<byte[]> candidates) {
        this.params = params;
        this.candidates = candidates;
        this.pattern = compile(params);
        this.text = new DeadlineText(System.nanoTime()
                + Duration.ofMillis(FsLimits.SEARCH_MILLISECONDS).toNanos());
    }

    /**
     * Runs a search.
     *
     * @param candidates gets paths relative to the searched directory; false means that the file is known not to
     *     contain the pattern
     */
    static SearchResult search(SearchParams params, Predicate<byte[]> candidates) {
        try {
            return new TreeSearch(params, candidates).run();
        } catch (StackOverflowError e) {
            // java.util.regex recurses for each repetition of a group, and a line may be long.
            throw RpcException.invalidParams("pattern goes too deep for a line of these files; repeat characters or"
                    + " classes of them ([ab]+) instead of groups ((a|b)+)");
        }
    }

    private static Pattern compile(SearchParams params) {
        int flags = (params.regex() ? 0 : Pattern.LITERAL)
                | (params.caseSensitive() ? 0 : Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
        try {
            return Pattern.compile(params.pattern(), flags);
        } catch (PatternSyntaxException e) {
            throw RpcException.invalidParams(
                    "pattern is no regular expression: " + e.getDescription() + " near index " + e.getIndex());
        }
    }

    private SearchResult run() {
        byte[] path = Paths.of(params.path());
        try (Fd root = Opener.name(path, true)) {
            if (FileCalls.status(root).directory()) {
                return searchTree(path);
            }
        }
        boolean cut = false;
        try (RegularFile file = Opener.forReading(path, true)) {
            searchFile(file, PathUri.ofNative(path));
        } catch (DeadlineText.TimeUpException e) {
            cut = true;
        }
        return result(cut);
    }

    private SearchResult searchTree(byte[] path) {
        // A link at the end of the path is followed, as in all methods. Links inside the tree are not.
        byte[] real = DirectoryOperations.canonical(path, DisclosurePolicy.FULL);
        WalkResult walk = TreeWalk.walk(real, EVERYTHING, DisclosurePolicy.FULL);
        boolean cut = walk.truncated();
        skipped += walk.errors().size();
        try (Fd root = Opener.open(real, FileCalls.O_PATH | FileCalls.O_DIRECTORY, 0, true)) {
            for (WalkResult.Entry entry : walk.entries()) {
                if (!entry.directory()) {
                    byte[] found = entry.path().bytes();
                    int start = real.length + (real[real.length - 1] == '/' ? 0 : 1);
                    byte[] relative = Arrays.copyOfRange(found, start, found.length);
                    searchEntry(root, relative, PathUri.ofNative(Paths.join(path, relative)));
                    text.check();
                }
            }
        } catch (DeadlineText.TimeUpException e) {
            cut = true;
        }
        return result(cut);
    }

    private SearchResult result(boolean cut) {
        boolean full = matches.size() > params.maxMatches();
        List<SearchResult.Match> told = full ? matches.subList(0, params.maxMatches()) : matches;
        return new SearchResult(told, files, skipped, cut || full);
    }

    private void searchEntry(Fd root, byte[] relative, PathUri uri) {
        if (matches.size() > params.maxMatches()) {
            return;
        }
        try (RegularFile file = Opener.readingBelow(root, relative)) {
            if (file.size() == 0 || candidates.test(relative)) {
                searchFile(file, uri);
            } else {
                passOver(file);
            }
        } catch (LinuxException | RpcException e) {
            skipped++; // removed, swapped, or not permitted
        }
    }

    private void searchFile(RegularFile file, PathUri uri) {
        int length = read(file);
        if (length < 0 || !isText(length)) {
            skipped++;
            return;
        }
        int line = 1;
        int start = 0;
        while (start < length && matches.size() <= params.maxMatches()) {
            if (line % STEP_LINES == 0) {
                text.check();
            }
            int end = start;
            while (end < length && content[end] != '\n') {
                end++;
            }
            searchLine(uri, line, start, end > start && content[end - 1] == '\r' ? end - 1 : end);
            start = end + 1;
            line++;
        }
        files++;
    }

    /** Counts the file as searched or skipped without searching it. */
    private void passOver(RegularFile file) {
        boolean small = file.size() <= FsLimits.SEARCH_FILE_BYTES;
        if (small && isText(file.read(content, 0, TEXT_PROBE_BYTES, 0))) {
            files++;
        } else {
            skipped++;
        }
    }

    /** Reads the file into the buffer. Returns its length, or -1 when it is too large. */
    private int read(RegularFile file) {
        int length = 0;
        while (true) {
            int count = file.read(content, length, content.length - length, length);
            length += count;
            if (length < content.length) {
                return length;
            }
            if (length > FsLimits.SEARCH_FILE_BYTES) {
                return -1;
            }
            content = Arrays.copyOf(content, Math.min(content.length * 2, FsLimits.SEARCH_FILE_BYTES + 1));
        }
    }

    private boolean isText(int length) {
        for (int i = 0; i < Math.min(length, TEXT_PROBE_BYTES); i++) {
            if (content[i] == 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns the index of the first match, or -1. */
    private int find(String line) {
        if (!params.regex() && params.caseSensitive()) {
            return line.indexOf(params.pattern());
        }
        Matcher matcher = pattern.matcher(text.over(line));
        return matcher.find() ? matcher.start() : -1;
    }

    private void searchLine(PathUri uri, int line, int start, int end) {
        String decoded = new String(content, start, end - start, StandardCharsets.UTF_8);
        int column = find(decoded);
        if (column >= 0) {
            String told = decoded.length() <= FsLimits.SEARCH_LINE_CHARS
                    ? decoded
                    : decoded.substring(0, FsLimits.SEARCH_LINE_CHARS);
            matches.add(new SearchResult.Match(uri, line, column + 1, told));
        }
    }
}
