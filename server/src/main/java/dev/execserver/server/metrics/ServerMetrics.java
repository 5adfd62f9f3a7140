package dev.execserver.server.metrics;

import dev.execserver.server.access.AccessLog;
import dev.execserver.server.environment.ServerVersion;
import dev.execserver.server.transport.management.Page;
import io.prometheus.metrics.config.EscapingScheme;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Info;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/**
 * Numbers of one server and its JVM, as the page {@code /metrics}. Counters are fed by the access log, whether it is written
 * or not; other numbers are asked for when the page is. Any thread.
 */
public final class ServerMetrics implements Page {
    private static final String PATH = "/metrics";
    private static final int OK = 200;
    private static final int METHOD_NOT_ALLOWED = 405;

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final EventCounters counters = new EventCounters(registry);
    private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();

    public ServerMetrics() {
        JvmMetrics.builder().register(registry);
        Info.builder()
                .name("execserver_build_info")
                .help("Version of the server.")
                .labelNames("version", "java")
                .register(registry)
                .setLabelValues(ServerVersion.text(), Runtime.version().toString());
    }

    /** Returns a log that counts and passes its events on. */
    public AccessLog counting(AccessLog log) {
        return new CountedLog(log, counters);
    }

    /** Adds a number that is asked for when the page is. */
    public void gauge(String name, String help, DoubleSupplier value) {
        GaugeWithCallback.builder()
                .name(name)
                .help(help)
                .callback(callback -> callback.call(value.getAsDouble()))
                .register(registry);
    }

    @Override
    public Optional<Reply> answer(Request request) {
        if (!request.path().equals(PATH)) {
            return Optional.empty();
        }
        return Optional.of(
                request.post()
                        ? Reply.fault(METHOD_NOT_ALLOWED, "use GET")
                        : new Reply(OK, PrometheusTextFormatWriter.CONTENT_TYPE, text()));
    }

    private String text() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            writer.write(out, registry.scrape(), EscapingScheme.UNDERSCORE_ESCAPING);
        } catch (IOException e) {
            throw new UncheckedIOException("memory is always written", e);
        }
        return out.toString(StandardCharsets.UTF_8);
    }
}
