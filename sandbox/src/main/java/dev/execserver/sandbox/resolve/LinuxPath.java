package dev.execserver.sandbox.resolve;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * An absolute path without empty, {@code .} and {@code ..} components. The bytes are the kernel's, in whatever encoding.
 * Ordered by number of components, then by bytes: what lies above comes first. Immutable.
 */
public final class LinuxPath implements Comparable<LinuxPath> {
    public static final LinuxPath ROOT = new LinuxPath("/");

    /** One char per byte (ISO 8859-1): comparing, hashing and searching are those of String. */
    private final String raw;

    private LinuxPath(String raw) {
        this.raw = raw;
    }

    /**
     * The path, {@code ..} taken lexically.
     *
     * @throws IllegalArgumentException when it is not absolute or holds a NUL byte
     */
    public static LinuxPath of(byte[] path) {
        return ofRaw(new String(path, StandardCharsets.ISO_8859_1));
    }

    /** As {@link #of(byte[])}, from text in UTF-8. */
    public static LinuxPath of(String path) {
        return of(path.getBytes(StandardCharsets.UTF_8));
    }

    private static LinuxPath ofRaw(String path) {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("path is not absolute: " + decode(path));
        }
        return ROOT.resolveRaw(path);
    }

    /** Below this path, or instead of it when absolute; {@code ..} taken lexically, staying at the root. */
    public LinuxPath resolve(byte[] path) {
        return resolveRaw(new String(path, StandardCharsets.ISO_8859_1));
    }

    /** As {@link #resolve(byte[])}, from text in UTF-8. */
    public LinuxPath resolve(String path) {
        return resolve(path.getBytes(StandardCharsets.UTF_8));
    }

    private LinuxPath resolveRaw(String path) {
        if (path.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("path holds a NUL byte: " + decode(path));
        }
        StringBuilder result = new StringBuilder(path.startsWith("/") || isRoot() ? "" : raw);
        for (String component : path.split("/")) {
            switch (component) {
                case "", "." -> {}
                case ".." -> result.setLength(Math.max(0, result.lastIndexOf("/")));
                default -> result.append('/').append(component);
            }
        }
        return result.isEmpty() ? ROOT : new LinuxPath(result.toString());
    }

    /** The entry of that name in this directory. The name is one component, neither {@code .} nor {@code ..}. */
    public LinuxPath child(byte[] name) {
        return childRaw(new String(name, StandardCharsets.ISO_8859_1));
    }

    /** As {@link #child(byte[])}, from text in UTF-8. */
    public LinuxPath child(String name) {
        return child(name.getBytes(StandardCharsets.UTF_8));
    }

    private LinuxPath childRaw(String name) {
        if (name.isEmpty() || name.equals(".") || name.equals("..") || name.indexOf('/') >= 0) {
            throw new IllegalArgumentException("not the name of an entry: " + decode(name));
        }
        return new LinuxPath(isRoot() ? "/" + name : raw + "/" + name);
    }

    /** The directory it lies in; the root is its own parent. */
    public LinuxPath parent() {
        int slash = raw.lastIndexOf('/');
        return slash <= 0 ? ROOT : new LinuxPath(raw.substring(0, slash));
    }

    /** The last component; empty for the root. */
    public byte[] name() {
        return raw.substring(raw.lastIndexOf('/') + 1).getBytes(StandardCharsets.ISO_8859_1);
    }

    public boolean isRoot() {
        return raw.length() == 1;
    }

    /** Whether this is the directory or lies below it. */
    public boolean startsWith(LinuxPath directory) {
        return directory.isRoot()
                || raw.startsWith(directory.raw)
                        && (raw.length() == directory.raw.length() || raw.charAt(directory.raw.length()) == '/');
    }

    /** Whether it lies below the directory. */
    public boolean below(LinuxPath directory) {
        return startsWith(directory) && !equals(directory);
    }

    /** Number of components, 0 for the root. */
    public int depth() {
        return isRoot() ? 0 : (int) raw.chars().filter(c -> c == '/').count();
    }

    /** From the root down to this path, both included. */
    public List<LinuxPath> lineage() {
        List<LinuxPath> lineage = new ArrayList<>();
        lineage.add(ROOT);
        for (int slash = raw.indexOf('/', 1); slash > 0; slash = raw.indexOf('/', slash + 1)) {
            lineage.add(new LinuxPath(raw.substring(0, slash)));
        }
        if (!isRoot()) {
            lineage.add(this);
        }
        return lineage;
    }

    /** What comes after the directory and its slash; empty for the directory itself. */
    public byte[] relativeTo(LinuxPath directory) {
        if (!startsWith(directory)) {
            throw new IllegalArgumentException(this + " does not lie below " + directory);
        }
        int from = directory.isRoot() ? 1 : Math.min(raw.length(), directory.raw.length() + 1);
        return raw.substring(from).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The bytes for the kernel. A copy. */
    public byte[] bytes() {
        return raw.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** For people: UTF-8, other bytes show as U+FFFD. */
    @Override
    public String toString() {
        return decode(raw);
    }

    @Override
    public int compareTo(LinuxPath other) {
        int byDepth = Integer.compare(depth(), other.depth());
        return byDepth != 0 ? byDepth : raw.compareTo(other.raw);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LinuxPath that && raw.equals(that.raw);
    }

    @Override
    public int hashCode() {
        return raw.hashCode();
    }

    private static String decode(String raw) {
        return new String(raw.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }
}
