package dev.execserver.it.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The packaged server in its own mount namespace, where a test may mount anything without effect on the rest of the machine.
 * The mounts reach the sandboxes of the server, as on a host. One test thread at a time.
 */
public final class OwnMounts implements AutoCloseable {
    /** Command prefix for a server without any privilege. */
    public static final List<String> NOBODY =
            List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all");

    private static final String OWN =
            "mount --make-rshared / && mount -t tmpfs -o mode=1777 tmpfs /tmp && cd \"$1\" && ";

    private final DistributionCopy copy;
    private final ServerProcess server;
    private final WireClient client;

    private OwnMounts(DistributionCopy copy, ServerProcess server) {
        this.copy = copy;
        this.server = server;
        this.client = connect();
    }

    /**
     * Starts a server.
     *
     * @param setup shell commands of root, run in the folder before the server is started
     * @param user command prefix that sets the user of the server; empty for root
     */
    public static OwnMounts start(String setup, List<String> user, String... options) {
        DistributionCopy copy = DistributionCopy.create("own-mounts-");
        Path spill = directory(copy.folder().resolve("spill"));
        List<String> prefix = new ArrayList<>(List.of(
                "unshare", "-m", "--propagation", "private", "sh", "-ec", OWN + setup + "\nshift; exec \"$@\"", "sh"));
        prefix.add(copy.folder().toString());
        prefix.addAll(user);
        List<String> all = new ArrayList<>(List.of("--spill-dir", spill.toString()));
        all.addAll(List.of(options));
        return new OwnMounts(
                copy, copy.start(() -> ServerProcess.listening(prefix, Map.of(), all.toArray(String[]::new))));
    }

    private static Path directory(Path path) {
        try {
            return Files.setPosixFilePermissions(
                    Files.createDirectories(path), PosixFilePermissions.fromString("rwxrwxrwx"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a folder that every user may write, below the folder of this server. */
    public Path folder(String name) {
        return directory(copy.folder().resolve(name));
    }

    public WireClient client() {
        return client;
    }

    /** Makes another connection, with its handshake done. */
    public WireClient connect() {
        WireClient made = WireClient.connect(server.port());
        made.handshake();
        return made;
    }

    public long pid() {
        return server.pid();
    }

    /** Starts a shell of root in the mount namespace of the server. */
    public Process shell(String script) {
        List<String> command = List.of("nsenter", "-t", Long.toString(server.pid()), "-m", "--", "sh", "-ec", script);
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a script of root in the mount namespace of the server. It must end with status 0. */
    public String root(String script) {
        Process process = shell(script);
        try {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(script).isTrue();
            assertThat(process.exitValue()).as(said).isZero();
            return said;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw ServerProcess.interrupted(e);
        } finally {
            process.destroyForcibly();
        }
    }

    @Override
    public void close() {
        client.close();
        server.close();
        copy.close();
    }
}
