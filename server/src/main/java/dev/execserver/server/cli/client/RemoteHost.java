package dev.execserver.server.cli.client;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.process.ProcessInfo;
import dev.execserver.server.cli.client.copy.Leftovers;
import dev.execserver.server.cli.client.copy.Side;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A session with a server, as the commands need it. Errors are those of the client module. */
interface RemoteHost extends AutoCloseable {
    /** Makes connections. */
    @FunctionalInterface
    interface Connector {
        RemoteHost connect(Target target) throws InterruptedException;
    }

    Optional<String> sessionId();

    /** Whether a program on a pipe can be told that its input has ended. */
    boolean takesEndOfInput();

    RemoteTask start(RunRequest request) throws InterruptedException;

    RemoteTask attach(String processId);

    List<ProcessInfo> list() throws InterruptedException;

    void signal(String processId, String name) throws InterruptedException;

    /** Kills the whole tree at once, or after TERM when there is a grace. */
    void terminate(String processId, Optional<Duration> grace) throws InterruptedException;

    /** The files of the server, for copies. */
    Side files(Leftovers leftovers);

    /**
     * A path on the server: absolute, a {@code file:} URI, below the home directory with {@code ~}, else below the
     * directory in which the server was started.
     */
    PathUri path(String text);

    /** Ends the session, if the server knows how to. */
    void end() throws InterruptedException;

    /** Ends the connection, not the session. */
    @Override
    void close();
}
