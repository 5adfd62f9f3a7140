package dev.execserver.sandbox.limits;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The control group, version 2, that a service manager has delegated to this server: {@code Delegate=yes} of systemd. In version 2 a
 * group that has processes of its own cannot give controllers to groups below it, see "no internal processes" in cgroups(7). So all
 * processes of the delegated group move into a group below it first. Stateless; touches files.
 */
final class Delegation {
    private static final System.Logger LOG = System.getLogger(Delegation.class.getName());

    /** Group below the delegated one for the server itself, and for commands without limits. */
    static final String OF_SERVER = "server";

    /** Extended attribute {@code user.delegate} with the value 1, by which systemd (251 and newer) marks such a group. */
    private static final String MARK = "delegate";

    /** Processes may be made while others are moved. */
    private static final int MAX_ROUNDS = 100;

    private Delegation() {}

    /** Returns the delegated group: the one that this server is in, or the one above. */
    static Optional<Path> of(Path own) {
        return Arrays.asList(own, own.getParent()).stream()
                .filter(group -> group != null && marked(group))
                .findFirst();
    }

    private static boolean marked(Path group) {
        try {
            UserDefinedFileAttributeView attributes =
                    Files.getFileAttributeView(group, UserDefinedFileAttributeView.class);
            if (attributes == null || !attributes.list().contains(MARK)) {
                return false;
            }
            return new String((byte[]) Files.getAttribute(group, "user:" + MARK), StandardCharsets.US_ASCII)
                    .equals("1");
        } catch (IOException | UnsupportedOperationException e) {
            return false; // no such attributes here, or no such group
        }
    }

    /**
     * Makes groups with these controllers possible below the delegated group. Has no effect where nothing is delegated.
     *
     * @param own the group that this server is in
     */
    static void prepare(Path own, Collection<String> controllers) throws IOException {
        Optional<Path> delegated = of(own);
        if (delegated.isEmpty()) {
            return;
        }
        List<String> missing = controllers.stream()
                .filter(words(delegated.get(), "cgroup.controllers")::contains)
                .filter(controller ->
                        !words(delegated.get(), "cgroup.subtree_control").contains(controller))
                .toList();
        if (missing.isEmpty()) {
            return;
        }
        if (delegated.get().equals(own)) {
            moveAll(own);
        }
        for (String controller : missing) {
            Files.writeString(delegated.get().resolve("cgroup.subtree_control"), "+" + controller);
        }
    }

    private static List<String> words(Path group, String file) {
        try {
            return Arrays.asList(Files.readString(group.resolve(file)).strip().split(" "));
        } catch (IOException e) {
            return List.of();
        }
    }

    private static void moveAll(Path group) throws IOException {
        Path target = group.resolve(OF_SERVER);
        if (!Files.isDirectory(target)) {
            Files.createDirectory(target);
        }
        List<String> pids = Files.readAllLines(group.resolve("cgroup.procs"));
        for (int round = 0; !pids.isEmpty() && round < MAX_ROUNDS; round++) {
            for (String pid : pids) {
                move(pid, target);
            }
            pids = Files.readAllLines(group.resolve("cgroup.procs"));
        }
    }

    private static void move(String pid, Path target) throws IOException {
        try {
            Files.writeString(target.resolve("cgroup.procs"), pid);
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException e) { // ESRCH: it has ended
            LOG.log(System.Logger.Level.DEBUG, "process {0} was not moved: {1}", pid, e.toString());
        }
    }
}
