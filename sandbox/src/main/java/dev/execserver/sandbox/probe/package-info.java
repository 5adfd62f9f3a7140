/**
 * The doctor: what this machine has for sandboxes. Start at {@link dev.execserver.sandbox.probe.Doctor}, which tries each
 * layer once, with a time limit, and makes the {@link dev.execserver.sandbox.probe.HostCapabilities} that plans are made
 * from; each {@link dev.execserver.sandbox.probe.Finding} says in words what was seen, what it means and what helps.
 *
 * <p>Runs on one virtual thread while the server starts. Values are immutable; no locks.
 */
package dev.execserver.sandbox.probe;
