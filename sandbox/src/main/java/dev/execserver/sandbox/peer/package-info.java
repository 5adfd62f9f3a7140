/**
 * Finds the process behind a TCP connection from this machine. Start at {@link dev.execserver.sandbox.peer.LocalPeers}. It
 * does not rely on anything that a sandboxed command can write or undo.
 *
 * <p>Any thread; reads of /proc block it for milliseconds. No locks.
 */
package dev.execserver.sandbox.peer;
