package dev.execserver.sandbox.bwrap;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.sandbox.linux.DirectoryCalls;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.paths.CrossedLink;
import dev.execserver.sandbox.paths.FileId;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.ProcPlaces;
import dev.execserver.sandbox.resolve.ResolvedPolicy;
import dev.execserver.sandbox.resolve.Rule;
import dev.execserver.sandbox.resolve.RuleTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Turns the rules of a policy into mounts. Parents come before children, so that deeper mounts cover the earlier ones. Used
 * by one thread.
 */
final class ViewBuilder {
    private static final LinuxPath DEV = LinuxPath.of("/dev");
    private static final LinuxPath SHM = LinuxPath.of("/dev/shm");
    private static final LinuxPath TMP = LinuxPath.of("/tmp");
    private static final LinuxPath PROC = ProcPlaces.PROC;
    private static final LinuxPath PROC_SYS = LinuxPath.of("/proc/sys");

    /** Devices that bubblewrap makes in each /dev. A bind of the host's file would disable the device (MS_NODEV). */
    private static final Set<LinuxPath> OWN_DEVICES = Stream.of(
                    "null", "zero", "full", "random", "urandom", "tty", "ptmx")
            .map(DEV::child)
            .collect(Collectors.toUnmodifiableSet());

    private static final int MAX_DECOYS = 256;

    /** Size of a separate /tmp, which is in memory. */
    static final long SCRATCH_BYTES = 1L << 30;

    private final ResolvedPolicy policy;
    private final Proc proc;
    private final BwrapArguments arguments;
    private final MaskFiles blanks;
    private final Placeholders.Lease lease;
    /** Masks that can be passed; they become read-only after everything below them is mounted. */
    private final List<LinuxPath> openMasks = new ArrayList<>();

    private final ViewCheck check = new ViewCheck();

    /** The kind of /tmp in a view without the host's. */
    enum Scratch {
        /** Nothing can be written: for programs whose output there would be lost unnoticed. */
        NONE,
        BOUNDED,
        /** As large as the kernel allows, half of the memory: this bubblewrap has no size option. */
        UNBOUNDED
    }

    /** The kind of mount at /proc. */
    enum Proc {
        FRESH,
        /** An empty directory: the host's /proc would lead to the files of every process of the same user. */
        EMPTY,
        /** The host's /proc with its processes. */
        INHERITED
    }

    private ViewBuilder(
            ResolvedPolicy policy, Proc proc, BwrapArguments arguments, MaskFiles blanks, Placeholders.Lease lease) {
        this.policy = policy;
        this.proc = proc;
        this.arguments = arguments;
        this.blanks = blanks;
        this.lease = lease;
    }

    /**
     * Adds the options of a view.
     *
     * @param scratch the /tmp of a view without the host's
     * @param lease placeholders that the policy needs
     * @return a check that compares the finished view with these options
     */
    static ViewCheck build(
            ResolvedPolicy policy,
            Proc proc,
            Scratch scratch,
            MaskFiles blanks,
            Placeholders.Lease lease,
            BwrapArguments arguments) {
        ViewBuilder view = new ViewBuilder(policy, proc, arguments, blanks, lease);
        view.base();
        view.special();
        view.scratch(scratch);
        for (CrossedLink link : policy.aliases()) {
            arguments.add("--symlink").put(link.target()).put(link.path().bytes());
        }
        policy.rules().forEach(view::apply);
        view.openMasks.reversed().forEach(mask -> arguments.add("--remount-ro", mask));
        view.seal();
        return view.check;
    }

    private void base() {
        if (root(policy).readable()) {
            check.rootBound();
        }
        switch (root(policy)) {
            case WRITE -> arguments.add("--bind", LinuxPath.ROOT, LinuxPath.ROOT);
            case READ -> arguments.add("--ro-bind", LinuxPath.ROOT, LinuxPath.ROOT);
            case DENY -> arguments.add("--tmpfs", LinuxPath.ROOT);
        }
    }

    /** Adds a separate /tmp if the view has its own root and none of the host, because most programs need one. */
    private void scratch(Scratch scratch) {
        boolean named = policy.governing(TMP).isPresent()
                || policy.aliases().stream().anyMatch(link -> link.path().equals(TMP));
        if (root(policy).readable() || named || scratch == Scratch.NONE) {
            return;
        }
        if (scratch == Scratch.BOUNDED) {
            arguments.add("--size", Long.toString(SCRATCH_BYTES));
        }
        arguments.add("--perms", "1777").add("--tmpfs", TMP);
        check.own(TMP);
    }

    /**
     * Makes the parts of the view that are not files of the host read-only after all mounts, because files written there
     * would be lost unnoticed. /dev/shm and /tmp stay writable.
     */
    private void seal() {
        arguments.add("--remount-ro", DEV);
        if (!root(policy).readable()) {
            arguments.add("--remount-ro", LinuxPath.ROOT);
        }
    }

    private static Access root(ResolvedPolicy policy) {
        return policy.kind() == ResolvedPolicy.Kind.UNRESTRICTED
                ? Access.WRITE
                : policy.rules().stream()
                        .filter(rule -> rule.path().isRoot())
                        .findFirst()
                        .map(Rule::access)
                        .orElse(Access.DENY);
    }

    /**
     * Mounts /dev and /proc. Root can write a fresh /proc, and bubblewrap leaves /proc/sys writable. There a command could
     * set the program that the kernel runs for core dumps, outside of every sandbox. So /proc/sys becomes read-only.
     */
    private void special() {
        arguments.add("--dev", DEV);
        arguments.add("--perms", "1777").add("--tmpfs", SHM);
        check.own(PROC);
        switch (proc) {
            case FRESH -> {
                arguments.add("--proc", PROC).add("--ro-bind", PROC_SYS, PROC_SYS);
                check.own(PROC_SYS);
            }
            case EMPTY -> mask("555", PROC);
            case INHERITED -> arguments.add("--ro-bind", PROC, PROC);
        }
    }

    private void apply(Rule rule) {
        if (rule.path().isRoot() || (rule.access().readable() ? replaced(rule.path()) : absent(rule.path()))) {
            return;
        }
        switch (rule.found()) {
            case RuleTarget.Missing(LinuxPath first) -> block(first, rule);
            case RuleTarget.Directory _ -> directory(rule);
            case RuleTarget.File _ -> file(rule);
        }
    }

    /**
     * Returns true if the sandbox has its own file there. Everything below the host's /proc belongs to the host's processes.
     */
    private static boolean replaced(LinuxPath path) {
        return path.equals(DEV) || OWN_DEVICES.contains(path) || path.startsWith(PROC);
    }

    /** Returns true if the path is not in the view: nothing could be mounted there, or only on another process. */
    private boolean absent(LinuxPath path) {
        return path.below(PROC)
                && switch (proc) {
                    case FRESH -> ProcPlaces.ofOneProcess(path);
                    case EMPTY -> true;
                    case INHERITED -> false;
                };
    }

    private void directory(Rule rule) {
        switch (rule.access()) {
            case WRITE, READ -> bind(rule);
            case DENY -> {
                check.masked(rule.path());
                if (policy.opensBelow(rule.path())) {
                    arguments.add("--perms", "111").add("--tmpfs", rule.path());
                    openMasks.add(rule.path());
                    decoys(rule.path());
                } else {
                    mask("000", rule.path());
                }
            }
        }
    }

    /**
     * Adds entries to a mask that can be passed. Hidden files in it would otherwise look as if they did not exist. Each
     * present file gets an entry that no process can open, up to a limit.
     */
    private void decoys(LinuxPath mask) {
        for (DirectoryCalls.Entry entry : firstEntries(mask)) {
            LinuxPath path = mask.child(entry.name());
            if (policy.rules().stream().noneMatch(rule -> rule.path().startsWith(path))) {
                arguments.add("--perms", "000").add("--dir", path);
            }
        }
    }

    private static List<DirectoryCalls.Entry> firstEntries(LinuxPath directory) {
        try (Fd fd = FileCalls.open(directory.bytes(), FileCalls.O_RDONLY | FileCalls.O_DIRECTORY, 0)) {
            List<DirectoryCalls.Entry> entries = DirectoryCalls.entries(fd);
            return entries.subList(0, Math.min(entries.size(), MAX_DECOYS));
        } catch (LinuxException e) {
            return List.of(); // the command could not read it either
        }
    }

    private void file(Rule rule) {
        switch (rule.access()) {
            case WRITE, READ -> bind(rule);
            case DENY -> {
                cover(rule.path(), blanks.denied());
            }
        }
    }

    private void bind(Rule rule) {
        if (!rule.access().writable() && alreadyReadOnly(rule)) {
            return;
        }
        arguments.add(rule.access().writable() ? "--bind" : "--ro-bind", rule.path(), rule.path());
        switch (rule.found()) {
            case RuleTarget.Directory(FileId id, boolean _) -> check.bound(rule.path(), id);
            case RuleTarget.File(FileId id, boolean _) -> check.bound(rule.path(), id);
            case RuleTarget.Missing _ -> {}
        }
    }

    /** Returns true if the parent is read-only already: then no mount is needed, which saves time. */
    private boolean alreadyReadOnly(Rule rule) {
        return policy.governing(rule.path().parent())
                .map(above -> above.access() == Access.READ)
                .orElse(false);
    }

    /** Mounts something at a missing name, so that it cannot be created. */
    private void block(LinuxPath first, Rule rule) {
        if (lease.impossible(first)) {
            return;
        }
        if (rule.origin() == Rule.Origin.PROTECTED_NAME) {
            // The command may read a file that the user makes there meanwhile.
            arguments.add("--ro-bind", first, first);
            check.bound(first, lease.id(first));
            return;
        }
        if (Placeholders.isDirectory(rule, first)) {
            check.masked(first);
            mask("555", first);
        } else {
            cover(first, rule.access().readable() ? blanks.readable() : blanks.denied());
        }
    }

    private void cover(LinuxPath path, MaskFiles.Blank blank) {
        arguments.add("--ro-bind", blank.path(), path);
        check.bound(path, blank.id());
    }

    private void mask(String permissions, LinuxPath path) {
        arguments.add("--perms", permissions).add("--tmpfs", path).add("--remount-ro", path);
    }
}
