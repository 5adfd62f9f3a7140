package dev.execserver.sandbox.bwrap;

import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.seccomp.Machine;
import dev.execserver.sandbox.stage.StageCode;
import dev.execserver.sandbox.stage.StageCode.Call;
import dev.execserver.sandbox.stage.StageImage;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A program that enters a mount namespace and mounts each of some symbolic links read-only on itself. From then on the link
 * can be followed, but not removed, renamed, replaced (EBUSY) or changed (EROFS). open_tree(2) with AT_SYMLINK_NOFOLLOW makes
 * such a mount, which mount(2) cannot. Descriptor 3 is the user namespace that owns the mount namespace, 4 the mount
 * namespace. Stateless.
 */
final class LinkStage {
    static final int USER_NAMESPACE = 3;
    static final int MOUNT_NAMESPACE = 4;
    /** The descriptor of the program itself. Descriptors that the program opens get the numbers behind it. */
    static final int PROGRAM = 5;

    private static final int FIRST_OPENED = 6;
    private static final int CLONE_NEWUSER = 0x1000_0000;
    private static final int CLONE_NEWNS = 0x2_0000;
    private static final int OPEN_TREE_CLONE = 1;
    private static final int AT_SYMLINK_NOFOLLOW = 0x100;
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int MOVE_MOUNT_F_EMPTY_PATH = 4;
    private static final int MOUNT_ATTR_RDONLY = 1;

    /** Sizes of struct open_how, to open the directory of a link, and of struct mount_attr, for its mount. */
    private static final int HOW_BYTES = 24;

    private static final int ATTRIBUTE_BYTES = 32;
    private static final int HOW = StageImage.BASE + StageImage.HEADERS;
    private static final int ATTRIBUTES = HOW + HOW_BYTES;
    private static final int EMPTY = ATTRIBUTES + ATTRIBUTE_BYTES;
    private static final int NAMES = EMPTY + 8;
    /** Bytes of code for one link, and for the rest; more than either machine needs. */
    private static final int CODE_BYTES = 512;

    private LinkStage() {}

    /** Returns the program file. */
    static byte[] assemble(Machine machine, List<LinuxPath> links) {
        int names = links.stream().mapToInt(LinkStage::nameBytes).sum();
        int size = NAMES - StageImage.BASE + names + CODE_BYTES * (links.size() + 1);
        return StageImage.assemble(machine, size, file -> data(file, links), code -> code(code, links));
    }

    /** Returns the size of the names: a multiple of four, because the code behind them must be aligned on arm64. */
    private static int nameBytes(LinuxPath link) {
        return (link.parent().bytes().length + 1 + link.name().length + 1 + 3) & ~3;
    }

    private static void data(ByteBuffer file, List<LinuxPath> links) {
        file.putLong(FileCalls.O_PATH | FileCalls.O_DIRECTORY | FileCalls.O_CLOEXEC)
                .putLong(0);
        file.putLong(FileCalls.RESOLVE_NO_SYMLINKS | FileCalls.RESOLVE_NO_MAGICLINKS);
        file.putLong(MOUNT_ATTR_RDONLY).putLong(0).putLong(0).putLong(0);
        file.putLong(0);
        for (LinuxPath link : links) {
            int next = file.position() + nameBytes(link);
            file.put(link.parent().bytes()).put((byte) 0).put(link.name());
            file.position(next);
        }
    }

    private static void code(StageCode code, List<LinuxPath> links) {
        code.call(Call.SETNS, USER_NAMESPACE, CLONE_NEWUSER);
        code.call(Call.SETNS, MOUNT_NAMESPACE, CLONE_NEWNS);
        int address = NAMES;
        int directory = FIRST_OPENED;
        for (LinuxPath link : links) {
            int tree = directory + 1;
            int name = address + link.parent().bytes().length + 1;
            code.call(Call.OPENAT2, 0, address, HOW, HOW_BYTES); // the path is absolute
            code.call(Call.OPEN_TREE, directory, name, OPEN_TREE_CLONE | FileCalls.O_CLOEXEC | AT_SYMLINK_NOFOLLOW);
            code.call(Call.MOUNT_SETATTR, tree, EMPTY, AT_EMPTY_PATH, ATTRIBUTES, ATTRIBUTE_BYTES);
            code.call(Call.MOVE_MOUNT, tree, EMPTY, directory, name, MOVE_MOUNT_F_EMPTY_PATH);
            address += nameBytes(link);
            directory += 2;
        }
        code.call(Call.EXIT_GROUP, 0);
    }
}
