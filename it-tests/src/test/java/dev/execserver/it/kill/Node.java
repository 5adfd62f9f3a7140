package dev.execserver.it.kill;

import dev.execserver.it.support.DistributionCopy;
import dev.execserver.it.support.ProcFs;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** One of the servers: where its state lies, and the process at the moment. Used by one thread. */
final class Node {
    private final DistributionCopy copy;
    private final List<String> prefix;
    private final Path state;
    private final Set<String> known = new HashSet<>();
    private ServerProcess server;

    /** @param prefix runs it as somebody else */
    Node(DistributionCopy copy, List<String> prefix, Path state) {
        this.copy = copy;
        this.prefix = prefix;
        this.state = state;
        start();
    }

    void start() {
        server = copy.start(() -> ServerProcess.listening(prefix, Map.of(), "--state-dir", state.toString()));
        known.addAll(entries());
    }

    /** Names of all folders that its servers have had. */
    Set<String> known() {
        return known;
    }

    WireClient connect() {
        WireClient client = WireClient.connect(server.port());
        client.handshake();
        return client;
    }

    ServerProcess server() {
        return server;
    }

    boolean alive() {
        return server.alive();
    }

    long pid() {
        return server.pid();
    }

    /** The shell that cleans up after it. */
    Optional<Long> guardian() {
        return ProcFs.children(pid()).stream()
                .map(ProcFs.Stat::pid)
                .filter(ProcFs::alive)
                .filter(pid -> ProcFs.commandLine(pid).stream().findFirst().equals(Optional.of("exec-server-guardian")))
                .findFirst();
    }

    /** Those that were started for commands and for file helpers. */
    List<Long> bubblewraps() {
        return ProcFs.children(pid()).stream()
                .map(ProcFs.Stat::pid)
                .filter(pid -> ProcFs.commandLine(pid).contains("--args"))
                .toList();
    }

    /** Names of what lies in its state folder. */
    List<String> entries() {
        return names(state);
    }

    static List<String> names(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
