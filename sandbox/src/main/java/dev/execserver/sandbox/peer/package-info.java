/**
 * Who is behind a TCP connection that comes from this machine: start at {@link dev.execserver.sandbox.peer.LocalPeers}. Nothing that a
 * sandboxed command can write or undo is believed.
 *
 * <p>Any thread; reads of /proc hold it for milliseconds. No locks.
 */
package dev.execserver.sandbox.peer;
