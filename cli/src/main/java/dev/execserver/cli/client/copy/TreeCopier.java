package dev.execserver.cli.client.copy;

import dev.execserver.cli.local.FileErrors;
import dev.execserver.client.error.ConnectionLostException;
import dev.execserver.client.error.RequestFailedException;
import dev.execserver.protocol.paths.PathUri;
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
 * Copies files and directories from one side to the other. Links are followed, except those to a directory that
 * contains them. Failures go to the {@link Report}, and the rest is copied. Main thread.
 *
 * @param recursive true to copy directories
 */
public record TreeCopier(Side from, Side to, boolean recursive, Report report) {

    /** Limit of nested directories, against sources without an end. */
    static final int MAX_DEPTH = 256;

    private static final String NO_TARGET = "it does not exist; make the directory first";

    private static final String NO_SANDBOX =
            "; `exec-server cp` cannot send one: copy with `exec-server run --profile ... -- cat`";

    private static final int OWNER_MAY_FILL = 0700;

    /**
     * Directories between the beginning of the copy and the current source.
     *
     * @param above these directories, without links
     * @param mark in the target of the uppermost one
     */
    private record Ancestors(Set<PathUri> above, Optional<DirectoryMark> mark) {
        static final Ancestors BEGINNING = new Ancestors(Set.of(), Optional.empty());

        Ancestors down(PathUri directory) {
            Set<PathUri> more = new HashSet<>(above);
            more.add(directory);
            return new Ancestors(more, mark);
        }
    }

    /** One step of a copy. */
    @FunctionalInterface
    private interface Step {
        void run() throws IOException, InterruptedException;
    }

    /** Examines or changes one side. */
    @FunctionalInterface
    private interface Look<T> {
        T run() throws IOException, InterruptedException;
    }

    /**
     * Copies as cp(1) does: into the target if it is a directory.
     *
     * @param intoDirectory true if the target must be a directory, or become one
     */
    public void copyAll(List<PathUri> sources, PathUri target, boolean intoDirectory) throws InterruptedException {
        attempt(to.name(target), () -> {
            Optional<FileInfo> there = to.look(target);
            boolean into = there.filter(FileInfo::directory).isPresent();
            if (!into && (sources.size() > 1 || intoDirectory && !directory(sources.getFirst()))) {
                throw new IOException(there.isPresent() ? "it is not a directory" : NO_TARGET);
            }
            for (PathUri source : sources) {
                PathUri place =
                        into && BytePaths.hasName(source) ? BytePaths.child(target, BytePaths.last(source)) : target;
                attempt(from.name(source), () -> copy(source, place, false, Ancestors.BEGINNING));
            }
        });
    }

    private boolean directory(PathUri source) throws IOException, InterruptedException {
        return from.look(source).filter(FileInfo::directory).isPresent();
    }

    /**
     * Copies the file or directory that a path leads to.
     *
     * @param fresh true if this copy has made the directory of the target, so that it contains nothing else
     * @param way directories above the source
     */
    private void copy(PathUri source, PathUri target, boolean fresh, Ancestors way)
            throws IOException, InterruptedException {
        FileInfo info = from.look(source).orElseThrow(() -> new NoSuchFileException(source.display()));
        switch (info.kind()) {
            case FILE -> copyFile(source, info, fresh ? target : placeOfFile(target));
            case DIRECTORY -> copyDirectory(source, info, target, fresh, way);
            case OTHER -> throw new IOException("it is neither a file nor a directory");
        }
    }

    private void copyFile(PathUri source, FileInfo info, PathUri target) throws IOException, InterruptedException {
        SourceContent content = new SourceContent(report.counted(from.name(source), from.read(source, info)));
        try {
            to.write(target, info.mode(), content);
        } catch (RequestFailedException | UncheckedIOException | IOException e) {
            if (content.failed()) {
                throw e;
            }
            throw new TargetFailedException(to.name(target), e);
        }
        report.copied();
    }

    /**
     * Returns the place of the new file. The target of a link is replaced, not the link. A link to nothing is refused,
     * as by cp(1).
     */
    private PathUri placeOfFile(PathUri target) throws IOException, InterruptedException {
        Optional<FileInfo> there = onTarget(target, () -> to.look(target));
        if (there.isEmpty()) {
            checkParent(target);
            if (onTarget(target, () -> to.dangling(target))) {
                throw new IOException(
                        to.name(target) + " is a link to nothing; name the file itself, or remove the link");
            }
            return target;
        }
        if (onTarget(target, () -> to.openFile(target))) {
            throw new IOException(to.name(target)
                    + " is an open file of a process and is not replaced; write - for standard" + " output");
        }
        return switch (there.get().kind()) {
            case FILE -> there.get().link() ? onTarget(target, () -> to.canonical(target)) : target;
            case DIRECTORY -> throw new IOException(to.name(target) + " is a directory and is not replaced by a file");
            case OTHER -> throw new IOException(to.name(target) + " is no regular file and is not replaced");
        };
    }

    /** Checks the parent, because the error of the copy would not tell which of the two paths is wrong. */
    private void checkParent(PathUri target) throws IOException, InterruptedException {
        PathUri parent = BytePaths.parent(target);
        if (onTarget(parent, () -> to.look(parent)).isEmpty()) {
            throw new IOException("there is no directory " + to.name(parent) + " for it");
        }
    }

    private void copyDirectory(PathUri source, FileInfo info, PathUri target, boolean fresh, Ancestors way)
            throws IOException, InterruptedException {
        if (!recursive) {
            throw new IOException("it is a directory; copy it with --recursive");
        }
        if (way.above().size() >= MAX_DEPTH) {
            throw new IOException(
                    "it lies " + MAX_DEPTH + " directories deep; is the target in the source, on the same machine?");
        }
        PathUri real = from.canonical(source);
        if (way.above().contains(real)) {
            throw new IOException("it is a link to a directory that it is in");
        }
        // List them before the directory is made: the target may be below the source.
        List<PathUri> entries = from.list(source);
        if (way.mark().filter(mark -> mark.among(entries)).isPresent()) {
            throw new IOException("it is what this copy makes, on the same machine; nothing is copied into itself");
        }
        boolean made = makeDirectory(target, fresh);
        if (!way.above().isEmpty()) {
            copyEntries(entries, target, made, way.down(real));
        } else {
            Optional<DirectoryMark> mark = mark(target);
            try {
                copyEntries(entries, target, made, new Ancestors(Set.of(real), mark));
            } finally {
                mark.ifPresent(DirectoryMark::close);
            }
        }
        if (made && info.mode().isPresent()) {
            int mode = info.mode().getAsInt();
            boolean _ = onTarget(target, () -> setMode(target, mode));
        }
    }

    private void copyEntries(List<PathUri> entries, PathUri target, boolean fresh, Ancestors way)
            throws InterruptedException {
        for (PathUri entry : entries) {
            PathUri place = BytePaths.child(target, BytePaths.last(entry));
            attempt(from.name(entry), () -> copy(entry, place, fresh, way));
        }
    }

    /**
     * Returns a mark in the target. Empty if the directory takes no new files; each entry then reports its own error.
     */
    private Optional<DirectoryMark> mark(PathUri target) throws InterruptedException {
        try {
            return Optional.of(to.mark(target));
        } catch (RequestFailedException | IOException e) {
            return Optional.empty();
        }
    }

    private boolean makeDirectory(PathUri target, boolean fresh) throws IOException, InterruptedException {
        Optional<FileInfo> there = fresh ? Optional.empty() : onTarget(target, () -> to.look(target));
        if (there.isEmpty()) {
            if (!fresh) {
                checkParent(target);
            }
            boolean _ = onTarget(target, () -> {
                to.makeDirectory(target);
                return setMode(target, OWNER_MAY_FILL);
            });
        } else if (!there.get().directory()) {
            throw new IOException(to.name(target) + " is no directory");
        }
        return there.isEmpty();
    }

    private boolean setMode(PathUri directory, int mode) throws IOException, InterruptedException {
        to.setMode(directory, mode);
        return true;
    }

    /** Runs a step whose failures are errors of the target. */
    private <T> T onTarget(PathUri target, Look<T> look) throws IOException, InterruptedException {
        try {
            return look.run();
        } catch (RequestFailedException | UncheckedIOException | IOException e) {
            throw new TargetFailedException(to.name(target), e);
        }
    }

    private void attempt(String name, Step step) throws InterruptedException {
        try {
            step.run();
        } catch (TargetFailedException e) {
            tell(e.target(), e.reason());
        } catch (RequestFailedException | UncheckedIOException | IOException e) {
            tell(name, e);
        }
    }

    /**
     * @throws ConnectionLostException when the connection is lost for good, because all later steps would fail as well
     */
    private void tell(String name, Exception failure) throws InterruptedException {
        switch (failure) {
            case InterruptedIOException e -> throw new InterruptedException(e.getMessage());
            case ClosedByInterruptException e -> throw new InterruptedException(e.getMessage());
            case ConnectionLostException lost -> throw lost;
            case RequestFailedException refused ->
                report.problem(name, refused.serverMessage() + (refused.refusedByFloor() ? NO_SANDBOX : ""));
            case IOException io
            when io.getCause() instanceof ConnectionLostException || io.getCause() instanceof RequestFailedException ->
                tell(name, (Exception) io.getCause());
            case UncheckedIOException unchecked -> report.problem(name, FileErrors.text(unchecked.getCause()));
            case IOException io -> report.problem(name, FileErrors.text(io));
            default -> throw new IllegalStateException(failure);
        }
    }
}
