package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.resolve.CrossedLink;
import dev.execserver.sandbox.resolve.LinuxPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The links that a running command has to leave as they are, on disk in the server's directory, so that they can be put
 * right after a kill: by the guardian's shell or by the next server. One file a command, one line a link: where it is and
 * what it points to, escaped as in {@link PlaceholderJournal}. Commands without such links have none. Touches files.
 */
final class LinkJournal implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(LinkJournal.class.getName());

    /** Begins the names of the files; the guardian's script knows it. */
    static final String PREFIX = "links-";

    private static final AtomicLong NUMBERS = new AtomicLong();

    private final List<CrossedLink> links;
    private final Path file;

    private LinkJournal(List<CrossedLink> links, Path file) {
        this.links = links;
        this.file = file;
    }

    /** @param directory of this server */
    static LinkJournal open(Path directory, List<CrossedLink> links) {
        Path file = directory.resolve(PREFIX + NUMBERS.incrementAndGet());
        if (!links.isEmpty()) {
            StringBuilder text = new StringBuilder();
            for (CrossedLink link : links) {
                text.append(PlaceholderJournal.escape(link.path().bytes()))
                        .append(' ')
                        .append(PlaceholderJournal.escape(link.target()))
                        .append('\n');
            }
            try {
                Files.writeString(file, text, StandardCharsets.US_ASCII, StandardOpenOption.CREATE_NEW);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot write " + file, e);
            }
        }
        return new LinkJournal(links, file);
    }

    /** Puts the links right; the command has ended. */
    List<LinkGuard.Violation> restore() {
        List<LinkGuard.Violation> violations = LinkGuard.restore(links);
        close();
        return violations;
    }

    @Override
    public void close() {
        if (!links.isEmpty()) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                LOG.log(System.Logger.Level.WARNING, "cannot remove {0}: {1}", file, e.toString());
            }
        }
    }

    /** Puts right what the commands of a server that was killed have changed. */
    static void restoreAfter(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, PREFIX + "*")) {
            for (Path file : files) {
                for (String line : Files.readAllLines(file, StandardCharsets.US_ASCII)) {
                    String[] words = line.split(" ", 2);
                    if (words.length == 2) {
                        LinuxPath link = LinuxPath.of(PlaceholderJournal.unescape(words[0]));
                        LinkGuard.restore(link, PlaceholderJournal.unescape(words[1]))
                                .ifPresent(violation -> LOG.log(
                                        System.Logger.Level.WARNING,
                                        "put right the protected link {0}, left changed by a server that was killed",
                                        link));
                    }
                }
                Files.delete(file);
            }
        }
    }
}
