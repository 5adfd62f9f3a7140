package dev.execserver.server.memory;

import java.time.Duration;

/**
 * Memory of one server for requests, divided into shares that cannot starve each other. Even if many clients do not
 * read their answers, there is room to receive the request that ends their processes. An eighth of the shares for requests and
 * for answers is a reserve for clients that hold little, see {@link ClientShare}.
 *
 * @param received messages being received, and requests until they have ended: with the reserve a half
 * @param receivedReserve the reserve for requests
 * @param answers answers being built, and until the kernel has taken them: with the reserve a quarter
 * @param answersReserve the reserve for answers
 * @param input input that programs have not read, and records kept about processes: three sixteenths
 * @param watches watched files and directories, and changes that wait for their client: a sixteenth
 */
public record ServerMemory(
        MemoryBudget received,
        MemoryBudget receivedReserve,
        MemoryBudget answers,
        MemoryBudget answersReserve,
        MemoryBudget input,
        MemoryBudget watches) {

    /** Bytes of requests, with their overhead, up to which a client may use the reserve: some fifteen small requests. */
    static final long MODEST_REQUESTS = 32 << 10;

    /** Bytes of answers up to which a client may use the reserve: one file block of 64 KiB, encoded. */
    static final long MODEST_ANSWERS = 128 << 10;

    /** Time that a connection or an answer waits for room before it is refused. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Name of the option that sets the total; errors name it. */
    public static final String OPTION = "--request-memory-bytes";

    public static ServerMemory of(long totalBytes) {
        return new ServerMemory(
                new MemoryBudget(totalBytes / 16 * 7, PATIENCE),
                new MemoryBudget(totalBytes / 16, PATIENCE),
                new MemoryBudget(totalBytes / 32 * 7, PATIENCE),
                new MemoryBudget(totalBytes / 32, PATIENCE),
                new MemoryBudget(totalBytes / 16 * 3, PATIENCE),
                new MemoryBudget(totalBytes / 16, PATIENCE));
    }

    /** Returns the memory for the requests of one more client. */
    public ClientShare receivedOfClient() {
        return new ClientShare(received, receivedReserve, MODEST_REQUESTS);
    }

    /** Returns the memory for the answers of one more client. */
    public ClientShare answersOfClient() {
        return new ClientShare(answers, answersReserve, MODEST_ANSWERS);
    }
}
