package dev.execserver.server.cli.client.copy;

import dev.execserver.client.error.ConnectionLostException;
import dev.execserver.client.error.RequestFailedException;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.server.config.FileErrors;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.NoSuchFileException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Copies files and directories from one side to the other. Links are followed, but for those that lead back to a directory
 * that they are in. What cannot be copied is told to the {@link Report}, and the rest is copied all the same. Main thread.
 *
 * @param recursive whether directories are copied
 */
public record TreeCopier(Side from, Side to, boolean recursive, Report report) {

    /** Directories below each other. Where both sides are one machine a target in the source would have no end. */
    static final int MAX_DEPTH = 256;

    private static final int OWNER_MAY_FILL = 0700;

    /** What a copy does; it may fail in any way. */
    @FunctionalInterface
    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    /**
     * Copies as cp(1) does: into the target when that is a directory.
     *
     * @param intoDirectory whether the target must be one
     */
    public void copyAll(List<PathUri> sources, PathUri target, boolean intoDirectory) throws InterruptedException {
        attempt(to.name(target), () -> {
            boolean into = to.look(target).filter(FileInfo::directory).isPresent();
            if (!into && (intoDirectory || sources.size() > 1)) {
                throw new IOException("it is not a directory");
            }
            for (PathUri source : sources) {
                PathUri place = into && Names.hasName(source) ? Names.child(target, Names.last(source)) : target;
                attempt(from.name(source), () -> copy(source, place, false, Set.of()));
            }
        });
    }

    /**
     * Copies what a path leads to.
     *
     * @param fresh whether the directory of the target was made here, so that nothing can be in the way
     * @param above the directories on the way to the source, without links
     */
    private void copy(PathUri source, PathUri target, boolean fresh, Set<PathUri> above)
            throws IOException, InterruptedException {
        FileInfo info = from.look(source).orElseThrow(() -> new NoSuchFileException(source.display()));
        switch (info.kind()) {
            case FILE -> copyFile(source, info, fresh ? target : placeOfFile(target));
            case DIRECTORY -> copyDirectory(source, info, target, fresh, above);
            case OTHER -> throw new IOException("it is neither a file nor a directory");
        }
    }

    private void copyFile(PathUri source, FileInfo info, PathUri target) throws IOException, InterruptedException {
        Content content = report.counted(from.name(source), from.read(source, info));
        to.write(target, info.mode(), content);
        report.copied();
    }

    /** What a link leads to is replaced, not the link. */
    private PathUri placeOfFile(PathUri target) throws IOException, InterruptedException {
        Optional<FileInfo> there = to.look(target);
        if (there.isEmpty()) {
            checkParent(target);
            return target;
        }
        return switch (there.get().kind()) {
            case FILE -> there.get().link() ? to.canonical(target) : target;
            case DIRECTORY -> throw new IOException(to.name(target) + " is a directory and is not replaced by a file");
            case OTHER -> throw new IOException(to.name(target) + " is no regular file and is not replaced");
        };
    }

    /** What the copy says of itself would not tell which of the two paths is wrong. */
    private void checkParent(PathUri target) throws IOException, InterruptedException {
        PathUri parent = Names.parent(target);
        if (to.look(parent).isEmpty()) {
            throw new IOException("there is no directory " + to.name(parent) + " for it");
        }
    }

    private void copyDirectory(PathUri source, FileInfo info, PathUri target, boolean fresh, Set<PathUri> above)
            throws IOException, InterruptedException {
        if (!recursive) {
            throw new IOException("it is a directory; copy it with --recursive");
        }
        if (above.size() >= MAX_DEPTH) {
            throw new IOException(
                    "it lies " + MAX_DEPTH + " directories deep; is the target in the source, on the same machine?");
        }
        PathUri real = from.canonical(source);
        if (above.contains(real)) {
            throw new IOException("it is a link to a directory that it is in");
        }
        Set<PathUri> way = new HashSet<>(above);
        way.add(real);
        // Before the directory is made: the target may be below the source.
        List<PathUri> entries = from.list(source);
        boolean made = makeDirectory(target, fresh);
        for (PathUri entry : entries) {
            PathUri place = Names.child(target, Names.last(entry));
            attempt(from.name(entry), () -> copy(entry, place, made, way));
        }
        if (made && info.mode().isPresent()) {
            to.setMode(target, info.mode().getAsInt());
        }
    }

    private boolean makeDirectory(PathUri target, boolean fresh) throws IOException, InterruptedException {
        Optional<FileInfo> there = fresh ? Optional.empty() : to.look(target);
        if (there.isEmpty()) {
            if (!fresh) {
                checkParent(target);
            }
            to.makeDirectory(target);
            to.setMode(target, OWNER_MAY_FILL);
        } else if (!there.get().directory()) {
            throw new IOException(to.name(target) + " is no directory");
        }
        return there.isEmpty();
    }

    /** @throws ConnectionLostException for good; all that follows would fail as well */
    private void attempt(String name, Step step) throws InterruptedException {
        try {
            step.run();
        } catch (InterruptedIOException | ClosedByInterruptException e) {
            throw new InterruptedException(e.getMessage());
        } catch (RequestFailedException e) {
            report.problem(name, e.serverMessage());
        } catch (IOException e) {
            switch (e.getCause()) {
                case ConnectionLostException lost -> throw lost;
                case RequestFailedException refused -> report.problem(name, refused.serverMessage());
                case null, default -> report.problem(name, FileErrors.text(e));
            }
        } catch (UncheckedIOException e) {
            report.problem(name, FileErrors.text(e.getCause()));
        }
    }
}
