package dev.execserver.sandbox.limits;

import dev.execserver.sandbox.ledger.Ledger;
import dev.execserver.sandbox.linux.FileCalls;
import dev.execserver.sandbox.linux.LinuxException;
import dev.execserver.sandbox.spawn.Retry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The control groups of this server. The server makes one directory of its own in each hierarchy when the first command needs
 * it, and below that one group for each command. The {@link Ledger} lists the directories, so that the guardian removes them
 * after the server was killed. A group in which something still runs is removed by the retrying thread when it is empty. File
 * workers call it.
 */
public final class ControlGroups implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ControlGroups.class.getName());

    private static final String REMEDY = "; delegate a control group with that controller to the server (systemd:"
            + " Delegate=yes), or leave the limit out";

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Controller, Own> own = new EnumMap<>(Controller.class);
    /** Groups of commands that have left something running, or whose processes are still ending. */
    private final Set<Path> busy = ConcurrentHashMap.newKeySet();

    private final Retry retry = new Retry("control-groups", this::removeIdle);

    private final AtomicLong numbers = new AtomicLong();
    private final AtomicLong sessions = new AtomicLong();
    private final String name;
    private final Ledger ledger;
    private final GroupTotals ofServer;
    private final GroupTotals ofSessions;

    /** A directory of this server in a hierarchy. */
    private record Own(boolean unified, Path path, Path home, Ledger.Entry entry) {}

    /** A controller of control groups. */
    enum Controller {
        MEMORY("memory"),
        PIDS("pids"),
        /** Processor time in version 1. In version 2 every group counts it without a controller. */
        CPU("cpuacct");

        private final String word;

        Controller(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }

    /**
     * @param name directory name of this server, unique among all servers
     * @param ofServer bounds of all commands together
     * @param ofSessions bounds of the commands of each session together
     */
    public ControlGroups(String name, Ledger ledger, GroupTotals ofServer, GroupTotals ofSessions) {
        this.name = name;
        this.ledger = ledger;
        this.ofServer = ofServer;
        this.ofSessions = ofSessions;
    }

    /** Returns the groups of a new session. They are made when they are needed. */
    public SessionGroup session() {
        return new SessionGroup(this, "s" + sessions.incrementAndGet());
    }

    GroupTotals ofSessions() {
        return ofSessions;
    }

    /**
     * Makes groups possible where a service manager has delegated a group of version 2 to this server; moves its processes within
     * that group. Call it once, at the start of a server.
     */
    public static void takeDelegated() {
        try {
            Optional<Path> group = Hierarchy.ownUnified();
            if (group.isPresent()) {
                Delegation.prepare(group.get(), List.of(Controller.MEMORY.word(), Controller.PIDS.word()));
            }
        } catch (IOException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "the delegated control group cannot be used, so commands cannot have limits of processes and memory: {0}",
                    e.toString());
        }
    }

    /** Returns true if groups can be made for everything that these limits count, as they can for a command. Reads files. */
    public static boolean canBound(GroupTotals limits) {
        return limits.byController().keySet().stream().allMatch(controller -> canMake(controller.word()));
    }

    /** Returns the controllers with which this process can make no groups, by name. Makes none; reads files. */
    public static List<String> unavailable() {
        return Arrays.stream(Controller.values())
                .map(Controller::word)
                .filter(word -> !canMake(word))
                .toList();
    }

    private static boolean canMake(String controller) {
        try {
            return Hierarchy.of(controller).isPresent();
        } catch (IOException withoutProc) {
            LOG.log(System.Logger.Level.DEBUG, "no control groups: {0}", withoutProc.toString());
            return false;
        }
    }

    /**
     * Makes a group for one command. Memory and processor time are counted where possible, even without a limit.
     *
     * @return empty if nothing is limited and nothing can be counted
     * @throws LimitRefusedException if this machine has no group for one of the limits
     */
    Optional<ControlGroup> make(Map<Controller, Long> limits, SessionGroup session) {
        Map<Controller, Long> wanted = new EnumMap<>(Controller.class);
        wanted.putAll(limits);
        for (GroupTotals totals : List.of(ofServer, ofSessions)) {
            totals.byController().keySet().forEach(bounded -> wanted.putIfAbsent(bounded, ControlGroup.UNLIMITED));
        }
        for (Controller counter : List.of(Controller.MEMORY, Controller.CPU)) {
            if (!wanted.containsKey(counter) && available(counter)) {
                wanted.put(counter, ControlGroup.UNLIMITED);
            }
        }
        return wanted.isEmpty() ? Optional.empty() : Optional.of(makeAll(wanted, session));
    }

    private boolean available(Controller counter) {
        try {
            return Files.isDirectory(own(counter).path());
        } catch (LimitRefusedException | IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "not counted: {0}", e.getMessage());
            return false;
        }
    }

    private ControlGroup makeAll(Map<Controller, Long> limits, SessionGroup session) {
        List<ControlGroup.Part> parts = new ArrayList<>();
        String name = "p" + numbers.incrementAndGet();
        try {
            for (Map.Entry<Controller, Long> limit : limits.entrySet()) {
                Own parent = own(limit.getKey());
                Path path = session.below(parent.path(), limit.getKey(), parent.unified())
                        .resolve(name);
                if (!Files.isDirectory(path)) {
                    Files.createDirectory(path);
                }
                ControlGroup.Part part = new ControlGroup.Part(limit.getKey(), parent.unified(), path);
                parts.add(part);
                if (limit.getValue() != ControlGroup.UNLIMITED) {
                    part.limit(limit.getValue());
                }
            }
            return new ControlGroup(parts, this::later);
        } catch (IOException e) {
            new ControlGroup(parts, this::later).close();
            throw new LimitRefusedException("a control group cannot be set up: " + e + REMEDY);
        }
    }

    private Own own(Controller controller) throws IOException {
        lock.lock();
        try {
            Own known = own.get(controller);
            if (known != null) {
                return known;
            }
            Hierarchy hierarchy = Hierarchy.of(controller.word())
                    .orElseThrow(() ->
                            new LimitRefusedException("this server may make no control groups with the controller `"
                                    + controller.word() + "`" + REMEDY));
            Path path = hierarchy.parent().resolve(name);
            Ledger.Entry entry = make(path, controller, hierarchy.unified());
            Own made = new Own(hierarchy.unified(), path, hierarchy.home(), entry);
            own.put(controller, made);
            return made;
        } finally {
            lock.unlock();
        }
    }

    /** Makes the directory unless it exists: version 2 has one for all controllers, version 1 may have one for two of them. */
    private Ledger.Entry make(Path path, Controller controller, boolean unified) throws IOException {
        byte[] bytes = path.toString().getBytes(StandardCharsets.UTF_8);
        Ledger.Entry entry = ledger.intend(Ledger.Kind.GROUP, bytes)
                .orElseThrow(() -> new NoSuchFileException(path.getParent().toString()));
        try {
            makeParent(path, unified);
            bound(path, controller, unified, ofServer);
            entry.identify(FileCalls.status(bytes, false));
            return entry;
        } catch (IOException | LinuxException e) {
            entry.close();
            throw e;
        }
    }

    /** Makes a directory for groups unless it exists. */
    static void makeParent(Path path, boolean unified) throws IOException {
        if (Files.isDirectory(path)) {
            return;
        }
        Files.createDirectory(path);
        Path hierarchical = path.resolve("memory.use_hierarchy");
        if (unified) {
            Files.writeString(path.resolve("cgroup.subtree_control"), "+memory +pids");
        } else if (Files.exists(hierarchical)) { // version 1 counts children only then; newer kernels do always
            Files.writeString(hierarchical, "1");
        }
    }

    /** Sets the bound of a directory for one controller, if it has one. */
    static void bound(Path path, Controller controller, boolean unified, GroupTotals totals) throws IOException {
        Long bound = totals.byController().get(controller);
        if (bound != null) {
            new ControlGroup.Part(controller, unified, path).limit(bound);
        }
    }

    /** Removes a group now, or when nothing runs in it any more. */
    void removeLater(Path group) {
        if (!ControlGroup.removed(group)) {
            later(group);
        }
    }

    private void later(Path group) {
        busy.add(group);
        retry.start();
    }

    private boolean removeIdle() {
        busy.removeIf(ControlGroups::remove);
        return busy.isEmpty();
    }

    /** Removes all groups. Processes that commands have left running are moved to the group of the server and go on. */
    @Override
    public void close() {
        retry.close();
        lock.lock();
        try {
            for (Path group : busy) {
                own.values().stream()
                        .filter(each -> group.startsWith(each.path()))
                        .findFirst()
                        .ifPresent(each -> evict(group, each.home().resolve("cgroup.procs")));
            }
            own.values().stream().map(Own::path).distinct().forEach(ControlGroups::removeAll);
            own.values().forEach(group -> group.entry().close());
            own.clear();
        } finally {
            lock.unlock();
        }
    }

    private static void evict(Path group, Path target) {
        try {
            for (String pid : Files.readAllLines(group.resolve("cgroup.procs"))) {
                Files.writeString(target, pid);
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "processes stay in the control group {0}: {1}", group, e.toString());
        }
    }

    private static void removeAll(Path group) {
        removeBelow(group);
        if (Files.exists(group) && !remove(group)) {
            LOG.log(System.Logger.Level.WARNING, "the control group {0} stays: something runs in it", group);
        }
    }

    /** Removes the groups of commands, and of sessions around them. */
    private static void removeBelow(Path group) {
        try (DirectoryStream<Path> children = Files.newDirectoryStream(group, path -> Files.isDirectory(path))) {
            for (Path child : children) {
                removeBelow(child);
                boolean _ = remove(child);
            }
        } catch (NoSuchFileException | NotDirectoryException e) {
            LOG.log(System.Logger.Level.TRACE, "already gone: {0}", group);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "cannot look into the control group {0}: {1}", group, e.toString());
        }
    }

    /** Removes a group. Returns false while a process runs in it. */
    static boolean remove(Path group) {
        try {
            Files.deleteIfExists(group);
            return true;
        } catch (IOException e) { // EBUSY
            return false;
        }
    }

    static Optional<Long> number(Path file, String... label) {
        try {
            for (String line : Files.readAllLines(file)) {
                String[] words = line.strip().split(" ");
                if (label.length == 0) {
                    return Optional.of(Long.valueOf(words[0]));
                }
                if (words[0].equals(label[0]) && words.length == 2) {
                    return Optional.of(Long.valueOf(words[1]));
                }
            }
        } catch (IOException | NumberFormatException e) {
            LOG.log(System.Logger.Level.DEBUG, "cannot read {0}: {1}", file, e.toString());
        }
        return Optional.empty();
    }
}
