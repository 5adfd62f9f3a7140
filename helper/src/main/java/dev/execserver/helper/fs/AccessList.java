package dev.execserver.helper.fs;

import dev.execserver.sandbox.linux.AttributeCalls;
import dev.execserver.sandbox.linux.Errno;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import java.util.Optional;

/**
 * The access control list of a file whose content is replaced by another file. Where a file has one, the group bits of its
 * mode are not what the group may do but the most that the list gives to anybody (acl(5)): the mode without the list would
 * let the group see what it could not see, and a list that the new file has from its directory lets others. Stateless.
 */
final class AccessList {

    private static final int LOOK = FileCalls.O_NONBLOCK | FileCalls.O_NOCTTY;
    private static final int GROUP_BITS = 070;

    private AccessList() {}

    /**
     * Gives a new file the list of the old one, or takes away the one that it has from its directory.
     *
     * @param permissions of the old file
     * @return those that the new one may have without being seen by more than the old one
     */
    static int keep(Target old, Fd fresh, int permissions) {
        try {
            Optional<byte[]> list = of(old);
            if (list.isPresent()) {
                AttributeCalls.set(fresh, AttributeCalls.ACCESS_LIST, list.get());
            } else if (AttributeCalls.get(fresh, AttributeCalls.ACCESS_LIST).isPresent()) {
                AttributeCalls.remove(fresh, AttributeCalls.ACCESS_LIST);
            }
            return permissions;
        } catch (LinuxException e) {
            // A file that may not be looked at, or a sandbox in which lists may not be changed: rather too few than too
            // many.
            return permissions & ~GROUP_BITS;
        }
    }

    private static Optional<byte[]> of(Target target) {
        try {
            return AttributeCalls.getAt(target.directory(), target.name(), AttributeCalls.ACCESS_LIST);
        } catch (LinuxException e) {
            try (Fd file = open(target)) { // a sandbox without /proc
                return AttributeCalls.get(file, AttributeCalls.ACCESS_LIST);
            }
        }
    }

    /** Who may not read a file may still write it. */
    private static Fd open(Target target) {
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
