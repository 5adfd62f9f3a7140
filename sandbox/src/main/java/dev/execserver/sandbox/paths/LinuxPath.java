package dev.execserver.sandbox.paths;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * An absolute path without empty, {@code .} and {@code ..} components. It holds the bytes of the kernel, in any encoding.
 * Paths are ordered by number of components, then by bytes, so parents come before children. Immutable.
 */
public final class LinuxPath implements Comparable<LinuxPath> {
    public static final LinuxPath ROOT = new LinuxPath("/");

    /** One char per byte (ISO 8859-1), so that String compares, hashes and searches bytes. */
    private final String raw;

    private LinuxPath(String raw) {
        this.raw = raw;
    }

    /**
     * Returns the path. {@code ..} is resolved lexically.
     *
     * @throws IllegalArgumentException if it is not absolute or holds a NUL byte
     */
    public static LinuxPath of(byte[] path) {
        return ofRaw(new String(path, StandardCharsets.ISO_8859_1));
    }

    /** Returns the path of text in UTF-8, as {@link #of(byte[])} does. */
    public static LinuxPath of(String path) {
        return of(path.getBytes(StandardCharsets.UTF_8));
    }

    private static LinuxPath ofRaw(String path) {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("path is not absolute: " + decode(path));
        }
        return ROOT.resolveRaw(path);
    }

    /**
     * Resolves a path against this one. An absolute path replaces it. {@code ..} is resolved lexically and stays at the root.
     */
    public LinuxPath resolve(byte[] path) {
        return resolveRaw(new String(path, StandardCharsets.ISO_8859_1));
    }

    /** Resolves text in UTF-8, as {@link #resolve(byte[])} does. */
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

    /** Returns the entry of that name in this directory. The name is one component, neither {@code .} nor {@code ..}. */
    public LinuxPath child(byte[] name) {
        return childRaw(new String(name, StandardCharsets.ISO_8859_1));
    }

    /** Returns the entry whose name is text in UTF-8, as {@link #child(byte[])} does. */
    public LinuxPath child(String name) {
        return child(name.getBytes(StandardCharsets.UTF_8));
    }

    private LinuxPath childRaw(String name) {
        if (name.isEmpty() || name.equals(".") || name.equals("..") || name.indexOf('/') >= 0) {
            throw new IllegalArgumentException("not the name of an entry: " + decode(name));
        }
        return new LinuxPath(isRoot() ? "/" + name : raw + "/" + name);
    }

    /** Returns the parent directory; the root is its own parent. */
    public LinuxPath parent() {
        int slash = raw.lastIndexOf('/');
        return slash <= 0 ? ROOT : new LinuxPath(raw.substring(0, slash));
    }

    /** Returns the last component; empty for the root. */
    public byte[] name() {
        return raw.substring(raw.lastIndexOf('/') + 1).getBytes(StandardCharsets.ISO_8859_1);
    }

    public boolean isRoot() {
        return raw.length() == 1;
    }

    /** Returns true if this path is the directory or lies below it. */
    public boolean startsWith(LinuxPath directory) {
        return directory.isRoot()
                || raw.startsWith(directory.raw)
                        && (raw.length() == directory.raw.length() || raw.charAt(directory.raw.length()) == '/');
    }

    /** Returns true if this path lies below the directory; false for the directory itself. */
    public boolean below(LinuxPath directory) {
        return startsWith(directory) && !equals(directory);
    }

    /** Returns the number of components, 0 for the root. */
    public int depth() {
        return isRoot() ? 0 : (int) raw.chars().filter(c -> c == '/').count();
    }

    /** Returns the paths from the root down to this one, both included. */
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

    /** Returns the part behind the directory and its slash; empty for the directory itself. */
    public byte[] relativeTo(LinuxPath directory) {
        if (!startsWith(directory)) {
            throw new IllegalArgumentException(this + " does not lie below " + directory);
        }
        int from = directory.isRoot() ? 1 : Math.min(raw.length(), directory.raw.length() + 1);
        return raw.substring(from).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Returns a copy of the bytes, for system calls. */
    public byte[] bytes() {
        return raw.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Returns text for people: UTF-8, with U+FFFD for other bytes. */
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
