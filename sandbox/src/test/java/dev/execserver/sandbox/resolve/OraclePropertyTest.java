package dev.execserver.sandbox.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.protocol.permissions.ProtectedNames;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.MemoryFiles;
import dev.execserver.sandbox.paths.PathWalk;
import dev.execserver.sandbox.paths.PolicyRefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Compares the resolver with the rule in words: the entry with the most components decides; protected names are read-only. */
class OraclePropertyTest {
    private static final LinuxPath AT = LinuxPath.of("/t");

    @Provide
    Arbitrary<RandomCase> plainCases() {
        return RandomCase.plainCases();
    }

    @Provide
    Arbitrary<RandomCase> cases() {
        return RandomCase.cases();
    }

    @Property(tries = 2000)
    void everyPathHasTheAccessOfItsMostSpecificEntry(@ForAll("plainCases") RandomCase random) {
        MemoryFiles files = random.inMemory();
        ResolvedPolicy policy = Profiles.resolve(files, random.policy(AT));
        for (String path : random.nodes().keySet()) {
            assertThat(policy.access(AT.resolve(path))).as(path).isEqualTo(expected(random, path));
        }
    }

    @Property(tries = 1000)
    void rulesComeOnceParentsFirstAndEachChangesSomething(@ForAll("cases") RandomCase random) {
        ResolvedPolicy policy;
        try {
            policy = Profiles.resolve(random.inMemory(), random.policy(AT));
        } catch (PolicyRefusedException e) {
            return;
        }
        List<LinuxPath> paths = policy.rules().stream().map(Rule::path).toList();
        assertThat(paths).isSorted().doesNotHaveDuplicates();
        PathWalk walk = new PathWalk(random.inMemory());
        for (Rule rule : policy.rules()) {
            PathWalk.Located at = walk.locate(rule.path());
            assertThat(at.links()).as("no rule stands on a link").isEmpty();
            assertThat(at.exists()).isEqualTo(!rule.missing());
            Access around = rule.path().isRoot()
                    ? Access.DENY
                    : policy.access(rule.path().parent());
            assertThat(rule.access().writable() || rule.access() != around).isTrue();
            assertThat(!rule.missing() || around.writable()).isTrue();
        }
    }

    private static Access expected(RandomCase random, String path) {
        if (random.entries().stream().anyMatch(entry -> hidden(random, entry, path))) {
            return moreSpecificThanGlob(random, path).orElse(Access.DENY);
        }
        Access access = protectedOr(random, path);
        boolean fileInTheWay = access.writable()
                && random.nodes().get(path).equals("f")
                && explicit(random, path).isEmpty()
                && random.entries().stream()
                        .anyMatch(entry -> entry.startsWith(path + "/") && !entry.endsWith(":w") && !isGlob(entry));
        return fileInTheWay ? Access.READ : access;
    }

    /** Returns true if a glob matches the path or a directory above it. */
    private static boolean hidden(RandomCase random, String entry, String path) {
        return matching(entry, path).isPresent();
    }

    private static boolean isGlob(String entry) {
        return entry.contains("*") || entry.contains("?");
    }

    private static Optional<String> matching(String entry, String path) {
        String glob = entry.substring(0, entry.lastIndexOf(':'));
        if (!isGlob(glob)) {
            return Optional.empty();
        }
        Pattern pattern = Pattern.compile(glob.replace(".", "\\.")
                .replace("**/", "\u0001")
                .replace("*", "[^/]*")
                .replace("?", "[^/]")
                .replace("\u0001", "(?:[^/]+/)*"));
        return above(path).stream()
                .filter(candidate -> pattern.matcher(candidate).matches())
                .findFirst();
    }

    /** Returns the access of an entry below the matching directory. */
    private static Optional<Access> moreSpecificThanGlob(RandomCase random, String path) {
        String match = random.entries().stream()
                .flatMap(entry -> matching(entry, path).stream())
                .max((a, b) -> a.length() - b.length())
                .orElseThrow();
        String deciding = above(path).reversed().stream()
                .filter(candidate -> explicit(random, candidate).isPresent())
                .findFirst()
                .orElse("");
        return deciding.startsWith(match + "/") ? Optional.of(protectedOr(random, path)) : Optional.empty();
    }

    private static Access protectedOr(RandomCase random, String path) {
        Access said = random.base().equals("/:r") ? Access.READ : Access.DENY;
        String root = "";
        for (String candidate : above(path)) {
            Optional<Access> explicit = explicit(random, candidate);
            if (explicit.isPresent()) {
                said = explicit.get();
                root = candidate;
            }
        }
        if (said != Access.WRITE || !random.nodes().getOrDefault(root, "").equals("d")) {
            return said;
        }
        // Every writable root above counts, not only the nearest. The protected name of a higher root can contain the
        // nearest root only if that is an entry at or below the name; then it is the nearest root.
        String rest = path.substring(root.length());
        for (String name : ProtectedNames.ALL) {
            if (rest.equals("/" + name) || rest.startsWith("/" + name + "/")) {
                return Access.READ;
            }
        }
        return said;
    }

    private static Optional<Access> explicit(RandomCase random, String path) {
        List<Access> said = new ArrayList<>();
        for (String entry : random.entries()) {
            if (entry.startsWith(path + ":") && random.nodes().containsKey(path)) {
                said.add(
                        switch (entry.substring(path.length() + 1)) {
                            case "r" -> Access.READ;
                            case "w" -> Access.WRITE;
                            default -> Access.DENY;
                        });
            }
        }
        return said.stream().max(Access::compareTo);
    }

    /** Returns the path and everything above it, shortest first. */
    private static List<String> above(String path) {
        List<String> all = new ArrayList<>();
        for (int slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
            all.add(path.substring(0, slash));
        }
        all.add(path);
        return all;
    }
}
