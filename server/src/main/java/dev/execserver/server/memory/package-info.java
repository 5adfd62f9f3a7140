/**
 * Bounds the memory that the whole server holds for its clients, apart from retained output: requests received, answers
 * being built or waiting for the socket, input that waits for programs.
 *
 * <p>Start reading at {@link dev.execserver.server.memory.ServerMemory}. Any thread enters. If a share has room, taking
 * bytes is one atomic addition; the lock of a share is used only by threads that wait and threads that wake them.
 */
package dev.execserver.server.memory;
