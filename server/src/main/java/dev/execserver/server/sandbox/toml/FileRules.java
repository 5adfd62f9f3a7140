package dev.execserver.server.sandbox.toml;

import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.permissions.Access;
import dev.execserver.protocol.permissions.Entry;
import dev.execserver.protocol.permissions.FileSystemPolicy;
import dev.execserver.protocol.permissions.PolicyPath;
import dev.execserver.protocol.permissions.SpecialPath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The table {@code filesystem} of a profile, by its keys.
 *
 * @param depth levels that are searched for globs; empty for all
 */
record FileRules(Map<String, Rule> rules, OptionalInt depth) {
    static final FileRules NONE = new FileRules(Map.of(), OptionalInt.empty());

    private static final String DEPTH = "glob_scan_max_depth";

    /**
     * The value of one key.
     *
     * @param table true if it is a table of paths below the key
     */
    private record Rule(boolean table, Map<String, Entry> entries) {
        /** As TOML tables are merged: of two tables each key counts, and any other value takes the place of the inherited one. */
        Rule over(Rule inherited) {
            if (!table || !inherited.table) {
                return this;
            }
            Map<String, Entry> both = new LinkedHashMap<>(inherited.entries);
            both.putAll(entries);
            return new Rule(true, both);
        }
    }

    static FileRules read(TableReader in, FilePaths paths) {
        Map<String, Rule> rules = new LinkedHashMap<>();
        for (String key : in.keys()) {
            if (!key.equals(DEPTH)) {
                rules.put(key, in.hasTable(key) ? table(in.table(key).orElseThrow(), key, paths) : one(in, key, paths));
            }
        }
        OptionalInt depth = in.integer(DEPTH)
                .map(levels -> OptionalInt.of(depth(in, levels)))
                .orElse(OptionalInt.empty());
        return new FileRules(rules, depth);
    }

    private static int depth(TableReader in, long levels) {
        if (levels < 1 || levels > Integer.MAX_VALUE) {
            throw in.fault(DEPTH, "`" + DEPTH + "` must be at least 1");
        }
        return (int) levels;
    }

    private static Rule one(TableReader in, String path, FilePaths paths) {
        Entry entry = in.word(path, word -> paths.entry(path, FilePaths.ITSELF, Access.parse(word)));
        return new Rule(false, Map.of(FilePaths.ITSELF, entry));
    }

    private static Rule table(TableReader in, String path, FilePaths paths) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        for (String below : in.keys()) {
            entries.put(below, in.word(below, word -> paths.entry(path, below, Access.parse(word))));
        }
        return new Rule(true, entries);
    }

    /** Returns the rules of a profile that inherits others. */
    FileRules over(FileRules inherited) {
        Map<String, Rule> all = new LinkedHashMap<>(inherited.rules);
        rules.forEach((key, rule) -> all.merge(key, rule, (before, own) -> own.over(before)));
        return new FileRules(all, depth.isPresent() ? depth : inherited.depth);
    }

    /**
     * Makes the policy.
     *
     * @param roots more workspace roots, absolute
     */
    FileSystemPolicy policy(List<String> roots) {
        List<Entry> entries = new ArrayList<>();
        rules.values()
                .forEach(rule -> rule.entries().values().forEach(entry -> {
                    entries.add(entry);
                    roots.forEach(root -> inRoot(entry, root).ifPresent(entries::add));
                }));
        return new FileSystemPolicy.Restricted(entries, depth);
    }

    /** Returns the entry that does for one more root what an entry does for the workspace roots. */
    private static Optional<Entry> inRoot(Entry entry, String root) {
        return switch (entry.path()) {
            case PolicyPath.Special(SpecialPath.ProjectRoots(Optional<String> subpath)) ->
                Optional.of(Entry.of(
                        PathUri.ofNative(
                                root + subpath.map(below -> "/" + below).orElse("")),
                        entry.access()));
            case PolicyPath.Glob(String pattern)
            when pattern.startsWith(FilePaths.IN_ROOTS) ->
                Optional.of(new Entry(
                        new PolicyPath.Glob(escaped(root) + "/" + pattern.substring(FilePaths.IN_ROOTS.length())),
                        entry.access()));
            case PolicyPath.Special _, PolicyPath.Glob _, PolicyPath.Exact _ -> Optional.empty();
        };
    }

    /** Returns a pattern that matches only this path. */
    private static String escaped(String path) {
        return path.replaceAll("[\\\\*?\\[\\]{}]", "\\\\$0");
    }

    /** Makes rules for a built-in profile: access by path, with paths below the workspace roots. */
    static FileRules builtIn(Map<String, Access> paths, Map<String, Access> belowRoots) {
        FilePaths names = new FilePaths(Optional.empty());
        Map<String, Rule> rules = new LinkedHashMap<>();
        paths.forEach((path, access) -> rules.put(
                path, new Rule(false, Map.of(FilePaths.ITSELF, names.entry(path, FilePaths.ITSELF, access)))));
        if (!belowRoots.isEmpty()) {
            Map<String, Entry> entries = new LinkedHashMap<>();
            belowRoots.forEach((below, access) -> entries.put(below, names.entry(":workspace_roots", below, access)));
            rules.put(":workspace_roots", new Rule(true, entries));
        }
        return new FileRules(rules, OptionalInt.empty());
    }
}
