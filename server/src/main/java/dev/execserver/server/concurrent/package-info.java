/**
 * Where threads come from: named virtual threads, the pool for file-system work, the clock.
 *
 * <p>Start reading at {@link dev.execserver.server.concurrent.Threads}. Everybody enters; nothing here holds a lock while
 * it runs somebody's work.
 */
package dev.execserver.server.concurrent;
