/**
 * Spans by OpenTelemetry's SDK, exported as OTLP over HTTP. Nothing else may name the SDK: {@link
 * dev.execserver.server.tracing.TracingLoader} loads this package.
 *
 * <p>Threads: the SDK has one thread that exports, with a bounded queue.
 */
package dev.execserver.server.tracing.otlp;
