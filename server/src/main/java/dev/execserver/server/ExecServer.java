package dev.execserver.server;

import dev.execserver.server.access.AccessEvent;
import dev.execserver.server.access.AccessField;
import dev.execserver.server.access.AccessKind;
import dev.execserver.server.access.AccessLog;
import dev.execserver.server.cli.RunningServer;
import dev.execserver.server.config.ServerConfig;
import dev.execserver.server.credentials.Credentials;
import dev.execserver.server.environment.ServerVersion;
import dev.execserver.server.session.SessionRegistry;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A running server, also for embedding: {@link #start} makes and connects all parts, {@link #close} closes them in the
 * opposite order.
 *
 * <p>It may run inside another program: it installs no signal handler and no shutdown hook, does not write to the
 * standard streams (unless it serves them), and reaps only processes that it started itself. Several servers may run in
 * one JVM. Any thread may close it, more than once; the first call does the work and the others wait for it.
 */
public final class ExecServer implements RunningServer {

    private final CountDownLatch ended = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicBoolean closing = new AtomicBoolean();
    private final ResourceStack closers;
    private final SessionRegistry sessions;
    private final Listener listener;
    private final ServerConfig config;
    private final AccessLog accessLog;
    private final Credentials credentials;

    private ExecServer(ServerConfig config, ResourceStack closers, Assembly assembly) {
        this.config = config;
        this.closers = closers;
        this.sessions = assembly.sessions();
        this.listener = assembly.listener();
        this.accessLog = assembly.accessLog();
        this.credentials = assembly.credentials();
    }

    /**
     * Starts a server and returns when it accepts connections.
     *
     * @throws dev.execserver.cli.local.ConfigException when a file that the configuration names cannot be used
     * @throws java.io.UncheckedIOException when the address cannot be bound
     * @throws dev.execserver.sandbox.linux.UnsupportedPlatformException elsewhere than on 64-bit Linux
     */
    public static ExecServer start(ServerConfig config) {
        return start(config, Front.EXEC_SERVER);
    }

    /**
     * Starts a server whose listener speaks MCP, for one client on standard input and output.
     *
     * @throws dev.execserver.cli.local.ConfigException as {@link #start}
     */
    public static ExecServer startMcp(ServerConfig config) {
        return start(config, Front.MCP);
    }

    private static ExecServer start(ServerConfig config, Front front) {
        ResourceStack closers = new ResourceStack();
        try {
            Assembly assembly = new Assembly(config, front, closers);
            ExecServer server = new ExecServer(config, closers, assembly);
            server.accessLog.write(AccessEvent.of(AccessKind.SERVER_STARTED)
                    .put(AccessField.VERSION, ServerVersion.text())
                    .put(AccessField.PID, ProcessHandle.current().pid())
                    .put(AccessField.URL, server.url()));
            assembly.drain().whenOver(server::ended);
            server.listener.start(server::ended);
            return server;
        } catch (RuntimeException e) {
            closers.close();
            throw e;
        }
    }

    /**
     * Returns the address for clients: {@code ws://IP:PORT} with the real port, {@code wss://} with TLS, or {@code
     * stdio}.
     */
    @Override
    public String url() {
        return listener.url();
    }

    /** Returns the grace of the processes, plus the time for everything else. */
    @Override
    public Duration closeLimit() {
        return config.timing().shutdownGrace().plus(RunningServer.super.closeLimit());
    }

    /**
     * Reads the files of tokens, keys and certificates again. Open connections go on. Files that cannot be used are
     * reported in the log and change nothing.
     */
    @Override
    public void reload() {
        credentials.reload(accessLog);
    }

    @Override
    public void awaitStop() {
        await(ended);
    }

    /** Called when the listener can have no more clients: the only peer of a server on standard input is gone. */
    private void ended() {
        ended.countDown();
    }

    /**
     * Stops accepting connections, ends every process after its grace, waits until the attached clients were told of
     * that, closes the connections, frees everything.
     */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            await(closed);
            return;
        }
        try {
            accessLog.write(AccessEvent.of(AccessKind.SERVER_STOPPING));
            sessions.prepareStop();
            listener.stopAccepting();
            sessions.endProcesses(config.timing().shutdownGrace());
            listener.close();
            sessions.stop();
        } finally {
            closers.close();
            ended.countDown();
            closed.countDown();
        }
    }

    private static void await(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
