package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.bwrap.BwrapProgram.Origin;
import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.pin.ProgramPins;
import dev.execserver.sandbox.pin.TrustedPlaces;
import dev.execserver.sandbox.spawn.Launch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The bubblewraps that may be used, as they were when the server started: the one that the operator has named; otherwise
 * those on the server's PATH in their order, then the bundled one. Each is pinned, so a later call returns the same programs
 * even if the files have changed. Probing threads call it. The lock guards the list and is held while the list is made, once.
 */
public final class BwrapCandidates {
    /**
     * The places to search.
     *
     * @param option the program that the operator has named; if present, no other place is searched
     * @param searchPath PATH of the server, never of a request
     * @param serverDirectory working directory of the server; a program below it may be part of untrusted data
     * @param bundled program beside the server; its digest is in a file of the same name with {@code .sha256}
     */
    public record Places(Optional<Path> option, String searchPath, LinuxPath serverDirectory, Optional<Path> bundled) {}

    /**
     * A program that may be used.
     *
     * @param path canonical
     */
    record Candidate(LinuxPath path, Origin origin, Launch launch) {}

    /**
     * The result of the search.
     *
     * @param rejected reasons why other programs are not used
     */
    record Collected(List<Candidate> candidates, List<String> rejected) {}

    private final Places places;
    private final ProgramPins pins;
    private final TrustedPlaces system;
    private final ReentrantLock lock = new ReentrantLock();
    private Optional<Collected> collected = Optional.empty();

    /** @param system decides about programs on the search path */
    public BwrapCandidates(Places places, ProgramPins pins, TrustedPlaces system) {
        this.places = places;
        this.pins = pins;
        this.system = system;
    }

    /** Returns the program that the operator has named. */
    public Optional<Path> option() {
        return places.option();
    }

    Collected collected() {
        lock.lock();
        try {
            if (collected.isEmpty()) {
                collected = Optional.of(collect());
            }
            return collected.get();
        } finally {
            lock.unlock();
        }
    }

    private Collected collect() {
        Collected all = new Collected(new ArrayList<>(), new ArrayList<>());
        if (places.option().isPresent()) {
            add(places.option().get().toString(), Origin.OPTION, all);
            return all;
        }
        for (String element : places.searchPath().split(":", -1)) {
            String candidate = element + "/bwrap";
            if (element.startsWith("/") && FileCalls.executable(bytes(candidate)) == 0) {
                add(candidate, Origin.SYSTEM, all);
            }
        }
        places.bundled().filter(Files::isExecutable).ifPresent(bundled -> add(bundled.toString(), Origin.BUNDLED, all));
        return all;
    }

    private void add(String named, Origin origin, Collected all) {
        try {
            LinuxPath real = LinuxPath.of(EntryCalls.realPath(bytes(named)));
            if (all.candidates().stream().anyMatch(known -> known.path().equals(real))) {
                return;
            }
            byte[] content = ProgramPins.read(real);
            Optional<String> fault = fault(named, real, content, origin);
            if (fault.isPresent()) {
                all.rejected().add(fault.get());
                return;
            }
            TrustedPlaces trusted = origin == Origin.SYSTEM ? system : TrustedPlaces.ANYWHERE;
            switch (pins.pin(real, content, Optional.empty(), trusted)) {
                case ProgramPins.Result.Pinned(Launch launch) ->
                    all.candidates().add(new Candidate(real, origin, launch));
                case ProgramPins.Result.Untrusted(String reason) ->
                    all.rejected().add(real + " is not used: " + reason);
                case ProgramPins.Result.Impossible(String reason) -> addUnpinned(real, origin, reason, all);
            }
        } catch (LinuxException | IllegalArgumentException e) {
            all.rejected().add(e.getMessage());
        }
    }

    /** Adds a program that cannot be pinned, if only root can write it and no command runs as root. */
    private void addUnpinned(LinuxPath real, Origin origin, String reason, Collected all) {
        if (!system.replaceable() && system.fault(real).isEmpty()) {
            all.candidates().add(new Candidate(real, origin, Launch.plain(real.bytes())));
        } else {
            all.rejected()
                    .add(real + " is not used: a command could replace it while this server runs, and it cannot be"
                            + " kept in memory: " + reason);
        }
    }

    private Optional<String> fault(String named, LinuxPath real, byte[] content, Origin origin) {
        return switch (origin) {
            case OPTION -> Optional.empty();
            case SYSTEM ->
                !places.serverDirectory().isRoot() && real.startsWith(places.serverDirectory())
                        ? Optional.of(real + " lies in the working directory of the server")
                        : system.fault(LinuxPath.of(named))
                                .or(() -> system.fault(real))
                                .map(reason -> named + " is not used: " + reason
                                        + "; to use it all the same, name it with --bwrap");
            case BUNDLED -> changed(Path.of(named), content);
        };
    }

    /** Returns the reason for rejecting a bundled program whose bytes do not match the recorded digest. */
    private static Optional<String> changed(Path bundled, byte[] content) {
        Path digestFile = bundled.resolveSibling(bundled.getFileName() + ".sha256");
        try {
            String recorded = Files.readString(digestFile).strip().split("\\s+", 2)[0];
            return recorded.equalsIgnoreCase(sha256(content))
                    ? Optional.empty()
                    : Optional.of("the bundled " + bundled + " was changed: it does not have the digest that "
                            + digestFile + " records; install this program anew");
        } catch (IOException e) {
            return Optional.of("the bundled " + bundled + " is not used, its digest cannot be checked: " + e);
        }
    }

    private static String sha256(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
