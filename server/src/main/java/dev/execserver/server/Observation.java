package dev.execserver.server;

import dev.execserver.server.access.AccessLog;
import dev.execserver.server.access.TracedLog;
import dev.execserver.server.admin.AdminPages;
import dev.execserver.server.admin.Drain;
import dev.execserver.server.config.Management;
import dev.execserver.server.environment.Installation;
import dev.execserver.server.environment.ServerVersion;
import dev.execserver.server.memory.DescriptorBudget;
import dev.execserver.server.memory.MemoryBudget;
import dev.execserver.server.memory.ServerMemory;
import dev.execserver.server.metrics.ServerMetrics;
import dev.execserver.server.process.output.RetentionBudget;
import dev.execserver.server.session.SessionRegistry;
import dev.execserver.server.session.SessionView;
import dev.execserver.server.tracing.Tracing;
import dev.execserver.server.tracing.TracingLoader;
import dev.execserver.server.transport.management.Page;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Numbers and pages of one server for its operators. The classes of metrics are loaded only if they are on. The
 * starting thread uses it.
 */
final class Observation {
    private final Management settings;
    private final Optional<ServerMetrics> metrics;

    Observation(Management settings) {
        this.settings = settings;
        this.metrics = settings.metrics() ? Optional.of(new ServerMetrics()) : Optional.empty();
    }

    /**
     * Returns the log for all parts of the server, whose events are counted if metrics are on, and whose requests are traced if
     * the environment names a collector.
     */
    AccessLog over(AccessLog log, ResourceStack closers) {
        Tracing tracing = TracingLoader.of(System.getenv(), Installation.beside("lib"), ServerVersion.text());
        AccessLog traced = tracing == Tracing.OFF ? log : new TracedLog(log, closers.add(tracing));
        return metrics.map(on -> on.counting(traced)).orElse(traced);
    }

    /** Returns the page with numbers for the clients' addresses: only if there is no management address. */
    Optional<ServerMetrics> pageForClients() {
        return settings.listen().isPresent() ? Optional.empty() : metrics;
    }

    /** Adds the numbers that are not counted but looked up. */
    void watch(SessionRegistry sessions, ServerMemory memory, DescriptorBudget descriptors) {
        metrics.ifPresent(on -> {
            on.gauge(
                    "execserver_sessions_open",
                    "Sessions that exist.",
                    () -> sessions.views().size());
            on.gauge(
                    "execserver_sessions_attached",
                    "Sessions with a connection.",
                    () -> sessions.views().stream()
                            .filter(SessionView::attached)
                            .count());
            on.gauge(
                    "execserver_processes_running",
                    "Processes that run.",
                    () -> sessions.views().stream()
                            .mapToLong(SessionView::running)
                            .sum());
            on.gauge(
                    "execserver_processes_held",
                    "Processes that run or can still be read.",
                    () -> sessions.views().stream()
                            .mapToLong(view -> view.processes().size())
                            .sum());
            on.gauge("execserver_ready", "1 if new sessions are taken.", () -> ready(sessions) ? 1 : 0);
            on.gauge("execserver_descriptors_max", "Limit of open files.", descriptors::limit);
            memory(on, "received", memory.received());
            memory(on, "answers", memory.answers());
            memory(on, "input", memory.input());
            memory(on, "watches", memory.watches());
        });
    }

    /** Adds the numbers of retained output. */
    void watch(RetentionBudget retained) {
        metrics.ifPresent(on -> {
            on.gauge("execserver_retained_bytes", "Output that is kept, with its spills.", retained::totalBytes);
            on.gauge("execserver_retained_memory_bytes", "Output that is kept in memory.", retained::memoryBytes);
        });
    }

    private static void memory(ServerMetrics metrics, String name, MemoryBudget budget) {
        metrics.gauge("execserver_memory_" + name + "_bytes", "Request memory in use.", budget::usedBytes);
        metrics.gauge("execserver_memory_" + name + "_max_bytes", "Limit of that memory.", budget::maxBytes);
    }

    static boolean ready(SessionRegistry sessions) {
        return !sessions.stopping() && !sessions.draining();
    }

    /**
     * Opens the management address.
     *
     * @return empty if there is none
     */
    Optional<ManagementListener> open(SessionRegistry sessions, Drain drain, Runnable reload, AccessLog log) {
        BooleanSupplier ready = () -> ready(sessions);
        List<Page> numbers = metrics.<List<Page>>map(List::of).orElse(List.of());
        List<Page> actions = List.of(new AdminPages(sessions, drain, reload, log));
        return settings.listen().map(url -> ManagementListener.open(url, numbers, actions, ready, log));
    }
}
