package dev.execserver.server.memory;

import java.time.Duration;

/**
 * The memory of one server for requests, in shares that cannot starve each other: however many clients do not take their
 * answers, there is room to receive the request that ends their processes.
 *
 * @param received messages being received, and requests until they have ended: a half
 * @param answers answers being built, and until they were handed to the kernel: a quarter
 * @param input input that programs have not read, and what is remembered of processes: three sixteenths
 * @param watches files and directories that are watched, and changes that wait for their client: a sixteenth
 */
public record ServerMemory(MemoryShare received, MemoryShare answers, MemoryShare input, MemoryShare watches) {

    /** How long a connection, or an answer, waits for room before it is refused. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    /** The option that sets the whole; named in the errors. */
    public static final String OPTION = "--request-memory-bytes";

    public static ServerMemory of(long totalBytes) {
        return new ServerMemory(
                new MemoryShare(totalBytes / 2, PATIENCE),
                new MemoryShare(totalBytes / 4, PATIENCE),
                new MemoryShare(totalBytes / 16 * 3, PATIENCE),
                new MemoryShare(totalBytes / 16, PATIENCE));
    }
}
