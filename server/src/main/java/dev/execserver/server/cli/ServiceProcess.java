package dev.execserver.server.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Server that runs as a service: its manager hears of readiness, reloads and the stop, and gets signs of life while the server's
 * virtual threads run. One daemon thread sends those. Any thread may call.
 */
final class ServiceProcess implements RunningServer {
    /** Number of signs in the time in which the manager wants one. */
    private static final int SIGNS = 3;

    private static final Logger LOG = LoggerFactory.getLogger(ServiceProcess.class);

    private final RunningServer server;
    private final ServiceManager manager;
    private final CountDownLatch ended = new CountDownLatch(1);

    private ServiceProcess(RunningServer server, ServiceManager manager) {
        this.server = server;
        this.manager = manager;
    }

    /** Tells the manager that the server is ready, and goes on telling it. */
    static ServiceProcess begin(RunningServer server, ServiceManager manager) {
        ServiceProcess service = new ServiceProcess(server, manager);
        service.ready();
        manager.watchdog()
                .ifPresent(limit -> Thread.ofPlatform()
                        .daemon()
                        .name("watchdog")
                        .start(() -> service.giveSigns(limit.dividedBy(SIGNS))));
        return service;
    }

    private void ready() {
        manager.ready("serving " + server.url());
    }

    private void giveSigns(Duration pause) {
        try {
            do {
                if (virtualThreadsRun(pause)) {
                    manager.alive();
                } else {
                    LOG.warn("no virtual thread has run for {}; the service manager gets no sign of life", pause);
                }
            } while (!ended.await(pause.toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Everything that serves a client runs on virtual threads. None runs if the threads below them are all stuck. */
    private static boolean virtualThreadsRun(Duration limit) throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(1);
        Thread _ = Thread.ofVirtual().name("sign-of-life").start(ran::countDown);
        return ran.await(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public String url() {
        return server.url();
    }

    @Override
    public void awaitStop() {
        server.awaitStop();
    }

    @Override
    public void reload() {
        manager.reloading();
        try {
            server.reload();
        } finally {
            ready();
        }
    }

    @Override
    public Duration closeLimit() {
        return server.closeLimit();
    }

    /** Goes on with signs of life until everything is closed, because that may take longer than the manager waits for one. */
    @Override
    public void close() {
        manager.stopping();
        try {
            server.close();
        } finally {
            ended.countDown();
        }
    }
}
