package dev.execserver.cli.secret;

import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.trust.OwnershipWalk;
import dev.execserver.sandbox.trust.Step;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Finds files that other users can read or change although they hold a secret or configure a server. Stateless. */
public final class SecretPermissions {
    private static final int OTHERS_READ = 0004;
    private static final int OTHERS_WRITE = 0002;
    private static final int GROUP_WRITES = 0020;

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
        try (OwnershipWalk walk = OwnershipWalk.along(file)) {
            List<Step> steps = walk.steps();
            if (!walk.missing().isEmpty()) {
                return List.of();
            }
            List<String> found = new ArrayList<>();
            look(option + " " + walk.place(), steps.getLast(), content, found);
            way(option + " " + file, steps.subList(0, steps.size() - 1), found);
            return found;
        } catch (LinuxException e) {
            return List.of();
        }
    }

    private static void look(String name, Step file, Content content, List<String> found) {
        int mode = file.mode();
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
        if (file.foreign()) {
            found.add(
                    "%s belongs to the user with the id %d, who can change it; it should belong to root or to the user"
                                    .formatted(name, file.status().user())
                            + " of this program (%d)".formatted(file.owners().self()));
        }
    }

    /** Finds folders in which other users can rename, and links of other users. They can replace the file, whatever its own mode. */
    private static void way(String name, List<Step> steps, List<String> found) {
        for (Step step : steps) {
            if (step.replaceable(OTHERS_WRITE)) {
                found.add(
                        "%s can be replaced by every user of this machine, because %s has mode %04o; chmod o-w or chmod +t"
                                        .formatted(name, step.place(), step.mode())
                                + " makes that right");
                return;
            }
            if (step.foreign()) {
                found.add(
                        "%s can be replaced by another user: %s; keep it where only root and the user of this program can"
                                        .formatted(
                                                name, step.fault(OTHERS_WRITE).orElseThrow())
                                + " do that");
                return;
            }
        }
    }
}
