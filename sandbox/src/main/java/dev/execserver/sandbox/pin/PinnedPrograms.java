package dev.execserver.sandbox.pin;

import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.spawn.Launch;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Looks up system programs for the server, and pins them if possible. Only threads that may block call it. */
public final class PinnedPrograms {
    private final ProgramPins pins;
    private final TrustedPlaces system;

    /** @param system decides which files may be run */
    public PinnedPrograms(ProgramPins pins, TrustedPlaces system) {
        this.pins = pins;
        this.system = system;
    }

    /**
     * A program that the server may run.
     *
     * @param path canonical
     */
    public record Program(LinuxPath path, Launch launch) {}

    /** Returns the first trusted program on a search path. Relative elements, such as the working directory, are skipped. */
    public Optional<Program> onPath(String name, String searchPath) {
        for (String element : searchPath.split(":", -1)) {
            String candidate = element + "/" + name;
            if (element.startsWith("/") && FileCalls.executable(candidate.getBytes(StandardCharsets.UTF_8)) == 0) {
                Optional<Program> found = at(LinuxPath.of(candidate));
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    /** Returns the program as {@link #at(LinuxPath)} does, for a program that reads the name under which it was called. */
    public Optional<Program> at(LinuxPath named, String calledName) {
        return at(named, Optional.of(calledName));
    }

    /**
     * Returns the program of that name; empty if it is not trusted, or if it cannot be pinned and a command could replace it.
     */
    public Optional<Program> at(LinuxPath named) {
        return at(named, Optional.empty());
    }

    private Optional<Program> at(LinuxPath named, Optional<String> calledName) {
        try {
            LinuxPath real = LinuxPath.of(EntryCalls.realPath(named.bytes()));
            if (system.fault(named).or(() -> system.fault(real)).isPresent()) {
                return Optional.empty();
            }
            return switch (pins.pin(real, ProgramPins.read(real), calledName, system)) {
                case ProgramPins.Result.Pinned(Launch launch) -> Optional.of(new Program(real, launch));
                case ProgramPins.Result.Impossible _
                when !system.replaceable() -> Optional.of(new Program(real, Launch.plain(real.bytes())));
                case ProgramPins.Result.Impossible _, ProgramPins.Result.Untrusted _ -> Optional.empty();
            };
        } catch (LinuxException | IllegalArgumentException e) {
            return Optional.empty(); // it has gone, or is no program
        }
    }
}
