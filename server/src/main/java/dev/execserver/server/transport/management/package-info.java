/**
 * Pages for operators: metrics and administration. Start at {@link dev.execserver.server.transport.management.PageEndpoint}.
 *
 * <p>Threads: connection threads. No locks.
 */
package dev.execserver.server.transport.management;
