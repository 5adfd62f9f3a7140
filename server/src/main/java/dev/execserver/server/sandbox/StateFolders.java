package dev.execserver.server.sandbox;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.sandbox.ledger.Ledger;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.ProcessCalls;
import dev.execserver.server.sandbox.StateFolder.UnusableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fixed folders of this user for the state of all servers. Every server creates those that it can at its start and
 * hides all of them from its commands. So a folder that a later server finds was created by a server, never by a
 * command; the owner proves nothing, because commands have the same user. The places do not depend on the environment,
 * which differs between servers. Used by the thread that starts the server; see docs/decisions/0015.
 */
final class StateFolders implements AutoCloseable {
    private static final Path OF_ROOT = Path.of("/run/exec-server");
    private static final Logger LOG = LoggerFactory.getLogger(StateFolders.class);

    private final List<Path> places;
    private final List<StateFolder> taken;
    private final StateFolder home;
    private final List<StateRegister> registers;

    private StateFolders(List<Path> places, List<StateFolder> taken, StateFolder home, List<StateRegister> registers) {
        this.places = places;
        this.taken = taken;
        this.home = home;
        this.registers = registers;
    }

    /**
     * Finds and creates the folders.
     *
     * @param wanted the folder of {@code --state-dir}
     * @throws ConfigException if there is no folder that only this user's servers can change; the message has the
     * remedy
     */
    static StateFolders take(Optional<Path> wanted) {
        return take(places(ProcessCalls.effectiveUser()), wanted);
    }

    /**
     * Returns the places of a user. Root's folder below /run exists from boot on; that of others comes and goes with
     * their login.
     */
    static List<Path> places(int user) {
        Path temporary = Path.of("/tmp/exec-server-" + Integer.toUnsignedString(user));
        return user == 0
                ? List.of(OF_ROOT, temporary)
                : List.of(Path.of("/run/user/" + Integer.toUnsignedString(user) + "/exec-server"), temporary);
    }

    static StateFolders take(List<Path> places, Optional<Path> wanted) {
        List<StateFolder> taken = new ArrayList<>();
        try {
            List<String> obstacles = new ArrayList<>();
            List<Path> used = new ArrayList<>();
            for (Path place : places) {
                used.add(place);
                tryTake(place, taken, obstacles);
                if (place.equals(OF_ROOT) && !taken.isEmpty()) {
                    break; // it does not come and go
                }
            }
            List<StateRegister> registers = new ArrayList<>();
            for (StateFolder fixed : taken) {
                warnIfSeen(fixed.path());
                registers.add(StateRegister.in(fixed.path()));
            }
            Optional<StateFolder> own = wanted.map(StateFolders::takeWanted);
            own.ifPresent(taken::addFirst);
            own.ifPresent(folder -> checkUnseen(folder.path()));
            StateFolder home = taken.stream().findFirst().orElseThrow(() -> nowhere(obstacles));
            return new StateFolders(used, List.copyOf(taken), home, List.copyOf(registers));
        } catch (IOException | LinuxException e) {
            taken.forEach(StateFolder::close);
            throw ConfigException.failure(
                    "the folder for the state of this server cannot be used: " + e.getMessage() + "; see --state-dir");
        } catch (RuntimeException e) {
            taken.forEach(StateFolder::close);
            throw e;
        }
    }

    /**
     * Warns of a sandboxed process that can write to the folder. It is none of our commands, because the folder was
     * hidden from all of them. It may belong to an older version or another program, and must not be able to keep
     * servers from starting.
     */
    private static void warnIfSeen(Path folder) {
        SandboxedWriters.writer(folder)
                .ifPresent(pid -> LOG.warn(
                        "the sandboxed process {} can write to {}, where servers keep their state: it was started by an older"
                                + " version or by another program; end it",
                        pid,
                        folder));
    }

    /** Refuses the folder if a command can write to it that another server has started before it knew of the folder. */
    private static void checkUnseen(Path folder) {
        SandboxedWriters.writer(folder).ifPresent(pid -> {
            throw ConfigException.failure("the sandboxed process " + pid + " can write to " + folder
                    + ", where this server keeps its state; end it, or name another folder with --state-dir");
        });
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
            return StateFolder.takeWithParents(wanted);
        } catch (UnusableException e) {
            throw ConfigException.failure("--state-dir " + wanted + ": " + e.getMessage()
                    + "; name a folder of the server's user that nobody else can write or replace");
        }
    }

    private static ConfigException nowhere(List<String> obstacles) {
        return ConfigException.failure("there is no folder for the state of this server that nobody else can change ("
                + String.join("; ", obstacles)
                + "); name one with --state-dir that belongs to the server's user and lies where"
                + " nobody else, and no sandboxed command, may write");
    }

    /** The folder in which this server creates its own. */
    Path home() {
        return home.path();
    }

    /** The folders that this server holds: its home first, then the fixed ones. */
    List<Path> taken() {
        return taken.stream().map(StateFolder::path).toList();
    }

    /**
     * Tells the other servers of this user the place of this server's state, if it is not a fixed one. Each of them reads at least one of
     * the fixed folders.
     *
     * @param name the name of this server
     */
    void announce(String name, Ledger ledger) throws IOException {
        if (!places.contains(home.path())) {
            for (StateRegister register : registers) {
                register.add(name, home.path(), ledger);
            }
            checkUnseen(home.path());
        }
    }

    List<StateRegister> registers() {
        return registers;
    }

    /** Creates a folder whose parent has appeared after the start, with a login, before a command can create it. */
    private static void makeLate(Path place) {
        if (Files.isDirectory(place.getParent()) && Files.notExists(place, LinkOption.NOFOLLOW_LINKS)) {
            try {
                StateFolder.take(place).close();
            } catch (UnusableException e) {
                LOG.warn("{} {}", place, e.getMessage());
            }
        }
    }

    /**
     * Returns all existing folders that no sandboxed command may see, also those that belong to others or are not in
     * use.
     */
    List<Path> hidden() {
        places.forEach(StateFolders::makeLate);
        Set<Path> all = new LinkedHashSet<>();
        taken.forEach(folder -> all.add(folder.path()));
        places.stream()
                .filter(place -> Files.exists(place, LinkOption.NOFOLLOW_LINKS))
                .forEach(all::add);
        registers.forEach(register -> all.addAll(register.places()));
        return List.copyOf(all);
    }

    @Override
    public void close() {
        registers.forEach(StateRegister::close);
        taken.forEach(StateFolder::close);
    }
}
