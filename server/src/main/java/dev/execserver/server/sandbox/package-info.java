/**
 * What the server has for sandboxed requests: the machine's capabilities, the resolver, the launcher. Start at {@link
 * dev.execserver.server.sandbox.Sandboxes}.
 *
 * <p>Request threads wait for the probe, which runs once on a platform thread of its own; resolving, planning and launching
 * happen on file workers. No locks.
 */
package dev.execserver.server.sandbox;
