/**
 * The launcher jar that the server starts as a sandboxed child process for file calls. {@code HelperMain} runs its
 * verbs. The file operations are in {@code fs}; the server also calls them in-process.
 */
package dev.execserver.helper;
