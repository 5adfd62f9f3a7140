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
        SETTINGS,
        /** It names commands that are executed. No other user may change it, a group neither, and that must be certain. */
        COMMANDS
    }

    private SecretPermissions() {}

    /**
     * Returns sentences that name the file, its mode and the remedy. Nothing is said of a file that cannot be examined, because
     * the code that reads it reports that, unless it names commands.
     *
     * @param option the option that names the file, for the sentences
     */
    public static List<String> warnings(String option, Path file, Content content) {
        try (OwnershipWalk walk = OwnershipWalk.along(file)) {
            List<Step> steps = walk.steps();
            if (!walk.missing().isEmpty()) {
                return unknown(option + " " + file, "it is not there", content);
            }
            List<String> found = new ArrayList<>();
            look(option + " " + walk.place(), steps.getLast(), content, found);
            List<Step> above = steps.subList(0, steps.size() - 1);
            way(option + " " + file, above, found);
            if (content == Content.COMMANDS) {
                groups(option + " " + file, above, found);
            }
            return found;
        } catch (LinuxException e) {
            return unknown(option + " " + file, e.getMessage(), content);
        }
    }

    private static List<String> unknown(String name, String why, Content content) {
        return content == Content.COMMANDS
                ? List.of("%s names commands, and it cannot be found out who can change it: %s".formatted(name, why))
                : List.of();
    }

    /** Finds a folder in which its group can rename. */
    private static void groups(String name, List<Step> steps, List<String> found) {
        steps.stream()
                .filter(step -> step.replaceable(GROUP_WRITES))
                .findFirst()
                .ifPresent(step -> found.add(
                        "%s can be replaced by the group of %s, which has mode %04o; chmod g-w makes that right"
                                .formatted(name, step.place(), step.mode())));
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
