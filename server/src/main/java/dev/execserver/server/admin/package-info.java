/**
 * Administration of a running server: who runs what, and ending it. Start at {@link
 * dev.execserver.server.admin.AdminPages}.
 *
 * <p>Threads: connection threads ask and act; a timer looks whether a drained server is idle. No locks of its own.
 */
package dev.execserver.server.admin;
