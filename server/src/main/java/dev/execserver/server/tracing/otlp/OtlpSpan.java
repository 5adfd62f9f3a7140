package dev.execserver.server.tracing.otlp;

import dev.execserver.protocol.rpc.TraceContext;
import dev.execserver.server.tracing.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;

/** A span of the SDK. Any thread. */
final class OtlpSpan implements Span {
    /** Longest text of an attribute in characters. */
    private static final int MAX_TEXT = 1024;

    private final Tracer tracer;
    private final io.opentelemetry.api.trace.Span span;

    OtlpSpan(Tracer tracer, io.opentelemetry.api.trace.Span span) {
        this.tracer = tracer;
        this.span = span;
    }

    @Override
    public TraceContext context() {
        SpanContext context = span.getSpanContext();
        return new TraceContext(context.getTraceId(), context.getSpanId());
    }

    @Override
    public Span child(String name) {
        return new OtlpSpan(
                tracer,
                tracer.spanBuilder(name).setParent(Context.root().with(span)).startSpan());
    }

    @Override
    public Span put(String attribute, String value) {
        span.setAttribute(attribute, shortened(value));
        return this;
    }

    @Override
    public Span put(String attribute, long value) {
        span.setAttribute(attribute, value);
        return this;
    }

    @Override
    public Span failed(String why) {
        span.setStatus(StatusCode.ERROR, shortened(why));
        return this;
    }

    @Override
    public void end() {
        span.end();
    }

    private static String shortened(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT);
    }
}
