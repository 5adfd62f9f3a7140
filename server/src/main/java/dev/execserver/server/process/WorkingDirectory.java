package dev.execserver.server.process;

import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.sandbox.linux.DirectoryCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.ProcessCalls;
import java.nio.charset.StandardCharsets;

/**
 * Refuses working directories that are another place for each process: /proc/self, /dev/fd and what leads there, and the links of
 * /proc/PID/fd, cwd and root (magic links, see openat2(2)). This server would look at its own, and the program would start elsewhere. On a
 * file worker. Stateless.
 */
final class WorkingDirectory {
    private WorkingDirectory() {}

    /**
     * Looks where the directory is, if it is one.
     *
     * @throws RpcException -32602 for a place that depends on the process
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
            // Whatever else is wrong with it is said by those who use it.
        }
    }

    /** Returns true if only magic links were in the way. */
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
