package dev.execserver.sandbox.paths;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** A file system in memory. Parents are made as needed. Every path has its own inode. */
public final class MemoryFiles implements FileView {
    private record Node(Kind kind, byte[] content, long inode) {}

    private final Map<LinuxPath, Node> nodes = new TreeMap<>();
    private final Set<LinuxPath> closed = new HashSet<>();
    private final Set<LinuxPath> fixed = new HashSet<>();

    public MemoryFiles() {
        put(LinuxPath.ROOT, Kind.DIRECTORY, "");
    }

    public MemoryFiles directory(String... paths) {
        for (String path : paths) {
            put(LinuxPath.of(path), Kind.DIRECTORY, "");
        }
        return this;
    }

    public MemoryFiles file(String path, String content) {
        put(LinuxPath.of(path), Kind.REGULAR, content);
        return this;
    }

    public MemoryFiles file(String path, byte[] content) {
        file(path, "");
        LinuxPath key = LinuxPath.of(path);
        nodes.put(key, new Node(Kind.REGULAR, content, nodes.get(key).inode()));
        return this;
    }

    public MemoryFiles files(String... paths) {
        for (String path : paths) {
            file(path, "x");
        }
        return this;
    }

    public MemoryFiles link(String path, String target) {
        put(LinuxPath.of(path), Kind.SYMLINK, target);
        return this;
    }

    /** Makes the directory and its entries unreadable. */
    public MemoryFiles closed(String directory) {
        directory(directory);
        closed.add(LinuxPath.of(directory));
        return this;
    }

    /** Makes the directory refuse new entries. */
    public MemoryFiles fixed(String directory) {
        fixed.add(LinuxPath.of(directory));
        return this;
    }

    private void put(LinuxPath path, Kind kind, String content) {
        if (!path.isRoot() && !nodes.containsKey(path.parent())) {
            put(path.parent(), Kind.DIRECTORY, "");
        }
        nodes.put(path, new Node(kind, content.getBytes(StandardCharsets.UTF_8), nodes.size()));
    }

    @Override
    public Optional<Status> status(LinuxPath path) throws NotAccessibleException {
        checkOpen(path);
        return Optional.ofNullable(nodes.get(path))
                .map(node -> new Status(node.kind(), new FileId(1, node.inode()), node.content().length));
    }

    @Override
    public byte[] readLink(LinuxPath link) throws NotAccessibleException {
        checkOpen(link);
        return nodes.get(link).content();
    }

    @Override
    public List<Child> list(LinuxPath directory) throws NotAccessibleException {
        checkOpen(directory.child("x"));
        return nodes.entrySet().stream()
                .filter(node ->
                        !node.getKey().isRoot() && node.getKey().parent().equals(directory))
                .map(node -> new Child(node.getKey().name(), node.getValue().kind()))
                .toList();
    }

    @Override
    public Optional<byte[]> read(LinuxPath file, int maxBytes) throws NotAccessibleException {
        checkOpen(file);
        return Optional.ofNullable(nodes.get(file))
                .map(node -> Arrays.copyOf(node.content(), Math.min(maxBytes, node.content().length)));
    }

    @Override
    public Optional<String> version(LinuxPath file) throws NotAccessibleException {
        checkOpen(file);
        return Optional.ofNullable(nodes.get(file)).map(node -> Arrays.toString(node.content()));
    }

    @Override
    public Optional<byte[]> readWhole(LinuxPath file, int maxBytes) throws NotAccessibleException {
        return read(file, maxBytes + 1).filter(content -> content.length <= maxBytes);
    }

    @Override
    public boolean creatable(LinuxPath directory) {
        return !fixed.contains(directory);
    }

    private void checkOpen(LinuxPath path) throws NotAccessibleException {
        for (LinuxPath directory : closed) {
            if (path.below(directory)) {
                throw new NotAccessibleException("statx " + path + ": Permission denied (os error 13)", null);
            }
        }
    }
}
