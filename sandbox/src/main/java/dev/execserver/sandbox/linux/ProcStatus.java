package dev.execserver.sandbox.linux;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The restrictions of a process, from /proc/PID/status, see proc_pid_status(5). Every user may read that file, even if the
 * process has made itself unreadable (PR_SET_DUMPABLE).
 *
 * @param realUid as this user namespace shows it
 * @param effectiveUid as this user namespace shows it
 * @param noNewPrivileges cannot be cleared; children inherit it
 * @param filtered true if the process has system call filters, which it cannot remove and which children inherit
 * @param filters number of filters; empty before Linux 5.9
 */
public record ProcStatus(
        int realUid, int effectiveUid, boolean noNewPrivileges, boolean filtered, OptionalInt filters) {
    private static final String FILTERED = "2";
    private static final int PIECE_BYTES = 8 * 1024;

    /** Returns the status of a process; empty if it is gone. */
    public static Optional<ProcStatus> of(int pid) {
        return ofText(whole("/proc/" + pid + "/status"));
    }

    /** Returns the status of this process. */
    public static ProcStatus own() {
        return ofText(whole("/proc/self/status"))
                .orElseThrow(() -> new LinuxException("open", "/proc/self/status", Errno.ENOENT));
    }

    static Optional<ProcStatus> ofText(String text) {
        Optional<String> uid = field(text, "Uid:");
        if (uid.isEmpty()) {
            return Optional.empty();
        }
        String[] uids = uid.get().split("\\s+");
        return Optional.of(new ProcStatus(
                Integer.parseUnsignedInt(uids[0]),
                Integer.parseUnsignedInt(uids[1]),
                !field(text, "NoNewPrivs:").equals(Optional.of("0")),
                field(text, "Seccomp:").equals(Optional.of(FILTERED)),
                field(text, "Seccomp_filters:")
                        .map(Integer::parseInt)
                        .map(OptionalInt::of)
                        .orElseGet(OptionalInt::empty)));
    }

    private static Optional<String> field(String text, String label) {
        int at = text.startsWith(label) ? 0 : text.indexOf("\n" + label) + 1;
        if (at == 0 && !text.startsWith(label)) {
            return Optional.empty();
        }
        int end = text.indexOf('\n', at);
        return end < 0
                ? Optional.empty()
                : Optional.of(text.substring(at + label.length(), end).strip());
    }

    /** Returns the whole content of a file of /proc, which can be longer than one read(2); empty if the process is gone. */
    public static String whole(String path) {
        try (Arena arena = Arena.ofConfined();
                Fd file = FileCalls.open(path.getBytes(StandardCharsets.US_ASCII), FileCalls.O_RDONLY, 0)) {
            MemorySegment piece = arena.allocate(PIECE_BYTES);
            ByteArrayOutputStream text = new ByteArrayOutputStream();
            long length;
            while ((length = FileCalls.read(file.number(), piece)) > 0) {
                text.writeBytes(piece.asSlice(0, length).toArray(JAVA_BYTE));
            }
            return text.toString(StandardCharsets.ISO_8859_1);
        } catch (LinuxException e) {
            return ""; // gone, ESRCH or ENOENT
        }
    }
}
