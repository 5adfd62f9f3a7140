/**
 * Makes threads: named virtual threads, the pool for file-system work, the clock.
 *
 * <p>Start reading at {@link dev.execserver.server.concurrent.Threads}. Any thread enters; no lock is held here while
 * work of a caller runs.
 */
package dev.execserver.server.concurrent;
