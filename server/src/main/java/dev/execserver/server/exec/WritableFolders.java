package dev.execserver.server.exec;

import dev.execserver.protocol.text.SurrogateEscapedText;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.sandbox.resolve.ResolvedPolicy.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds out which files a command could change, or exchange by a file of its own: those that it can write, and those in folders that
 * it can write. A place counts as writable when in doubt. Touches files; a platform thread uses it. Immutable.
 */
final class WritableFolders {
    /** A sandbox has its own files there. */
    private static final List<LinuxPath> OTHER_FILES =
            List.of(LinuxPath.of("/proc"), LinuxPath.of("/dev"), LinuxPath.of("/sys"));

    private static final String ELSEWHERE = "outside of the sandbox %s is another file, or none";
    private static final String EXCHANGEABLE =
            "the command can write %s, and so exchange what would run outside of the sandbox;"
                    + " put the program where the command cannot write, or answer `run`";
    private static final String OTHER_NAMES =
            "%s has other names (hard links), which the command may be able to write; run a copy of its own instead";
    private static final String ANY = "name";

    private final ResolvedPolicy policy;

    /** @param policy of the command's sandbox */
    WritableFolders(ResolvedPolicy policy) {
        this.policy = policy;
    }

    /** @param folder without links */
    boolean writable(LinuxPath folder) {
        return OTHER_FILES.stream().anyMatch(folder::startsWith)
                || (policy.access(folder).writable() && changeable(folder.bytes()));
    }

    /** An owner can give itself the right. */
    private static boolean changeable(byte[] path) {
        int errno = FileCalls.access(path, FileCalls.W_OK);
        return errno == 0 || errno == Errno.ENOENT || FileCalls.ownedByUs(path);
    }

    /** Returns true if the command has a sandbox that can be left. */
    boolean sandboxed() {
        return policy.kind() == Kind.RESTRICTED || policy.kind() == Kind.UNRESTRICTED;
    }

    /** Returns true if the command could not have made this link, nor one of those that follow. */
    boolean trustedLink(AskedProgram program, String link) {
        List<byte[]> links = program.program().trail().links();
        List<String> paths = links.stream().map(SurrogateEscapedText::decode).toList();
        int first = paths.indexOf(link);
        return first >= 0
                && program.onHost()
                && links.stream().skip(first).map(LinuxPath::of).noneMatch(path -> writable(path.parent()));
    }

    /**
     * Returns true if the interpreter of a script will open the file that was decided about: the kernel gives it the path, and it opens
     * that one later. A relative path leads elsewhere when the directory is changed, which a task can do for another one (CLONE_FS).
     */
    boolean leadsToScript(AskedProgram script) {
        if (script.pid().isEmpty()) {
            return exchangeable(List.of(script.path())).isEmpty();
        }
        boolean absolute = script.typed().length > 0 && script.typed()[0] == '/';
        return absolute && script.program().trail().whole() && onTheWay(script).isEmpty();
    }

    /** Returns the reason why a program must not leave the sandbox: the command could exchange a part of it. */
    Optional<String> obstacle(AskedProgram program) {
        return sandboxed()
                ? program.all().map(this::obstacleOf).flatMap(Optional::stream).findFirst()
                : Optional.empty();
    }

    private Optional<String> obstacleOf(AskedProgram program) {
        if (!program.onHost()) {
            return Optional.of(ELSEWHERE.formatted(program.text()));
        }
        if (!program.program().trail().whole()) {
            return Optional.of("the way to " + program.text() + " has too many links");
        }
        LinuxPath file = LinuxPath.of(program.path());
        Optional<LinuxPath> writable =
                policy.access(file).writable() && changeable(program.path()) ? Optional.of(file) : onTheWay(program);
        return writable.map(path -> EXCHANGEABLE.formatted(path)).or(() -> otherName(program));
    }

    /** A file that the command's user may write can be written by any of its names; those in its own folder are safe with it. */
    private static Optional<String> otherName(AskedProgram program) {
        return HardLinks.allBeside(program.path(), program.file()) || !changeable(program.path())
                ? Optional.empty()
                : Optional.of(OTHER_NAMES.formatted(program.text()));
    }

    /** Returns a folder in which the command could exchange the program or a link that leads to it. */
    private Optional<LinuxPath> onTheWay(AskedProgram program) {
        List<byte[]> names = new ArrayList<>();
        names.add(program.path());
        program.program()
                .trail()
                .folders()
                .forEach(folder -> names.add(LinuxPath.of(folder).child(ANY).bytes()));
        return exchangeable(names);
    }

    private Optional<LinuxPath> exchangeable(List<byte[]> paths) {
        return paths.stream()
                .flatMap(path -> LinuxPath.of(path).parent().lineage().stream())
                .distinct()
                .filter(this::writable)
                .findFirst();
    }
}
