/**
 * Who is behind a TCP connection that comes from this machine: start at {@link dev.execserver.sandbox.peer.LocalPeers}. Nothing that a
 * sandboxed command can write or undo is believed. {@link dev.execserver.sandbox.peer.Relays} makes the connections that a server opens on
 * behalf of a command.
 *
 * <p>One thread looks; reads of /proc hold it for about a millisecond. Any thread relays. No locks.
 */
package dev.execserver.sandbox.peer;
