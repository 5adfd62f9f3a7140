/**
 * The launcher jar that the server starts as a sandboxed child for file-system calls. Its verbs are served by
 * HelperMain; the file operations themselves live in {@code fs} and are also called in-process by the server.
 */
package dev.execserver.helper;
