package dev.execserver.client;

import dev.execserver.client.error.ConnectionLostException;
import dev.execserver.client.rpc.LinkListener;
import dev.execserver.client.transport.ClientThreads;
import dev.execserver.protocol.rpc.Notification;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;

/** Passes the events of a link to the listener of its user, in order, on a thread of its own. */
final class ConnectionEvents implements LinkListener {

    private static final System.Logger LOG = System.getLogger(ConnectionEvents.class.getName());

    /** Most warnings that a server can make us tell. */
    private static final int MAX_WARNINGS = 100;

    private static final int MAX_WARNING_CHARS = 4_096;

    private final ConnectionListener listener;
    private final Set<String> told = ConcurrentHashMap.newKeySet();
    private final ExecutorService thread = ClientThreads.oneVirtual("exec-client-connection");

    ConnectionEvents(ConnectionListener listener) {
        this.listener = listener;
    }

    @Override
    public void notified(Notification notification) {
        // Not about the connection.
    }

    @Override
    public void warned(String method, List<String> warnings) {
        for (String warning : warnings) {
            String text = warning.substring(0, Math.min(warning.length(), MAX_WARNING_CHARS));
            if (told.size() < MAX_WARNINGS && told.add(method + ": " + text)) {
                tell(() -> listener.warned(method, text));
            }
        }
    }

    @Override
    public void interrupted() {
        tell(listener::interrupted);
    }

    @Override
    public void resumed() {
        tell(listener::resumed);
    }

    @Override
    public void ended(Supplier<ConnectionLostException> why) {
        tell(() -> listener.ended(why.get().getMessage()));
        thread.shutdown();
    }

    private void tell(Runnable event) {
        try {
            thread.execute(() -> carryOut(event));
        } catch (RejectedExecutionException e) {
            LOG.log(System.Logger.Level.DEBUG, "an event after the end is not told", e);
        }
    }

    private static void carryOut(Runnable event) {
        try {
            event.run();
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "a connection listener failed", e);
        }
    }
}
