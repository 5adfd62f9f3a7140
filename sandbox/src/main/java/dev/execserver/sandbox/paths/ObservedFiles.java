package dev.execserver.sandbox.paths;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Records all answers that one resolution gets from the file system. Each question is asked once. A later caller can check if
 * the answers would still be the same. One thread uses it until the resolution is done; then it is immutable.
 */
public final class ObservedFiles implements FileView {
    /** Largest number of remembered directory entries and file bytes. A resolution that needs more is not remembered. */
    static final int MAX_REMEMBERED = 4096;

    private final FileView files;
    private final Map<LinuxPath, Optional<Status>> statuses = new HashMap<>();
    private final Map<LinuxPath, String> links = new HashMap<>();
    private final Map<LinuxPath, List<Child>> lists = new HashMap<>();
    private final Map<Range, Optional<String>> contents = new HashMap<>();
    private final Map<LinuxPath, Optional<String>> versions = new HashMap<>();
    private final Map<LinuxPath, Boolean> creatable = new HashMap<>();
    private long remembered;
    private boolean failed;

    private record Range(LinuxPath file, int maxBytes) {}

    /** A query of the file system that may fail. */
    @FunctionalInterface
    private interface Question<T> {
        T ask() throws NotAccessibleException;
    }

    public ObservedFiles(FileView files) {
        this.files = files;
    }

    private <K, T> T once(Map<K, T> known, K about, Question<T> question) throws NotAccessibleException {
        T answer = known.get(about);
        if (answer == null) {
            try {
                answer = question.ask();
            } catch (NotAccessibleException e) {
                failed = true;
                throw e;
            }
            known.put(about, answer);
        }
        return answer;
    }

    @Override
    public Optional<Status> status(LinuxPath path) throws NotAccessibleException {
        return once(statuses, path, () -> status(files, path));
    }

    /** Sets the size of directories to 0: it changes with their entries and has no meaning here. */
    private static Optional<Status> status(FileView files, LinuxPath path) throws NotAccessibleException {
        return files.status(path)
                .map(status -> status.kind() == Kind.DIRECTORY ? new Status(Kind.DIRECTORY, status.id(), 0) : status);
    }

    @Override
    public byte[] readLink(LinuxPath link) throws NotAccessibleException {
        return once(links, link, () -> text(files.readLink(link))).getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public List<Child> list(LinuxPath directory) throws NotAccessibleException {
        return once(lists, directory, () -> {
            List<Child> children = files.list(directory);
            remembered += children.size();
            return children;
        });
    }

    @Override
    public Optional<byte[]> read(LinuxPath file, int maxBytes) throws NotAccessibleException {
        return once(contents, new Range(file, maxBytes), () -> {
                    Optional<String> content = files.read(file, maxBytes).map(ObservedFiles::text);
                    remembered += content.map(String::length).orElse(0);
                    return content;
                })
                .map(text -> text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Override
    public Optional<String> version(LinuxPath file) throws NotAccessibleException {
        return once(versions, file, () -> files.version(file));
    }

    @Override
    public Optional<byte[]> readWhole(LinuxPath file, int maxBytes) throws NotAccessibleException {
        var _ = version(file); // before the content, so that a change meanwhile is seen
        return files.readWhole(file, maxBytes);
    }

    @Override
    public boolean creatable(LinuxPath directory) {
        return creatable.computeIfAbsent(directory, files::creatable);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** Returns true if no query failed and the answers are small enough. */
    public boolean worthRemembering() {
        return !failed && remembered <= MAX_REMEMBERED;
    }

    /** Returns true if all answers would be the same now. */
    public boolean unchanged() {
        try {
            return statusesUnchanged()
                    && linksUnchanged()
                    && listsUnchanged()
                    && contentsUnchanged()
                    && versionsUnchanged()
                    && creatableUnchanged();
        } catch (NotAccessibleException e) {
            return false;
        }
    }

    private boolean statusesUnchanged() throws NotAccessibleException {
        for (var seen : statuses.entrySet()) {
            if (!status(files, seen.getKey()).equals(seen.getValue())) {
                return false;
            }
        }
        return true;
    }

    private boolean linksUnchanged() throws NotAccessibleException {
        for (var seen : links.entrySet()) {
            if (!text(files.readLink(seen.getKey())).equals(seen.getValue())) {
                return false;
            }
        }
        return true;
    }

    private boolean listsUnchanged() throws NotAccessibleException {
        for (var seen : lists.entrySet()) {
            if (!files.list(seen.getKey()).equals(seen.getValue())) {
                return false;
            }
        }
        return true;
    }

    private boolean contentsUnchanged() throws NotAccessibleException {
        for (var seen : contents.entrySet()) {
            Range range = seen.getKey();
            Optional<String> now = files.read(range.file(), range.maxBytes()).map(ObservedFiles::text);
            if (!now.equals(seen.getValue())) {
                return false;
            }
        }
        return true;
    }

    private boolean versionsUnchanged() throws NotAccessibleException {
        for (var seen : versions.entrySet()) {
            if (!files.version(seen.getKey()).equals(seen.getValue())) {
                return false;
            }
        }
        return true;
    }

    private boolean creatableUnchanged() {
        return creatable.entrySet().stream().allMatch(seen -> files.creatable(seen.getKey()) == seen.getValue());
    }
}
