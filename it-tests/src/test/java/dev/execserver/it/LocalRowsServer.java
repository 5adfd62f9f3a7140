package dev.execserver.it;

import dev.execserver.it.SandboxRows.Stand;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The packaged server on this machine as a stand for the rows, with a /tmp of its own. */
final class LocalRowsServer {
    private static final String DISTRIBUTION = "exec.server.dist";

    private LocalRowsServer() {}

    /** @param user what the command line of the server is put behind, so that it runs as that user */
    static Stand start(String... user) throws IOException {
        Path scratch =
                Files.createTempDirectory(Path.of("/var/tmp"), "sandbox-rows-").toRealPath();
        Path spill = Files.createDirectory(scratch.resolve("spill"));
        for (Path directory : List.of(scratch, spill)) {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        List<String> prefix = new ArrayList<>(
                List.of("unshare", "-m", "sh", "-c", "mount -t tmpfs -o mode=1777 tmpfs /tmp && exec \"$@\"", "sh"));
        prefix.addAll(List.of(user));
        String built =
                System.setProperty(DISTRIBUTION, copyDistribution(scratch).toString());
        ServerProcess server;
        try {
            server = ServerProcess.listening(prefix, Map.of(), "--spill-dir", spill.toString());
        } finally {
            System.setProperty(DISTRIBUTION, built);
        }
        WireClient client = WireClient.connect(server.port());
        client.handshake();
        String hostNet = Files.readSymbolicLink(Path.of("/proc/self/ns/net")).toString();
        return new Stand(client, scratch.toString(), hostNet, () -> {
            client.close();
            server.stop();
            delete(scratch);
        });
    }

    /** To where any user can read it, and which is not hidden by a /tmp of its own: the build may lie anywhere. */
    private static Path copyDistribution(Path scratch) throws IOException {
        Path built = Path.of(System.getProperty(DISTRIBUTION, "")).toAbsolutePath();
        Path copy = scratch.resolve("dist");
        try (Stream<Path> files = Files.walk(built)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(built.relativize(file).toString()));
            }
        }
        return copy;
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
