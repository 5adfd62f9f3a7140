package dev.execserver.server.exec;

import dev.execserver.sandbox.linux.DirectoryCalls;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.FileStatus;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.paths.LinuxPath;
import java.util.List;

/** Looks for the other names of a file. Touches files; stateless. */
final class HardLinks {
    /** Names of a folder that are looked at; a larger one counts as without any. */
    static final int MAX_NAMES = 20_000;

    private HardLinks() {}

    /** Returns true if the file has no names in other folders. Compilers and interpreters often have two in their own. */
    static boolean allBeside(byte[] path, FileStatus file) {
        if (file.links() <= 1) {
            return true;
        }
        byte[] folder = LinuxPath.of(path).parent().bytes();
        try (Fd opened = FileCalls.open(folder, FileCalls.O_RDONLY | FileCalls.O_DIRECTORY, 0)) {
            return namesIn(opened, file) >= file.links();
        } catch (LinuxException e) {
            return false; // cannot be listed, so nothing is known
        }
    }

    private static int namesIn(Fd folder, FileStatus file) {
        int names = 0;
        int seen = 0;
        List<DirectoryCalls.Entry> entries = DirectoryCalls.entries(folder);
        while (!entries.isEmpty() && names < file.links() && seen < MAX_NAMES) {
            seen += entries.size();
            names += (int) entries.stream()
                    .filter(entry -> entry.regular() || entry.unknown())
                    .filter(entry -> same(folder, entry, file))
                    .count();
            entries = DirectoryCalls.entries(folder);
        }
        return names;
    }

    private static boolean same(Fd folder, DirectoryCalls.Entry entry, FileStatus file) {
        try {
            return FileCalls.statusAt(folder, entry.name(), false).sameFile(file);
        } catch (LinuxException e) {
            return false; // removed meanwhile
        }
    }
}
