package dev.execserver.server.transport.files;

import dev.execserver.server.transport.auth.Admitted;
import io.helidon.webserver.http.ServerRequest;

/** Decides which requests may touch files. Any thread. */
@FunctionalInterface
public interface RequestGuard {
    /**
     * Checks a request.
     *
     * @param patience of the connection
     * @throws FileRefusal with a text that names a remedy
     */
    Admitted check(ServerRequest request, TransferTimeouts patience);
}
