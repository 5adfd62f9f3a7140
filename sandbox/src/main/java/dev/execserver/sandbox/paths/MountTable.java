package dev.execserver.sandbox.paths;

import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.ProcStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;

/** Reads the mounts of a process from /proc/PID/mountinfo, see proc(5). Stateless. */
public final class MountTable {
    private static final int MIN_FIELDS = 5;
    private static final int ID = 0;
    private static final int PARENT = 1;
    private static final int DEVICE = 2;
    private static final int ROOT = 3;
    private static final int POINT = 4;
    private static final String ID_LABEL = "mnt_id:";

    private MountTable() {}

    /**
     * One mount.
     *
     * @param id the same in all mount namespaces that can see it
     * @param parent the mount that it is mounted on
     * @param device major and minor number
     * @param root the directory of the file system that is mounted
     * @param point the mount point
     */
    public record Mount(int id, int parent, String device, LinuxPath root, LinuxPath point) {}

    /**
     * Returns the mounts that a process sees, in the order of the file: a later one covers an earlier one. Empty if there is
     * no such file.
     *
     * @param process pid, or {@code self}
     */
    public static List<Mount> of(String process) {
        try {
            return parse(Files.readAllLines(Path.of("/proc", process, "mountinfo"), StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Returns the id of the mount through which a file was opened, see proc_pid_fdinfo(5); empty if the kernel does not tell. */
    public static OptionalInt idOf(Fd file) {
        return ProcStatus.whole("/proc/self/fdinfo/" + file.number())
                .lines()
                .filter(line -> line.startsWith(ID_LABEL))
                .mapToInt(line ->
                        Integer.parseInt(line.substring(ID_LABEL.length()).strip()))
                .findFirst();
    }

    static List<Mount> parse(List<String> lines) {
        return lines.stream()
                .map(line -> line.split(" "))
                .filter(fields -> fields.length > MIN_FIELDS && fields[ROOT].startsWith("/"))
                .map(fields -> new Mount(
                        Integer.parseInt(fields[ID]),
                        Integer.parseInt(fields[PARENT]),
                        fields[DEVICE],
                        path(fields[ROOT]),
                        path(fields[POINT])))
                .toList();
    }

    /** Decodes the octal escapes of blanks and the like. */
    private static LinuxPath path(String field) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < field.length(); i++) {
            if (field.charAt(i) == '\\' && i + 4 <= field.length()) {
                bytes.write(Integer.parseInt(field.substring(i + 1, i + 4), 8));
                i += 3;
            } else {
                bytes.write(field.charAt(i));
            }
        }
        return LinuxPath.of(bytes.toByteArray());
    }
}
