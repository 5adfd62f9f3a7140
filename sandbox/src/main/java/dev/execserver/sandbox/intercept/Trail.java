package dev.execserver.sandbox.intercept;

import dev.execserver.sandbox.linux.EntryCalls;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.LinuxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The way from a path to its file.
 *
 * @param folders the directories, without links, in which the way went through a link or back to the parent. All others are
 *     above these or above the file
 * @param links paths of the links that stood for the file itself, the first is the one that was typed
 * @param whole false if the way has more turns than are kept
 */
public record Trail(List<byte[]> folders, List<byte[]> links, boolean whole) {
    /** A way without links. */
    public static final Trail STRAIGHT = new Trail(List.of(), List.of(), true);

    public Trail {
        folders = List.copyOf(folders);
        links = List.copyOf(links);
    }

    /** Collects a trail while a path is walked. One thread. */
    static final class Recorder {
        /** Links and parents together; a longer way is the work of somebody who has something to hide. */
        private static final int MAX_TURNS = 64;

        private static final byte[] NAMELESS = "/proc/unknown".getBytes(StandardCharsets.US_ASCII);

        private final List<byte[]> folders = new ArrayList<>();
        private final List<byte[]> links = new ArrayList<>();
        private int turns;

        /** The way leaves a directory by a link or to its parent. */
        void turn(Fd folder) {
            if (++turns <= MAX_TURNS) {
                byte[] name = name(folder);
                if (folders.stream().noneMatch(known -> Arrays.equals(known, name))) {
                    folders.add(name);
                }
            }
        }

        /** A link stands for the file. */
        void link(Fd folder, byte[] name) {
            byte[] parent = name(folder);
            int length = parent.length == 1 ? 0 : parent.length;
            byte[] link = Arrays.copyOf(parent, length + 1 + name.length);
            link[length] = '/';
            System.arraycopy(name, 0, link, length + 1, name.length);
            links.add(link);
        }

        Trail made() {
            return new Trail(folders, links, turns <= MAX_TURNS);
        }

        private static byte[] name(Fd folder) {
            try {
                byte[] name = EntryCalls.nameOf(folder);
                return name.length > 0 && name[0] == '/' ? name : NAMELESS;
            } catch (LinuxException e) {
                return NAMELESS; // its path is too long to be told
            }
        }
    }
}
