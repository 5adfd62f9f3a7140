/**
 * Finds the process behind a TCP connection from this machine. Start at {@link dev.execserver.sandbox.peer.LocalPeers}. It does not rely
 * on anything that a sandboxed command can write or undo. {@link dev.execserver.sandbox.peer.Relays} makes the connections that a server opens on
 * behalf of a command.
 *
 * <p>One thread searches; reads of /proc block it for about a millisecond. Any thread relays. No locks.
 */
package dev.execserver.sandbox.peer;
