package dev.execserver.server.sandbox.toml;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.Access;
import dev.execserver.protocol.permissions.Entry;
import dev.execserver.protocol.permissions.PolicyPath;
import dev.execserver.protocol.permissions.SpecialPath;
import dev.execserver.protocol.rpc.RpcException;
import java.util.Arrays;
import java.util.Optional;

/**
 * Turns the keys of a table {@code filesystem} into entries: special names, absolute paths, paths below the home folder, globs.
 *
 * @param home folder for which {@code ~} stands
 */
record FilePaths(Optional<String> home) {
    /** Key for the path itself in a table of paths below it. */
    static final String ITSELF = ".";

    /** Beginning of a glob that is relative to each workspace root. */
    static final String IN_ROOTS = "codex-project-roots://";

    private static final String BELOW = "/**";

    /**
     * Makes an entry.
     *
     * @param path key of the table {@code filesystem}
     * @param below key of the table of that path; {@link #ITSELF} if there is none
     * @throws RpcException if there is no such path
     */
    Entry entry(String path, String below, Access access) {
        boolean itself = below.equals(ITSELF);
        String last = itself ? path : below;
        boolean glob = isGlob(path) || !itself && isGlob(below);
        if (glob && access.readable()) {
            last = last.endsWith(BELOW) ? last.substring(0, last.length() - BELOW.length()) : last;
            if (isGlob(last) || !itself && isGlob(path)) {
                throw RpcException.invalidParams("the glob `" + (itself ? path : path + "/" + below)
                        + "` can only be denied; give an exact path, or one that ends with /**");
            }
            glob = false;
        }
        if (!itself) {
            requireBelow(last);
        }
        String base = itself ? last : path;
        Optional<String> subpath = itself ? Optional.empty() : Optional.of(last);
        return new Entry(base.startsWith(":") ? special(base, subpath, glob) : plain(base, subpath, glob), access);
    }

    private static PolicyPath special(String name, Optional<String> subpath, boolean glob) {
        SpecialPath special = switch (name) {
            case ":root" -> new SpecialPath.Root();
            case ":minimal" -> new SpecialPath.Minimal();
            case ":workspace_roots", ":project_roots" -> new SpecialPath.ProjectRoots(subpath);
            case ":tmpdir" -> new SpecialPath.Tmpdir();
            case ":slash_tmp" -> new SpecialPath.SlashTmp();
            default ->
                throw RpcException.invalidParams("there is no special path `" + name
                        + "`; known are :root, :minimal, :workspace_roots, :tmpdir, :slash_tmp");
        };
        boolean roots = special instanceof SpecialPath.ProjectRoots;
        if (subpath.isPresent() && !roots) {
            throw RpcException.invalidParams("there are no paths below `" + name + "`");
        }
        return glob ? new PolicyPath.Glob(IN_ROOTS + subpath.orElseThrow()) : new PolicyPath.Special(special);
    }

    private PolicyPath plain(String base, Optional<String> subpath, boolean glob) {
        String whole = absolute(base) + subpath.map(below -> "/" + below).orElse("");
        return glob ? new PolicyPath.Glob(whole) : new PolicyPath.Exact(PathUri.ofNative(whole));
    }

    /** Returns the absolute path for one that may begin with the home folder. */
    String absolute(String path) {
        if (path.equals("~") || path.startsWith("~/")) {
            return home.orElseThrow(() ->
                            RpcException.invalidParams("`" + path + "` needs the home folder, and HOME is not set"))
                    + path.substring(1);
        }
        if (!path.startsWith("/")) {
            throw RpcException.invalidParams(
                    "`" + path + "` must be absolute, begin with ~/, or be a special path such as :workspace_roots");
        }
        return path;
    }

    private static void requireBelow(String subpath) {
        boolean good = !subpath.isEmpty()
                && Arrays.stream(subpath.split("/", -1))
                        .noneMatch(part -> part.isEmpty() || part.equals(".") || part.equals(".."));
        if (!good) {
            throw RpcException.invalidParams(
                    "`" + subpath + "` must be a relative path without empty parts, `.` and `..`");
        }
    }

    private static boolean isGlob(String path) {
        return path.chars().anyMatch(character -> "*?[]".indexOf(character) >= 0);
    }
}
