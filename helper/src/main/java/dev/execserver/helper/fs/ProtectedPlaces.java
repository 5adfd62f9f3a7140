package dev.execserver.helper.fs;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Places that the sandbox around this process protects. The server passes them in environment variables, one for each
 * place.
 *
 * <p>Names that do not exist yet are refused by this process alone, see {@link RefusedName}. The other places are
 * mounts, and are known here only for error messages. A process without a sandbox has none. Set once before the first
 * request; any thread reads.
 */
public final class ProtectedPlaces {
    /** Prefix of the variables. A value is the first letter of a {@link Kind} and the path in hexadecimal digits. */
    public static final String VARIABLE = "EXEC_SERVER_PLACE_";

    private static volatile ProtectedPlaces current = new ProtectedPlaces(List.of(), List.of());

    private final List<RefusedName> refused;
    private final List<Place> places;

    /** Reason for the protection of a place. */
    public enum Kind {
        /** A name that must not be created. */
        REFUSED("protected by the sandbox"),
        PROTECTED("protected by the sandbox"),
        DENIED("denied by the sandbox"),
        /** A writable directory that must not be moved away. */
        HELD("needed by the sandbox where it is");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        char letter() {
            return name().charAt(0);
        }
    }

    /** One protected place. */
    @SuppressWarnings("ArrayRecordComponent") // a path is bytes, and places are never compared
    public record Place(Kind kind, byte[] path) {
        /** Returns the value of its variable. */
        public String value() {
            return kind.letter() + HexFormat.of().formatHex(path);
        }

        static Place read(String value) {
            for (Kind kind : Kind.values()) {
                if (value.charAt(0) == kind.letter()) {
                    return new Place(kind, HexFormat.of().parseHex(value, 1, value.length()));
                }
            }
            throw new IllegalArgumentException("no kind of place: " + value);
        }
    }

    private ProtectedPlaces(List<RefusedName> refused, List<Place> places) {
        this.refused = List.copyOf(refused);
        this.places = List.copyOf(places);
    }

    /**
     * Reads the places from the environment.
     *
     * @throws LinuxException when the directory of a refused name cannot be opened; no request may be served then
     */
    public static void install(Map<String, String> environment) {
        List<RefusedName> refused = new ArrayList<>();
        List<Place> places = new ArrayList<>();
        environment.entrySet().stream()
                .filter(variable -> variable.getKey().startsWith(VARIABLE))
                .sorted(Comparator.comparing(Map.Entry::getKey))
                .map(variable -> Place.read(variable.getValue()))
                .forEach(place -> {
                    if (place.kind() == Kind.REFUSED) {
                        refused.add(RefusedName.of(place.path()));
                    } else {
                        places.add(place);
                    }
                });
        current = new ProtectedPlaces(refused, places);
    }

    /** Returns true if there are names that only this process refuses. */
    static boolean refuseNames() {
        return !current.refused.isEmpty();
    }

    /**
     * Checks that an entry may be made, replaced, moved or removed.
     *
     * @param directory the parent, by whatever path it was reached
     * @throws RpcException when the entry is a refused name
     */
    static void check(Fd directory, byte[] name) {
        for (RefusedName each : current.refused) {
            if (each.is(directory, name)) {
                throw denied(Kind.REFUSED, each.path());
            }
        }
    }

    /**
     * Checks that no directory on the way is a refused name, which a program outside the sandbox may have made since
     * the sandbox was built. Needed once for each request that changes something; {@link #check} is enough below that
     * directory.
     */
    static void checkWay(Fd directory) {
        for (RefusedName each : current.refused) {
            if (each.holds(directory)) {
                throw denied(Kind.REFUSED, each.path());
            }
        }
    }

    /** Runs both checks. */
    static void checkPlace(Fd directory, byte[] name) {
        check(directory, name);
        checkWay(directory);
    }

    /** Returns the error for a place that the sandbox protects or denies. Empty if the path is no such place. */
    static Optional<RpcException> explanation(byte[] path) {
        if (current.places.isEmpty()) {
            return Optional.empty();
        }
        Optional<FileStatus> there = status(path);
        return current.places.stream()
                .filter(place -> there.isPresent()
                        && status(place.path()).filter(there.get()::sameFile).isPresent())
                .findFirst()
                .map(place -> denied(place.kind(), path));
    }

    private static Optional<FileStatus> status(byte[] path) {
        try {
            return Optional.of(FileCalls.status(path, false));
        } catch (LinuxException e) {
            return Optional.empty(); // a missing file needs no explanation
        }
    }

    private static RpcException denied(Kind kind, byte[] path) {
        String display = Paths.display(path);
        return RpcException.invalidRequest("Permission denied: `" + display + "` is " + kind.words)
                .withData("errno", Errno.EACCES)
                .withData("path", display);
    }
}
