package dev.execserver.sandbox.peer;

import dev.execserver.sandbox.linux.ProcStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Name by which the servers of a machine know each other: /proc/PID/comm, which only threads of the process itself can change
 * (proc_pid_comm(5)). A server is no client of a server. For a moment it can hold a socket of a command whose program it
 * intercepts (pidfd_getfd(2)), and must not be taken for the maker of that socket. Stateless.
 */
public final class ServerProcess {
    private static final String NAME = "exec-server";

    private ServerProcess() {}

    /**
     * Gives this process the name. ps(1) and top(1) show it too.
     *
     * @throws IOException if /proc cannot be written
     */
    public static void announce() throws IOException {
        Files.writeString(Path.of("/proc/self/comm"), NAME);
    }

    /** Returns true if the process has the name. */
    static boolean is(int pid) {
        return ProcStatus.whole("/proc/" + pid + "/comm").strip().equals(NAME);
    }
}
