/**
 * Paths and files of this machine as the kernel sees them: links, mounts, identities of files.
 *
 * <p>Start at {@link dev.execserver.sandbox.paths.LinuxPath}, then {@link dev.execserver.sandbox.paths.PathWalk}, which follows
 * links. Files are accessed only by {@link dev.execserver.sandbox.paths.FileView}, so that tests can use a tree in memory.
 *
 * <p>Blocking code for the platform threads of the file workers. Values are immutable. No locks.
 */
package dev.execserver.sandbox.paths;
