/**
 * Spans of requests and commands for a collector of OpenTelemetry. Start at {@link dev.execserver.server.tracing.Tracing};
 * {@link dev.execserver.server.tracing.Traced} tells in which span a thread works. The SDK is known to {@link
 * dev.execserver.server.tracing.otlp} alone, and loaded only if the environment asks for it.
 *
 * <p>Threads: spans may be used by any thread. No locks of ours; the queue of the exporter is bounded, and nobody waits for it.
 */
package dev.execserver.server.tracing;
