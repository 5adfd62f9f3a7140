/**
 * Resource limits of single commands: control groups for memory and number of processes, setrlimit(2) for the rest.
 *
 * <p>Start at {@link dev.execserver.sandbox.limits.CommandLimits}. {@code ControlGroups} knows the hierarchies of this
 * machine. File workers make and remove groups; a spawner thread applies the limits while the command is held back. The lock
 * of {@code ControlGroups} guards the map of the server's own directories and is held while a directory is made, once for
 * each.
 */
package dev.execserver.sandbox.limits;
