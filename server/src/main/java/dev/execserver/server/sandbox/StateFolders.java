package dev.execserver.server.sandbox;

import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.server.config.ConfigException;
import dev.execserver.server.sandbox.StateFolder.UnusableException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The fixed folders of this user for the state of all servers. Every server makes those that it can at its start and hides all
 * of them from its commands. So a folder that a later server finds was made by a server, never by a command: they have the same
 * user, which proves nothing. The places do not depend on the environment, which differs from server to server. Used by the thread
 * that starts the server; see docs/decisions/0015.
 */
final class StateFolders implements AutoCloseable {
    private final List<Path> places;
    private final List<StateFolder> taken;
    private final StateFolder home;
    private final StateFolder common;

    private StateFolders(List<Path> places, List<StateFolder> taken, StateFolder home, StateFolder common) {
        this.places = places;
        this.taken = taken;
        this.home = home;
        this.common = common;
    }

    /**
     * Finds and makes them.
     *
     * @param wanted folder of {@code --state-dir}
     * @throws ConfigException when there is no folder that only this user's servers can change; the message has the remedy
     */
    static StateFolders take(Optional<Path> wanted) {
        return take(places(ProcessCalls.effectiveUser()), wanted);
    }

    /** Root's place is there from the start of the system on; that of others comes and goes with their login. */
    static List<Path> places(int user) {
        Path temporary = Path.of("/tmp/exec-server-" + Integer.toUnsignedString(user));
        return user == 0
                ? List.of(Path.of("/run/exec-server"), temporary)
                : List.of(Path.of("/run/user/" + Integer.toUnsignedString(user) + "/exec-server"), temporary);
    }

    static StateFolders take(List<Path> places, Optional<Path> wanted) {
        List<StateFolder> taken = new ArrayList<>();
        try {
            List<String> obstacles = new ArrayList<>();
            for (Path place : places) {
                if (taken.isEmpty() || !place.startsWith("/tmp") || ProcessCalls.effectiveUser() != 0) {
                    tryTake(place, taken, obstacles);
                }
            }
            Optional<StateFolder> common = taken.stream().filter(StateFolder::shared).findFirst().or(() -> taken.stream().findFirst());
            Optional<StateFolder> own = wanted.map(StateFolders::takeWanted);
            own.ifPresent(taken::add);
            StateFolder home = own.or(() -> common).orElseThrow(() -> nowhere(obstacles));
            return new StateFolders(places, List.copyOf(taken), home, common.orElse(home));
        } catch (RuntimeException e) {
            taken.forEach(StateFolder::close);
            throw e;
        }
    }

    private static void tryTake(Path place, List<StateFolder> taken, List<String> obstacles) {
        try {
            taken.add(StateFolder.take(place));
        } catch (UnusableException e) {
            obstacles.add(place + ": " + e.getMessage());
        }
    }

    private static StateFolder takeWanted(Path wanted) {
        try {
            return StateFolder.take(wanted);
        } catch (UnusableException e) {
            throw ConfigException.failure("--state-dir " + wanted + ": " + e.getMessage()
                    + "; name a folder of the server's user that nobody else can write or replace");
        }
    }

    private static ConfigException nowhere(List<String> obstacles) {
        return ConfigException.failure("there is no folder for the state of this server that nobody else can change ("
                + String.join("; ", obstacles) + "); name one with --state-dir that belongs to the server's user and lies where"
                + " nobody else, and no sandboxed command, may write");
    }

    /** Where this server makes its own folder. */
    Path home() {
        return home.path();
    }

    /** The one that all servers of this user have in common, whatever their {@code --state-dir}. */
    Path common() {
        return common.path();
    }

    /** All that no sandboxed command may see, as far as it exists: also places that are somebody else's or not in use. */
    List<Path> hidden() {
        Set<Path> all = new LinkedHashSet<>();
        taken.forEach(folder -> all.add(folder.path()));
        places.stream().filter(place -> Files.exists(place, LinkOption.NOFOLLOW_LINKS)).forEach(all::add);
        return List.copyOf(all);
    }

    @Override
    public void close() {
        taken.forEach(StateFolder::close);
    }
}
