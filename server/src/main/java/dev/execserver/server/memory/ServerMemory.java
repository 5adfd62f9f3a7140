package dev.execserver.server.memory;

import java.time.Duration;

/**
 * Memory of one server for requests, divided into shares that cannot starve each other. Even if many clients do not
 * read their answers, there is room to receive the request that ends their processes.
 *
 * @param received messages being received, and requests until they have ended: a half
 * @param answers answers being built, and until the kernel has taken them: a quarter
 * @param input input that programs have not read, and records kept about processes: three sixteenths
 * @param watches watched files and directories, and changes that wait for their client: a sixteenth
 */
public record ServerMemory(MemoryBudget received, MemoryBudget answers, MemoryBudget input, MemoryBudget watches) {

    /** Time that a connection or an answer waits for room before it is refused. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Name of the option that sets the total; errors name it. */
    public static final String OPTION = "--request-memory-bytes";

    public static ServerMemory of(long totalBytes) {
        return new ServerMemory(
                new MemoryBudget(totalBytes / 2, PATIENCE),
                new MemoryBudget(totalBytes / 4, PATIENCE),
                new MemoryBudget(totalBytes / 16 * 3, PATIENCE),
                new MemoryBudget(totalBytes / 16, PATIENCE));
    }
}
