/**
 * File operations. The server calls them in-process when no sandbox is requested; the helper process runs the same code
 * inside a sandbox.
 *
 * <p>Start reading at {@link dev.execserver.helper.fs.FileOperations}, then {@code Opener}, which opens all files.
 * Every operation blocks in the kernel for as long as the file system blocks, so only platform threads enter. No state
 * beyond one operation, no locks.
 */
package dev.execserver.helper.fs;
