package dev.execserver.server.process.start;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.DirectoryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.ProcessCalls;
import java.nio.charset.StandardCharsets;

/**
 * Refuses working directories that differ for each process: /proc/self, /dev/fd and paths that lead there, and the
 * links /proc/PID/fd, cwd and root (magic links, see openat2(2)). The server would check its own directory there, and
 * the program would start in another one. Runs on a file worker. Stateless.
 */
final class WorkingDirectory {
    private WorkingDirectory() {}

    /**
     * Checks the directory, if it exists.
     *
     * @throws RpcException -32602 for a directory that depends on the process
     */
    static void check(byte[] cwd) {
        int flags = FileCalls.O_PATH | FileCalls.O_DIRECTORY;
        try (Fd directory = FileCalls.openat2(FileCalls.AT_FDCWD, cwd, flags, 0, FileCalls.RESOLVE_NO_MAGICLINKS)) {
            byte[] link = ("/proc/self/fd/" + directory.number()).getBytes(StandardCharsets.US_ASCII);
            String place = new String(DirectoryCalls.readLink(link), StandardCharsets.ISO_8859_1);
            if ((place + "/").startsWith("/proc/" + ProcessCalls.ownPid() + "/")) {
                throw refused(cwd);
            }
        } catch (LinuxException e) {
            if (e.errno() == Errno.ELOOP && leadsSomewhere(cwd)) {
                throw refused(cwd);
            }
            // The code that uses the directory reports all other errors.
        }
    }

    /** Returns true if the path leads to a directory when magic links are followed. */
    private static boolean leadsSomewhere(byte[] cwd) {
        try {
            return FileCalls.status(cwd, true).directory();
        } catch (LinuxException e) {
            return false;
        }
    }

    private static RpcException refused(byte[] cwd) {
        return RpcException.invalidParams(
                "cwd `" + new String(cwd, StandardCharsets.UTF_8)
                        + "` is another directory for each process (/proc/self, /dev/fd and their like); name the directory itself");
    }
}
