package dev.execserver.sandbox.pin;

import dev.execserver.sandbox.linux.AttributeCalls;
import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.spawn.Launch;
import dev.execserver.sandbox.tree.BoundedRun;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Pins programs: copies a program, its loader and its libraries into sealed memory and starts it from there, so that a later
 * change of the files has no effect. Threads that may block use it at the start; the copies last until {@link #close}. The
 * lock is that of {@link SealedFiles}.
 */
public final class ProgramPins implements AutoCloseable {
    /** Time limit of the loader, which reads a few files; only a hanging file system needs longer. */
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private static final int SET_ID = 06000;
    private static final String CAPABILITIES = "security.capability";
    private static final int MAX_INTERPRETERS = 4;

    private final BoundedRun runs;
    private final SealedFiles files = new SealedFiles();

    public ProgramPins(BoundedRun runs) {
        this.runs = runs;
    }

    /** The result of an attempt to pin. */
    public sealed interface Result {
        /** The program runs from memory from now on. */
        record Pinned(Launch launch) implements Result {}

        /** The program must not run, because its loader or a library is not trusted. */
        record Untrusted(String reason) implements Result {}

        /** The program cannot be pinned; the reason for messages. */
        record Impossible(String reason) implements Result {}
    }

    /** The reason why a program cannot be pinned. */
    private static final class Obstacle extends RuntimeException {
        private static final long serialVersionUID = 1;

        Obstacle(String reason) {
            super(reason);
        }
    }

    /** The reason why a file is not trusted. */
    private static final class Distrust extends RuntimeException {
        private static final long serialVersionUID = 1;

        Distrust(String reason) {
            super(reason);
        }
    }

    /**
     * Pins a program.
     *
     * @param real canonical path
     * @param content content of that file, as it was checked
     * @param calledName name that the program must see as its own; empty if that does not matter
     * @param places decides which loader and libraries may be used
     */
    public Result pin(LinuxPath real, byte[] content, Optional<String> calledName, TrustedPlaces places) {
        try {
            refusePrivileged(real);
            List<String> command = command(real, content, calledName, places, MAX_INTERPRETERS);
            return new Result.Pinned(new Launch(
                    command.getFirst().getBytes(StandardCharsets.UTF_8), command.subList(1, command.size()), true));
        } catch (Distrust e) {
            return new Result.Untrusted(e.getMessage());
        } catch (Obstacle | LinuxException | IllegalArgumentException e) {
            return new Result.Impossible(e.getMessage());
        }
    }

    /** Returns the content of a program. Throws the errors that {@link #pin} reports as results. */
    public static byte[] read(LinuxPath real) {
        return SealedFiles.read(real);
    }

    /**
     * Refuses a program with a set-user-ID bit or capabilities: a copy lacks them, and the program would behave differently.
     */
    private static void refusePrivileged(LinuxPath real) {
        try (Fd fd = FileCalls.open(real.bytes(), FileCalls.O_RDONLY, 0)) {
            FileStatus status = FileCalls.status(fd);
            if ((status.permissions() & SET_ID) != 0 && status.user() != FileCalls.effectiveUser()) {
                throw new Obstacle(real + " is set-user-ID, which a copy is not");
            }
            if (FileCalls.effectiveUser() != 0
                    && AttributeCalls.get(fd, CAPABILITIES).isPresent()) {
                throw new Obstacle(real + " has capabilities, which a copy has not");
            }
        }
    }

    private List<String> command(
            LinuxPath real, byte[] content, Optional<String> calledName, TrustedPlaces places, int interpretersLeft) {
        return switch (ElfFile.of(content)) {
            case ElfFile.Static() -> List.of(files.copy(real, content));
            case ElfFile.Dynamic(String loader) -> loaded(real, content, loader, calledName, places);
            case ElfFile.Script(String interpreter, Optional<String> argument)
            when interpretersLeft > 0 -> {
                LinuxPath program = trusted(LinuxPath.of(interpreter), places);
                List<String> command = new ArrayList<>(command(
                        program, SealedFiles.read(program), calledBy(interpreter), places, interpretersLeft - 1));
                argument.ifPresent(command::add);
                command.add(files.copy(real, content));
                yield command;
            }
            case ElfFile.Script _, ElfFile.Unknown _ ->
                throw new Obstacle(real + " is neither a program of this machine nor a script");
        };
    }

    /** Returns the called name for a shell that is called sh, because some shells are stricter then. */
    private static Optional<String> calledBy(String interpreter) {
        return Optional.of(interpreter.substring(interpreter.lastIndexOf('/') + 1))
                .filter("sh"::equals);
    }

    private List<String> loaded(
            LinuxPath real, byte[] content, String loaderName, Optional<String> calledName, TrustedPlaces places) {
        LinuxPath loader = trusted(LinuxPath.of(loaderName), places);
        String pinnedLoader = files.copyLoader(loader, SealedFiles.read(loader));
        String program = files.copy(real, content);
        List<String> libraries = new ArrayList<>();
        for (LinuxPath named : list(List.of(pinnedLoader), program, loaderName)) {
            LinuxPath library = trusted(named, places);
            if (!library.equals(loader)) {
                libraries.add(files.copy(library, SealedFiles.read(library)));
            }
        }
        List<String> command = new ArrayList<>(List.of(pinnedLoader));
        if (!libraries.isEmpty()) {
            command.addAll(List.of("--preload", String.join(":", libraries)));
        }
        calledName.ifPresent(name -> command.addAll(List.of("--argv0", name)));
        List<LinuxPath> strays = list(command, program, loaderName).stream()
                .filter(library -> !libraries.contains(library.toString()))
                .toList();
        if (!strays.isEmpty()) {
            throw new Obstacle(
                    real + " loads " + strays.stream().map(LinuxPath::toString).collect(Collectors.joining(", "))
                            + " from the disk even so");
        }
        command.add(program);
        return command;
    }

    /** Returns the libraries that the loader would load for the program. */
    private List<LinuxPath> list(List<String> loader, String program, String loaderName) {
        List<String> arguments = new ArrayList<>(loader.subList(1, loader.size()));
        arguments.addAll(List.of("--list", program));
        BoundedRun.Result result = runs.run(LIMIT, Launch.plain(loader.getFirst()), arguments);
        return switch (result) {
            case BoundedRun.Result.Ended ended
            when ended.ok() ->
                LoaderList.of(ended.out(), Set.of(loaderName, loader.getFirst()))
                        .orElseThrow(() -> new Obstacle(
                                "a library is missing: " + ended.out().strip()))
                        .libraries();
            case BoundedRun.Result.Ended(int code, String _, String err) ->
                throw new Obstacle(loaderName + " cannot be run from memory: status " + code + " " + err.strip());
            case BoundedRun.Result.TimedOut(Duration limit) ->
                throw new Obstacle(loaderName + " gave no answer within " + limit.toSeconds() + " s");
            case BoundedRun.Result.NotStarted(String reason) ->
                throw new Obstacle(loaderName + " cannot be run from memory: " + reason);
        };
    }

    private static LinuxPath trusted(LinuxPath named, TrustedPlaces places) {
        places.fault(named).ifPresent(fault -> {
            throw new Distrust(fault);
        });
        return LinuxPath.of(EntryCalls.realPath(named.bytes()));
    }

    @Override
    public void close() {
        files.close();
    }
}
