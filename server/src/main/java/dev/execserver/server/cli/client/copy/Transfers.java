package dev.execserver.server.cli.client.copy;

import dev.execserver.client.ExecServerClient;
import dev.execserver.client.error.UnsupportedFeatureException;
import dev.execserver.client.files.FileTransfers;
import dev.execserver.client.files.TransferFailedException;
import dev.execserver.client.files.TransferStalledException;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/**
 * Files over HTTP, as long as the server lets us: not every server has it, and not under every name. Whatever goes wrong
 * there, the same bytes can go over the WebSocket; an error that is about the file comes again then. Main thread.
 */
final class Transfers {

    /** What is about the request and not about the file. */
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

    /** A server that refuses once will refuse again, and what lets one transfer stand still does so with the next. */
    void failed(IOException reason) {
        if (reason instanceof TransferStalledException
                || reason instanceof TransferFailedException refused && REFUSALS.contains(refused.status())) {
            http = Optional.empty();
        }
    }
}
