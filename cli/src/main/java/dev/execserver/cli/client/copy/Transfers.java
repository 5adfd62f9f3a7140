package dev.execserver.cli.client.copy;

import dev.execserver.client.ExecServerClient;
import dev.execserver.client.error.UnsupportedFeatureException;
import dev.execserver.client.files.FileTransfers;
import dev.execserver.client.files.TransferFailedException;
import dev.execserver.client.files.TransferStalledException;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/**
 * Chooses files over HTTP as long as that works: some servers do not offer it, or not under the host name in use. After
 * any failure the same bytes go over the WebSocket; an error of the file itself occurs there again. Main thread.
 */
final class Transfers {

    /** HTTP statuses that concern the request and not the file. */
    private static final Set<Integer> REFUSALS = Set.of(400, 401, 403, 405, 421);

    private Optional<FileTransfers> http;

    Transfers(ExecServerClient client) {
        this.http = find(client);
    }

    private static Optional<FileTransfers> find(ExecServerClient client) {
        try {
            return Optional.of(client.transfers());
        } catch (UnsupportedFeatureException | IllegalStateException e) {
            return Optional.empty();
        }
    }

    Optional<FileTransfers> http() {
        return http;
    }

    /**
     * Stops using HTTP after a refusal or a stall: a server that refuses once refuses again, and the cause of a stall
     * remains.
     */
    void failed(IOException reason) {
        if (reason instanceof TransferStalledException
                || reason instanceof TransferFailedException refused && REFUSALS.contains(refused.status())) {
            http = Optional.empty();
        }
    }
}
