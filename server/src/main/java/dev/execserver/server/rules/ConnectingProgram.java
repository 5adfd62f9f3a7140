package dev.execserver.server.rules;

import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The file that the process of a connection runs, see proc_pid_exe(5). That of a script is its interpreter.
 *
 * @param path without links, as the mounts of the process show it. A file that has no name any more, or never had one, ends with
 *     {@code  (deleted)}
 * @param bornNs creation of the file, because a new file may get the inode of one that was removed
 */
public record ConnectingProgram(String path, long device, long inode, OptionalLong bornNs) {
    private static final String DELETED = " (deleted)";

    /** Returns the program of a process; empty if the process has ended. */
    public static Optional<ConnectingProgram> of(int pid) {
        byte[] link = ("/proc/" + pid + "/exe").getBytes(StandardCharsets.US_ASCII);
        try {
            String path = new String(FileCalls.readLink(link), StandardCharsets.UTF_8);
            FileStatus status = FileCalls.knownStatus(link);
            return Optional.of(of(path, status));
        } catch (LinuxException e) {
            return Optional.empty();
        }
    }

    static ConnectingProgram of(String path, FileStatus status) {
        return new ConnectingProgram(path, status.device(), status.inode(), status.bornNs());
    }

    /** Returns true if both are one file, perhaps by several names (hard links). */
    boolean sameFile(ConnectingProgram other) {
        return device == other.device && inode == other.inode && bornNs.equals(other.bornNs);
    }

    /** Returns true if the file has a name, so that a rule can be about it. */
    public boolean named() {
        return path.startsWith("/") && !path.endsWith(DELETED);
    }
}
