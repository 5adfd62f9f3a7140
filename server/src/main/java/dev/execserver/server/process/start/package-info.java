/**
 * The start of a process: checks its working directory and program, builds its sandbox, applies its limits and spawns it.
 *
 * <p>Start reading at {@link dev.execserver.server.process.start.ProcessStarter}, then
 * {@link dev.execserver.server.process.start.SandboxedStart}. The thread of the starting request enters and may wait for file
 * workers and for the spawner. No locks.
 */
package dev.execserver.server.process.start;
