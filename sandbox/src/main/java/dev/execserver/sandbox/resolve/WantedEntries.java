package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.Access;
import dev.execserver.protocol.permissions.Entry;
import dev.execserver.protocol.permissions.PolicyPath;
import dev.execserver.protocol.permissions.SpecialPath;
import dev.execserver.sandbox.glob.GlobPattern;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.PathWalk;
import dev.execserver.sandbox.paths.PolicyRefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Turns the names in entries into paths of this machine, and collects the unreadable globs. One thread uses it. */
final class WantedEntries {
    private static final String PROJECT_ROOTS = "codex-project-roots://";
    private static final LinuxPath SLASH_TMP = LinuxPath.of("/tmp");

    private final PolicyDirectories directories;
    private final PathWalk walk;
    private final List<ProfileEntry> wanted = new ArrayList<>();
    private final List<GlobPattern> globs = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    WantedEntries(PolicyDirectories directories, PathWalk walk) {
        this.directories = directories;
        this.walk = walk;
    }

    List<ProfileEntry> wanted() {
        return wanted;
    }

    List<GlobPattern> globs() {
        return globs;
    }

    List<String> warnings() {
        return warnings;
    }

    void add(Entry entry) {
        switch (entry.path()) {
            case PolicyPath.Exact(PathUri path) -> want(LinuxPath.of(path.bytes()), entry.access(), "path");
            case PolicyPath.Special(SpecialPath special) -> add(special, entry.access());
            case PolicyPath.Glob(String pattern) -> {
                if (entry.access().readable()) {
                    warnings.add(
                            "the entry for the glob `" + pattern + "` has no effect: a glob can only be denied, not \""
                                    + entry.access().wire() + "\"");
                } else {
                    addGlob(pattern);
                }
            }
        }
    }

    private void add(SpecialPath special, Access access) {
        switch (special) {
            case SpecialPath.Root() -> want(LinuxPath.ROOT, access, "root");
            case SpecialPath.Minimal() -> {}
            case SpecialPath.ProjectRoots(Optional<String> subpath) -> {
                for (LinuxPath root : directories.workspaceRoots()) {
                    want(subpath.map(root::resolve).orElse(root), access, "workspace root");
                }
            }
            case SpecialPath.Tmpdir() ->
                directories.tmpdir().ifPresent(path -> wanted.add(new ProfileEntry(path, access, "TMPDIR", true)));
            case SpecialPath.SlashTmp() -> {
                if (walk.locate(SLASH_TMP).directory()) {
                    want(SLASH_TMP, access, "/tmp");
                }
            }
            case SpecialPath.Unknown(String path, Optional<String> _) ->
                warnings.add("the special path `" + path + "` is not known here and grants nothing");
        }
    }

    private void want(LinuxPath path, Access access, String role) {
        wanted.add(new ProfileEntry(path, access, role, false));
    }

    private void addGlob(String pattern) {
        if (pattern.startsWith(PROJECT_ROOTS)) {
            String relative = pattern.substring(PROJECT_ROOTS.length());
            for (LinuxPath root : directories.workspaceRoots()) {
                globs.add(GlobPattern.compile(pattern, root, relative));
            }
        } else if (pattern.startsWith("~/")) {
            LinuxPath home = directories.home().orElseThrow(() -> noAnchor(pattern, "the user's home directory"));
            globs.add(GlobPattern.compile(pattern, home, pattern.substring(2)));
        } else if (pattern.startsWith("/")) {
            globs.add(GlobPattern.compile(pattern, LinuxPath.ROOT, pattern.substring(1)));
        } else {
            LinuxPath cwd =
                    directories.cwd().orElseThrow(() -> noAnchor(pattern, "the directory of the policy (`cwd`)"));
            globs.add(GlobPattern.compile(pattern, cwd, pattern));
        }
    }

    private static PolicyRefusedException noAnchor(String pattern, String missing) {
        return new PolicyRefusedException("the glob `" + pattern + "` starts at " + missing + ", which is not known");
    }
}
