package dev.execserver.server.metrics;

import dev.execserver.server.access.AccessEvent;
import dev.execserver.server.access.AccessField;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/** Counters of what the access log tells. Labels have few values, whatever clients send. Any thread. */
final class EventCounters {
    private static final String OTHER = "other";
    private static final double MS_PER_SECOND = 1000;
    private static final double[] START_SECONDS = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10};
    private static final double[] RUN_SECONDS = {0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 1800, 7200};

    private final Gauge connections;
    private final Counter opened;
    private final Counter refused;
    private final Counter sessions;
    private final Counter started;
    private final Histogram startTime;
    private final Counter exited;
    private final Histogram runTime;
    private final Counter outputBytes;
    private final Counter denials;
    private final Counter execDecisions;
    private final Counter networkAccesses;
    private final Counter files;
    private final Counter transfers;
    private final Counter httpRequests;
    private final Counter reloads;

    EventCounters(PrometheusRegistry registry) {
        connections = Gauge.builder()
                .name("execserver_connections_open")
                .help("Connections that are open.")
                .register(registry);
        opened = counter(registry, "execserver_connections_opened", "Connections that were opened.");
        refused = counter(registry, "execserver_requests_refused", "HTTP requests that were refused.", "status");
        sessions = counter(registry, "execserver_sessions", "Sessions, by what happened to them.", "event");
        started = counter(registry, "execserver_process_starts", "Starts of processes, by result.", "result");
        startTime = histogram(registry, "execserver_process_start_seconds", "Time of a start.", START_SECONDS);
        exited = counter(registry, "execserver_process_exits", "Ends of processes, by outcome.", "outcome");
        runTime = histogram(registry, "execserver_process_run_seconds", "Time from start to end.", RUN_SECONDS);
        outputBytes = counter(registry, "execserver_process_output_bytes", "Output of processes that have ended.");
        denials = counter(
                registry, "execserver_sandbox_denials", "Processes to which their sandbox has denied something.");
        execDecisions = counter(registry, "execserver_exec_decisions", "Decisions about programs.", "decision");
        networkAccesses = counter(registry, "execserver_network_accesses", "Requests through proxies.", "decision");
        files = counter(registry, "execserver_file_changes", "Requests that change files.", "result");
        transfers = counter(registry, "execserver_file_transfers", "Files over HTTP.", "status");
        httpRequests = counter(registry, "execserver_http_requests", "HTTP requests for clients.", "result");
        reloads = counter(registry, "execserver_credential_reloads", "Credentials that were read again.", "result");
    }

    private static Counter counter(PrometheusRegistry registry, String name, String help, String... labels) {
        return Counter.builder().name(name).help(help).labelNames(labels).register(registry);
    }

    private static Histogram histogram(PrometheusRegistry registry, String name, String help, double[] bounds) {
        return Histogram.builder()
                .name(name)
                .help(help)
                .classicOnly()
                .classicUpperBounds(bounds)
                .register(registry);
    }

    void count(AccessEvent event) {
        switch (event.kind()) {
            case CONNECTION_OPENED -> {
                opened.inc();
                connections.inc();
            }
            case CONNECTION_CLOSED -> connections.dec();
            case CONNECTION_REFUSED -> refused.labelValues(status(event)).inc();
            case SESSION_STARTED -> sessions.labelValues("started").inc();
            case SESSION_RESUMED -> sessions.labelValues("resumed").inc();
            case SESSION_ENDED -> sessions.labelValues("ended").inc();
            case SESSION_REFUSED -> sessions.labelValues("refused").inc();
            case PROCESS_STARTED -> start(event);
            case PROCESS_EXITED -> exit(event);
            case EXEC_DECIDED -> execDecisions.labelValues(decision(event)).inc();
            case NETWORK_ACCESSED ->
                networkAccesses.labelValues(decision(event)).inc();
            case FILE_CHANGED -> files.labelValues(result(event)).inc();
            case FILE_TRANSFERRED -> transfers.labelValues(status(event)).inc();
            case HTTP_REQUESTED -> httpRequests.labelValues(result(event)).inc();
            case CREDENTIALS_RELOADED -> reloads.labelValues(result(event)).inc();
            case SESSION_OBSERVED,
                    APPROVER_ALLOWED,
                    APPROVER_JOINED,
                    PROCESS_SIGNALLED,
                    ADMIN_REQUESTED,
                    SERVER_STARTED,
                    SERVER_STOPPING,
                    SERVER_STOPPED,
                    EVENTS_LOST -> {}
        }
    }

    private void start(AccessEvent event) {
        started.labelValues(result(event)).inc();
        event.number(AccessField.DURATION_MS).ifPresent(ms -> startTime.observe(ms / MS_PER_SECOND));
    }

    private void exit(AccessEvent event) {
        exited.labelValues(outcome(event)).inc();
        event.number(AccessField.DURATION_MS).ifPresent(ms -> runTime.observe(ms / MS_PER_SECOND));
        event.number(AccessField.OUTPUT_BYTES).ifPresent(outputBytes::inc);
        if (event.text(AccessField.DENIED).isPresent()) {
            denials.inc();
        }
    }

    /** Returns who ended the process: itself, a signal, or the server. */
    private static String outcome(AccessEvent event) {
        if (event.text(AccessField.REASON).isPresent()) {
            return "ended_by_server";
        }
        long code = event.number(AccessField.EXIT_CODE).orElse(-1);
        return code == 0 ? "success" : code > 128 ? "signal" : "failure";
    }

    private static String result(AccessEvent event) {
        return event.text(AccessField.ERROR).isPresent()
                        || event.text(AccessField.ERROR_CODE).isPresent()
                ? "error"
                : "ok";
    }

    private static String status(AccessEvent event) {
        return event.text(AccessField.HTTP_STATUS).orElse(OTHER);
    }

    private static String decision(AccessEvent event) {
        return event.text(AccessField.DECISION).orElse(OTHER);
    }
}
