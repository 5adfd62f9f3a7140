package dev.execserver.server.process;

import dev.execserver.sandbox.io.Buffers;
import dev.execserver.server.memory.MemoryBudget;
import dev.execserver.server.process.output.OutputBounds;

/**
 * Memory for the input and output of processes, and its limits.
 *
 * @param buffers lends native buffers
 * @param retention limits of the output that is kept
 * @param stdinQueueBytes largest number of queued input bytes for each process
 * @param input memory share for queued input and records of processes, for the whole server
 */
public record StreamServices(Buffers buffers, OutputBounds retention, long stdinQueueBytes, MemoryBudget input) {}
