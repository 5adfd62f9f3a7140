/**
 * Describes this machine and the variables of its programs. {@link dev.execserver.server.environment.EnvironmentProbe}
 * answers {@code environment/info}; {@link dev.execserver.server.environment.ChildEnvironment} computes the variables
 * of a process.
 *
 * <p>Threads: the probe reads files and runs once, on the starting thread, before the first virtual thread exists; the
 * child environment is a pure function that any thread may call. Locks: none.
 */
package dev.execserver.server.environment;
