package dev.execserver.server.sandbox;

import dev.execserver.sandbox.ledger.Ledger;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Register of the state folders of this user's servers with {@code --state-dir}, so that all other servers hide them
 * from their commands too. It has one symbolic link for each server, in a folder below one of the fixed ones. Any thread;
 * the list is read again when the folder has changed.
 */
final class StateRegister implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StateRegister.class);
    private static final String NAME = "state-dirs";

    /**
     * Resolution of the kernel's file timestamps, in nanoseconds: a change within this time after another one may go
     * unseen.
     */
    private static final long CLOCK_TICK_NS = Duration.ofMillis(100).toNanos();

    private final Path folder;
    private volatile Known known = new Known(0, List.of());
    private Optional<Path> own = Optional.empty();
    private Optional<Ledger.Entry> entry = Optional.empty();

    private record Known(long changedNs, List<Path> places) {}

    private StateRegister(Path folder) {
        this.folder = folder;
    }

    /** @param common a folder that servers of this user share */
    static StateRegister in(Path common) throws IOException {
        Path folder = common.resolve(NAME);
        try {
            Files.createDirectory(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException e) {
            LOG.debug("{} is there already", folder);
        }
        return new StateRegister(folder);
    }

    /**
     * Adds a place for as long as this server runs.
     *
     * @param name the name of this server
     */
    void add(String name, Path place, Ledger ledger) throws IOException {
        Path link = folder.resolve(name);
        Ledger.Entry intended = ledger.intend(Ledger.Kind.FOLDER, StateFolder.bytes(link))
                .orElseThrow(() -> new IOException(folder + " is gone"));
        Files.createSymbolicLink(link, place);
        intended.identify(FileCalls.status(StateFolder.bytes(link), false));
        own = Optional.of(link);
        entry = Optional.of(intended);
    }

    /** Returns the places of all servers. */
    List<Path> places() {
        try {
            FileStatus status = FileCalls.status(StateFolder.bytes(folder), false);
            Known last = known;
            if (last.changedNs() != status.changedNs()) {
                List<Path> places = read();
                boolean settled = System.currentTimeMillis() * 1_000_000 - status.changedNs() > CLOCK_TICK_NS;
                last = new Known(settled ? status.changedNs() : 0, places);
                known = last;
            }
            return last.places();
        } catch (IOException | LinuxException e) {
            LOG.warn("cannot read which folders other servers use in {}: {}", folder, e.toString());
            return known.places();
        }
    }

    private List<Path> read() throws IOException {
        List<Path> places = new ArrayList<>();
        try (DirectoryStream<Path> links = Files.newDirectoryStream(folder)) {
            for (Path link : links) {
                place(link).filter(place -> !places.contains(place)).ifPresent(places::add);
            }
        }
        places.sort(null);
        return List.copyOf(places);
    }

    /** Returns the place that a link names; empty if the link has gone with its server or with the guardian of that. */
    private static Optional<Path> place(Path link) throws IOException {
        try {
            return Optional.of(Files.readSymbolicLink(link));
        } catch (NoSuchFileException e) {
            LOG.debug("{} went away with its server", link);
            return Optional.empty();
        }
    }

    /** Removes the links of servers that are gone, whose folders have no lock. */
    void tidy(Predicate<Path> dead) throws IOException {
        try (DirectoryStream<Path> links = Files.newDirectoryStream(folder)) {
            for (Path link : links) {
                if (place(link)
                        .filter(place -> dead.test(place.resolve(link.getFileName())))
                        .isPresent()) {
                    Files.deleteIfExists(link);
                }
            }
        }
    }

    @Override
    public void close() {
        try {
            if (own.isPresent()) {
                Files.deleteIfExists(own.get());
            }
        } catch (IOException e) {
            LOG.warn("cannot remove {}: {}", own, e.toString());
        }
        entry.ifPresent(Ledger.Entry::close);
    }
}
