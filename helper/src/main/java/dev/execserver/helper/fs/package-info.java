/**
 * The file operations themselves: called in-process by the server when no sandbox is asked for, and by the launcher jar
 * inside a sandbox. One implementation, two places.
 *
 * <p>Start reading at {@link dev.execserver.helper.fs.FileOperations}, then {@code Opener}, the one way in which files are
 * opened. Every operation blocks in the kernel for as long as the file system likes, so only platform threads enter. No
 * state beyond one operation, no locks.
 */
package dev.execserver.helper.fs;
