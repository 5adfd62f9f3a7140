package dev.execserver.server.sandbox;

import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.linux.ProcFiles;
import dev.execserver.sandbox.linux.ProcessCalls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds sandboxed processes of this user that can write to a folder. They have the server's user and could change its
 * state, so the server must not use the folder while they run. Checked once, at the start of a server, for processes
 * that were started before the folder was hidden. Stateless; reads proc(5).
 */
final class SandboxedWriters {
    private static final int MOUNT_POINT = 4;
    private static final int MOUNT_OPTIONS = 5;

    private SandboxedWriters() {}

    /** Returns the pid of one such process; empty if there is none. */
    static Optional<Integer> writer(Path folder) {
        FileStatus wanted = FileCalls.status(StateFolder.bytes(folder), false);
        Set<String> seen = new HashSet<>();
        for (int pid : ProcFiles.pids()) {
            try {
                if (sandboxed(pid) && seen.add(link(pid, "ns/mnt")) && writes(pid, folder, wanted)) {
                    return Optional.of(pid);
                }
            } catch (IOException | LinuxException e) {
                // It has ended, or we may not look into it, so it is not ours.
                continue;
            }
        }
        return Optional.empty();
    }

    private static String link(int pid, String name) throws IOException {
        return Files.readSymbolicLink(Path.of("/proc/" + pid, name)).toString();
    }

    /**
     * Returns true for a process like our sandboxed commands: another user namespace, a seccomp filter and
     * no_new_privs.
     */
    private static boolean sandboxed(int pid) throws IOException {
        if (link(pid, "ns/user").equals(link(ProcessCalls.ownPid(), "ns/user"))) {
            return false;
        }
        boolean ours = false;
        boolean confined = false;
        boolean filtered = false;
        for (String line : Files.readAllLines(Path.of("/proc/" + pid, "status"), StandardCharsets.ISO_8859_1)) {
            String[] words = line.split("\\s+");
            switch (words[0]) {
                case "Uid:" -> ours = words[2].equals(Integer.toUnsignedString(ProcessCalls.effectiveUser()));
                case "NoNewPrivs:" -> confined = words[1].equals("1");
                case "Seccomp:" -> filtered = words[1].equals("2");
                default -> {}
            }
        }
        return ours && confined && filtered;
    }

    private static boolean writes(int pid, Path folder, FileStatus wanted) throws IOException {
        byte[] root = ("/proc/" + pid + "/root").getBytes(StandardCharsets.US_ASCII);
        try (Fd view = FileCalls.open(root, FileCalls.O_PATH | FileCalls.O_DIRECTORY, 0);
                Fd there = FileCalls.openat2(
                        view.number(),
                        StateFolder.bytes(Path.of("/").relativize(folder)),
                        FileCalls.O_PATH,
                        0,
                        FileCalls.RESOLVE_BENEATH | FileCalls.RESOLVE_NO_SYMLINKS)) {
            return FileCalls.status(there).sameFile(wanted) && writableMount(pid, folder);
        }
    }

    private static boolean writableMount(int pid, Path folder) throws IOException {
        boolean writable = true;
        int depth = -1;
        List<String> mounts = Files.readAllLines(Path.of("/proc/" + pid, "mountinfo"), StandardCharsets.ISO_8859_1);
        for (String mount : mounts) {
            String[] fields = mount.split(" ");
            Path point = Path.of(fields[MOUNT_POINT]);
            // Of several mounts at one place, the last one covers the others.
            if (folder.startsWith(point) && point.getNameCount() >= depth) {
                depth = point.getNameCount();
                writable = List.of(fields[MOUNT_OPTIONS].split(",")).contains("rw");
            }
        }
        return writable;
    }
}
