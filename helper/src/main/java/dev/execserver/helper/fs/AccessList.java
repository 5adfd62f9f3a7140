package dev.execserver.helper.fs;

import dev.execserver.sandbox.linux.AttributeCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import java.util.Optional;

/**
 * Copies the POSIX access control list of a file to the new file that replaces it. Stateless.
 *
 * <p>In a file with such a list, the group bits of the mode are a mask: the most that any entry of the list grants
 * (acl(5)). A new file with the mode but without the list would therefore show the group too much. A list that the new
 * file inherits from its directory could let other users in.
 */
final class AccessList {

    private static final int LOOK = FileCalls.O_NONBLOCK | FileCalls.O_NOCTTY;
    private static final int GROUP_BITS = 070;

    private AccessList() {}

    /**
     * Gives the new file the list of the old one, or removes the list that it inherited from its directory.
     *
     * @param permissions of the old file
     * @return permissions that the new file may get without becoming readable to more users than the old one
     */
    static int keep(ResolvedPlace old, Fd fresh, int permissions) {
        try {
            Optional<byte[]> list = of(old);
            if (list.isPresent()) {
                AttributeCalls.set(fresh, AttributeCalls.ACCESS_LIST, list.get());
            } else if (AttributeCalls.get(fresh, AttributeCalls.ACCESS_LIST).isPresent()) {
                AttributeCalls.remove(fresh, AttributeCalls.ACCESS_LIST);
            }
            return permissions;
        } catch (LinuxException e) {
            // The list cannot be read, or this sandbox does not let lists be changed. Deny the group rather than grant
            // too much.
            return permissions & ~GROUP_BITS;
        }
    }

    private static Optional<byte[]> of(ResolvedPlace target) {
        try {
            return AttributeCalls.getAt(target.directory(), target.name(), AttributeCalls.ACCESS_LIST);
        } catch (LinuxException e) {
            try (Fd file = open(target)) { // this sandbox has no /proc
                return AttributeCalls.get(file, AttributeCalls.ACCESS_LIST);
            }
        }
    }

    /** Opens the file for reading, or for writing: a user may be allowed to write a file that it may not read. */
    private static Fd open(ResolvedPlace target) {
        try {
            return Opener.below(target.directory(), target.name(), FileCalls.O_RDONLY | LOOK, 0);
        } catch (LinuxException e) {
            if (e.errno() != Errno.EACCES) {
                throw e;
            }
            return Opener.below(target.directory(), target.name(), FileCalls.O_WRONLY | LOOK, 0);
        }
    }
}
