package dev.execserver.server.cli;

import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.LocalDatagrams;
import dev.execserver.sandbox.linux.ProcessCalls;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells systemd the state of this program, see sd_notify(3). A message that is lost is logged and changes nothing else. Any
 * thread; immutable.
 */
final class ServiceManager {
    private static final String SOCKET = "NOTIFY_SOCKET";
    private static final String WATCHDOG = "WATCHDOG_USEC";
    private static final String WATCHDOG_PID = "WATCHDOG_PID";
    /** The process that systemd has started; its descendants inherit the variables and are not meant. */
    private static final String MAIN_PID = "SYSTEMD_EXEC_PID";

    private static final Logger LOG = LoggerFactory.getLogger(ServiceManager.class);

    private final String socket;
    private final Optional<Duration> watchdog;

    private ServiceManager(String socket, Optional<Duration> watchdog) {
        this.socket = socket;
        this.watchdog = watchdog;
    }

    /** Returns the manager that started this process as a service and waits for messages. */
    static Optional<ServiceManager> of(Map<String, String> environment) {
        String pid = Integer.toString(ProcessCalls.ownPid());
        String socket = environment.getOrDefault(SOCKET, "");
        boolean known = socket.startsWith("/") || socket.startsWith("@");
        if (!known || !environment.getOrDefault(MAIN_PID, pid).equals(pid)) {
            return Optional.empty();
        }
        Optional<Duration> watchdog =
                environment.getOrDefault(WATCHDOG_PID, pid).equals(pid)
                        ? microseconds(environment.getOrDefault(WATCHDOG, ""))
                        : Optional.empty();
        return Optional.of(new ServiceManager(socket, watchdog));
    }

    private static Optional<Duration> microseconds(String text) {
        return text.matches("[1-9][0-9]{0,14}")
                ? Optional.of(Duration.ofNanos(TimeUnit.MICROSECONDS.toNanos(Long.parseLong(text))))
                : Optional.empty();
    }

    /** Returns the time within which the manager wants a sign of life. */
    Optional<Duration> watchdog() {
        return watchdog;
    }

    void ready(String status) {
        send("READY=1\nSTATUS=" + status);
    }

    /** Says that a reload begins; {@link #ready} ends it. */
    void reloading() {
        // The clock of nanoTime is CLOCK_MONOTONIC.
        send("RELOADING=1\nMONOTONIC_USEC=" + TimeUnit.NANOSECONDS.toMicros(System.nanoTime()));
    }

    void stopping() {
        send("STOPPING=1\nSTATUS=stopping");
    }

    void alive() {
        send("WATCHDOG=1");
    }

    private void send(String message) {
        try {
            LocalDatagrams.send(socket, message);
        } catch (LinuxException | IllegalArgumentException e) {
            LOG.warn(
                    "the service manager cannot be told {}: {}",
                    message.lines().findFirst().orElse(""),
                    e.getMessage());
        }
    }
}
