package dev.execserver.server.secret;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Finds files that other users can read or change although they hold a secret or configure a server. Stateless. */
public final class SecretPermissions {
    private static final int ROOT = 0;
    private static final int OTHERS_READ = 0004;
    private static final int OTHERS_WRITE = 0002;
    private static final int GROUP_WRITES = 0020;
    private static final int STICKY = 01000;
    private static final int PERMISSION_BITS = 07777;

    /** Kind of content. */
    public enum Content {
        /** No other user may know it. */
        SECRET,
        /** Every user may know it, no other user may change it. */
        SETTINGS
    }

    private SecretPermissions() {}

    /**
     * Returns sentences that name the file, its mode and the remedy. Empty for a file that cannot be examined, because
     * the code that reads it reports that.
     *
     * @param option the option that names the file, for the sentences
     */
    public static List<String> warnings(String option, Path file, Content content) {
        try {
            return look(option + " " + file, file.toRealPath(), content);
        } catch (IOException | UnsupportedOperationException e) {
            return List.of();
        }
    }

    private static List<String> look(String name, Path file, Content content) throws IOException {
        List<String> found = new ArrayList<>();
        int mode = mode(file);
        if ((mode & OTHERS_WRITE) != 0) {
            found.add("%s can be changed by every user of this machine (mode %04o); chmod go-w makes that right"
                    .formatted(name, mode));
        } else if ((mode & GROUP_WRITES) != 0) {
            found.add("%s can be changed by its group (mode %04o); chmod g-w makes that right".formatted(name, mode));
        }
        if (content == Content.SECRET && (mode & OTHERS_READ) != 0) {
            found.add("%s is a secret that every user of this machine can read (mode %04o); chmod 600 makes that right"
                    .formatted(name, mode));
        }
        int owner = owner(file);
        int own = owner(Path.of("/proc/self"));
        if (owner != ROOT && owner != own) {
            found.add(
                    "%s belongs to the user with the id %d, who can change it; it should belong to root or to the user"
                                    .formatted(name, owner)
                            + " of this program (%d)".formatted(own));
        }
        folders(name, file, found);
        return found;
    }

    /**
     * Finds folders above the file in which other users can rename. They can replace the file, whatever its own mode.
     */
    private static void folders(String name, Path file, List<String> found) throws IOException {
        for (Path folder = file.getParent(); folder != null; folder = folder.getParent()) {
            int mode = mode(folder);
            if ((mode & OTHERS_WRITE) != 0 && (mode & STICKY) == 0) {
                found.add("%s can be replaced by every user of this machine, because %s has mode %04o"
                        .formatted(name, folder, mode));
                return;
            }
        }
    }

    private static int mode(Path file) throws IOException {
        return (Integer) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS) & PERMISSION_BITS;
    }

    private static int owner(Path file) throws IOException {
        return (Integer) Files.getAttribute(file, "unix:uid");
    }
}
