package dev.execserver.sandbox.resolve;

import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.MemoryFiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/**
 * A small random tree with a random policy, to compare the resolver with another judge. All paths of the policy are relative
 * to the root of the planted tree; {@code ws} is the workspace.
 *
 * @param nodes path to kind: {@code d} for a directory, {@code f} for a file, others are the target of a link
 * @param base access without further entries: {@code /:r}, {@code minimal:r} or nothing
 * @param entries {@code path:access}, globs among them
 */
record RandomCase(Map<String, String> nodes, String base, List<String> entries) {

    private static final List<String> NAMES = List.of("a", "b", "c", ".git", "k.key");

    /** Returns trees of up to 14 nodes with policies of up to 5 entries; some of the trees have links. */
    static Arbitrary<RandomCase> cases() {
        Arbitrary<String> base = Arbitraries.of("/:r", "/:r", "minimal:r", "");
        return Combinators.combine(trees(), base, grants().list().ofMinSize(1).ofMaxSize(5))
                .as(RandomCase::new);
    }

    /** Returns cases without links. */
    static Arbitrary<RandomCase> plainCases() {
        return cases().map(random -> {
            Map<String, String> plain = new TreeMap<>(random.nodes());
            plain.replaceAll((path, kind) -> kind.equals("d") ? "d" : "f");
            return new RandomCase(plain, random.base(), random.entries());
        });
    }

    private static Arbitrary<Map<String, String>> trees() {
        Arbitrary<String> kind = Arbitraries.frequencyOf(
                Tuple.of(4, Arbitraries.just("f")),
                Tuple.of(3, Arbitraries.just("d")),
                Tuple.of(1, Arbitraries.of("../out", "a", "../a/b", "missing", "../../out/a", "../ws")));
        return Combinators.combine(paths(), kind)
                .as(List::of)
                .list()
                .ofMinSize(3)
                .ofMaxSize(14)
                .map(RandomCase::consistent);
    }

    /** Leaves out nodes below a file or link, which cannot exist. */
    private static Map<String, String> consistent(List<List<String>> wanted) {
        Map<String, String> nodes = new TreeMap<>(Map.of("ws", "d", "out", "d"));
        for (List<String> node : wanted) {
            String path = node.getFirst();
            boolean fits = true;
            for (int slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
                fits &= nodes.getOrDefault(path.substring(0, slash), "d").equals("d");
            }
            if (fits && !nodes.containsKey(path)) {
                for (int slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
                    nodes.putIfAbsent(path.substring(0, slash), "d");
                }
                nodes.put(path, node.getLast());
            }
        }
        return nodes;
    }

    private static Arbitrary<String> paths() {
        return Combinators.combine(
                        Arbitraries.of("ws", "ws", "out"),
                        Arbitraries.of(NAMES).list().ofMinSize(1).ofMaxSize(3))
                .as((top, rest) -> top + "/" + String.join("/", rest));
    }

    private static Arbitrary<String> grants() {
        Arbitrary<String> access = Arbitraries.of("r", "w", "deny");
        Arbitrary<String> exact = Combinators.combine(
                        Arbitraries.oneOf(paths(), Arbitraries.of("ws", "ws", "out")), access)
                .as((path, grant) -> path + ":" + grant);
        Arbitrary<String> globs = Arbitraries.of("ws/**/*.key:deny", "out/*:deny", "ws/a/?:deny");
        return Arbitraries.frequencyOf(Tuple.of(9, exact), Tuple.of(1, globs));
    }

    /** Returns a case in which at least the platform's directories are readable. */
    RandomCase withPlatform() {
        return base.isEmpty() ? new RandomCase(nodes, "minimal:r", entries) : this;
    }

    /** Returns the policy for a tree planted at this path, in the notation of {@link Profiles}. */
    String policy(LinuxPath at) {
        List<String> words = new ArrayList<>(List.of(base));
        entries.forEach(entry -> words.add(at + "/" + entry));
        return String.join(" ", words);
    }

    MemoryFiles inMemory() {
        MemoryFiles files = new MemoryFiles().directory("/usr", "/tmp");
        nodes.forEach((path, kind) -> {
            switch (kind) {
                case "d" -> files.directory("/t/" + path);
                case "f" -> files.file("/t/" + path, path);
                default -> files.link("/t/" + path, kind);
            }
        });
        return files;
    }

    /** Makes the tree; every file holds its own path. */
    void plant(Tree tree) {
        nodes.forEach((path, kind) -> {
            switch (kind) {
                case "d" -> tree.directory(path);
                case "f" -> tree.file(path, path);
                default -> tree.link(path, kind);
            }
        });
    }

    /** Returns the regular files. */
    List<String> files() {
        return nodes.keySet().stream()
                .filter(path -> nodes.get(path).equals("f"))
                .toList();
    }

    /** Returns the directories. */
    List<String> directories() {
        return nodes.keySet().stream()
                .filter(path -> nodes.get(path).equals("d"))
                .toList();
    }
}
