package dev.execserver.server.tracing.otlp;

import dev.execserver.protocol.rpc.TraceContext;
import dev.execserver.server.tracing.Span;
import dev.execserver.server.tracing.Tracing;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Tracing by OpenTelemetry's SDK, which reads its settings from the variables {@code OTEL_...} itself. Any thread. */
public final class OtlpTracing implements Tracing {
    /** Settings where the environment has none. Numbers are counted by Prometheus, and lines have their own log. */
    private static final Map<String, String> DEFAULTS = Map.of(
            "otel.service.name", "exec-server",
            "otel.exporter.otlp.protocol", "http/protobuf",
            "otel.metrics.exporter", "none",
            "otel.logs.exporter", "none");

    /** Time for the last spans when the server stops. */
    private static final long LAST_SECONDS = 2;

    private final OpenTelemetrySdk sdk;
    private final Tracer tracer;

    /** @param version of the server */
    public OtlpTracing(String version) {
        SdkLog.install();
        this.sdk = AutoConfiguredOpenTelemetrySdk.builder()
                .addPropertiesSupplier(() -> DEFAULTS)
                .addResourceCustomizer((resource, _) ->
                        resource.toBuilder().put("service.version", version).build())
                .disableShutdownHook()
                .setServiceClassLoader(OtlpTracing.class.getClassLoader())
                .build()
                .getOpenTelemetrySdk();
        this.tracer = sdk.getTracer("dev.execserver");
    }

    @Override
    public Optional<Span> begin(String name, Optional<TraceContext> parent) {
        SpanBuilder span = tracer.spanBuilder(name).setSpanKind(SpanKind.SERVER);
        parent.ifPresentOrElse(known -> span.setParent(remote(known)), span::setNoParent);
        return Optional.of(new OtlpSpan(tracer, span.startSpan()));
    }

    /** The client has said that it traces; whether it samples is not ours to know, so the sampler of the SDK takes it as sampled. */
    private static Context remote(TraceContext parent) {
        SpanContext context = SpanContext.createFromRemoteParent(
                parent.traceId(), parent.spanId(), TraceFlags.getSampled(), TraceState.getDefault());
        return Context.root().with(io.opentelemetry.api.trace.Span.wrap(context));
    }

    @Override
    public void close() {
        var _ = sdk.shutdown().join(LAST_SECONDS, TimeUnit.SECONDS);
    }
}
