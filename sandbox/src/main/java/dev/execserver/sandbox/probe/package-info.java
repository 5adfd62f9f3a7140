/**
 * The doctor: finds out which sandbox features this machine has. Start at {@link dev.execserver.sandbox.probe.Doctor}. It
 * tries each layer once, with a time limit, and returns {@link dev.execserver.sandbox.probe.HostCapabilities}, from which
 * plans are made. Each {@link dev.execserver.sandbox.probe.Finding} tells the operator the observation, its meaning and the
 * remedy.
 *
 * <p>One virtual thread runs it while the server starts. Values are immutable; there are no locks.
 */
package dev.execserver.sandbox.probe;
