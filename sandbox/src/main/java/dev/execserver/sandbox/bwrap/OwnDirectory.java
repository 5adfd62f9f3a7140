package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.resolve.PolicyRefusedException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;

/** The server's directory, when it was removed while the server runs. Stateless; blocks. */
final class OwnDirectory {
    private static final String PRIVATE = "rwx------";

    private OwnDirectory() {}

    /** @throws PolicyRefusedException also when somebody else has put something in its place, where everybody may write */
    static void makeAnew(Path directory) {
        try {
            Files.createDirectories(directory.getParent());
            Files.createDirectory(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(PRIVATE)));
        } catch (FileAlreadyExistsException e) {
            requireOurs(directory);
        } catch (IOException e) {
            throw failure(directory, e.toString());
        }
    }

    private static void requireOurs(Path directory) {
        try {
            PosixFileAttributes found =
                    Files.readAttributes(directory, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            boolean ours = found.isDirectory()
                    && found.owner().equals(Files.getOwner(Path.of("/proc/self")))
                    && PosixFilePermissions.toString(found.permissions()).equals(PRIVATE);
            if (!ours) {
                throw failure(directory, "something else has its name");
            }
        } catch (IOException e) {
            throw failure(directory, e.toString());
        }
    }

    private static PolicyRefusedException failure(Path directory, String why) {
        return new PolicyRefusedException(
                "the directory " + directory + " of the server was removed and cannot be made anew: " + why
                        + "; restart the server, see --spill-dir");
    }
}
