package dev.execserver.server.mcp.shell;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.mcp.ClientAccess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Workspace folders of a client, which it is asked for at the beginning and when it says that they have changed. Calls wait for the
 * answer. Any thread; the field is volatile.
 */
final class ClientRoots {
    /** Time that a call waits for the answer. */
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(ClientRoots.class);

    private final ClientAccess client;
    private volatile CompletableFuture<List<PathUri>> asked = CompletableFuture.completedFuture(List.of());

    ClientRoots(ClientAccess client) {
        this.client = client;
    }

    /** Asks the client anew. */
    void changed() {
        List<PathUri> before = asked.getNow(List.of());
        asked = client.ask("roots/list", JsonWritable.EMPTY_OBJECT).handle((result, failure) -> {
            if (failure != null) {
                LOG.warn("the client did not tell its roots: {}", failure.toString());
                return before;
            }
            return read(result).orElse(before);
        });
    }

    /** Returns the folders; waits for them, but not long. */
    List<PathUri> current() throws InterruptedException {
        try {
            return asked.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw RpcException.internal("the client has not answered roots/list, so its workspace is not known");
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Optional<List<PathUri>> read(JsonSlice result) {
        try {
            ParamsReader in = ParamsReader.of(result, "ListRootsResult");
            List<PathUri> roots = List.of();
            while (in.next()) {
                if (in.name().equals("roots")) {
                    roots = new ArrayList<>(in.structs("Root", ClientRoots::root))
                            .stream().flatMap(Optional::stream).toList();
                }
            }
            return Optional.of(roots);
        } catch (RpcException e) {
            LOG.warn("the client's roots cannot be read: {}", e.message());
            return Optional.empty();
        }
    }

    /** Returns the folder; empty for a root that is no file of this machine. */
    private static Optional<PathUri> root(ParamsReader in) {
        Optional<PathUri> path = Optional.empty();
        while (in.next()) {
            if (in.name().equals("uri")) {
                path = path(in.string());
            }
        }
        return path;
    }

    private static Optional<PathUri> path(String uri) {
        try {
            return Optional.of(PathUri.parse(uri, Dialect.OPEN).requireLinux("uri"));
        } catch (RpcException e) {
            LOG.warn("a root of the client is ignored: {}", e.message());
            return Optional.empty();
        }
    }
}
