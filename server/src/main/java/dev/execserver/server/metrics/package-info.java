/**
 * Numbers for operators, in the format of Prometheus. Start at {@link dev.execserver.server.metrics.ServerMetrics}.
 *
 * <p>Threads: any thread counts; connection threads read. The library's counters need no lock of ours.
 */
package dev.execserver.server.metrics;
