package dev.execserver.cli.client;

import dev.execserver.cli.client.copy.IncompleteFiles;
import dev.execserver.cli.client.copy.Side;
import dev.execserver.client.ConnectionListener;
import dev.execserver.client.exec.ExecApprovals;
import dev.execserver.client.session.Backlog;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.process.ProcessInfo;
import dev.execserver.protocol.process.WaitParams;
import dev.execserver.protocol.process.WaitResult;
import dev.execserver.protocol.session.SessionInfo;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Session with a server, as the commands need it. Errors are those of the client module. */
interface RemoteHost extends AutoCloseable {
    /** Makes connections. */
    @FunctionalInterface
    interface Connector {
        RemoteHost connect(ServerTarget target) throws InterruptedException;
    }

    Optional<String> sessionId();

    /** Returns true if the server can end the input of a program that reads from a pipe. */
    boolean takesEndOfInput();

    /** Sets who is asked about programs, and gets the reports about them. */
    void approvals(ExecApprovals handler);

    /** Sets who hears about the connection. */
    void connection(ConnectionListener listener);

    RemoteTask start(RunRequest request) throws InterruptedException;

    RemoteTask attach(String processId);

    List<ProcessInfo> list() throws InterruptedException;

    /** Returns the sessions of the same principal. */
    List<SessionInfo> sessions() throws InterruptedException;

    /** Makes an observer of a process of one of these sessions. */
    RemoteSight observe(String sessionId, String processId, Backlog backlog);

    WaitResult await(WaitParams params) throws InterruptedException;

    void signal(String processId, String name) throws InterruptedException;

    /** Kills the whole process tree at once; with a grace, sends TERM first and kills after that time. */
    void terminate(String processId, Optional<Duration> grace) throws InterruptedException;

    /** Returns the files of the server, for copies. */
    Side files(IncompleteFiles leftovers);

    /**
     * Returns a path on the server: absolute, a {@code file:} URI, below the home directory with {@code ~}, else below
     * the directory in which the server was started.
     */
    PathUri path(String text);

    /** Ends the session, if the server supports that. */
    void end() throws InterruptedException;

    /** Ends the connection, not the session. */
    @Override
    void close();
}
