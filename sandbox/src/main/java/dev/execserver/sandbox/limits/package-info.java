/**
 * Limits of single commands: control groups for memory and numbers of processes, resource limits for the rest.
 *
 * <p>Start reading at {@link dev.execserver.sandbox.limits.CommandLimits}; {@code ControlGroups} knows the hierarchies of this
 * machine. File workers make and remove groups, a spawner thread applies the limits while the command is held back. The lock
 * of {@code ControlGroups} guards which directory is ours and is held while that is made, once.
 */
package dev.execserver.sandbox.limits;
