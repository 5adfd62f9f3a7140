/**
 * What the whole server may hold in memory for its clients, beside the output that it retains: requests received, answers
 * being built or waiting for the socket, input that waits for programs.
 *
 * <p>Start reading at {@link dev.execserver.server.memory.ServerMemory}. Any thread enters; a share that has room is one
 * atomic addition, and its lock is touched only by those who wait and those who wake them.
 */
package dev.execserver.server.memory;
