package dev.execserver.it;

import dev.execserver.it.SandboxRows.Stand;
import dev.execserver.it.support.DistributionCopy;
import dev.execserver.it.support.ServerProcess;
import dev.execserver.it.support.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The packaged server on this machine as a stand for the rows, with a /tmp of its own. */
final class LocalRowsServer {
    private LocalRowsServer() {}

    /** @param user what the command line of the server is put behind, so that it runs as that user */
    static Stand start(String... user) throws IOException {
        DistributionCopy copy = DistributionCopy.create("sandbox-rows-");
        Path scratch = copy.folder();
        Path spill = Files.createDirectory(scratch.resolve("spill"));
        Files.setPosixFilePermissions(spill, PosixFilePermissions.fromString("rwxrwxrwx"));
        List<String> prefix = new ArrayList<>(
                List.of("unshare", "-m", "sh", "-c", "mount -t tmpfs -o mode=1777 tmpfs /tmp && exec \"$@\"", "sh"));
        prefix.addAll(List.of(user));
        ServerProcess server =
                copy.start(() -> ServerProcess.listening(prefix, Map.of(), "--spill-dir", spill.toString()));
        WireClient client = WireClient.connect(server.port());
        client.handshake();
        String hostNet = Files.readSymbolicLink(Path.of("/proc/self/ns/net")).toString();
        return new Stand(client, scratch.toString(), hostNet, () -> {
            client.close();
            server.stop();
            copy.close();
        });
    }
}
