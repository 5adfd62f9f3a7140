package dev.execserver.sandbox.resolve;

import dev.execserver.protocol.permissions.Access;
import dev.execserver.protocol.permissions.FileSystemPolicy.Restricted;
import dev.execserver.protocol.permissions.NetworkPolicy;
import dev.execserver.protocol.permissions.PolicyProperties;
import dev.execserver.protocol.permissions.ProtectedNames;
import dev.execserver.sandbox.glob.GlobMasks;
import dev.execserver.sandbox.glob.GlobScan;
import dev.execserver.sandbox.glob.Ripgrep;
import dev.execserver.sandbox.paths.CrossedLink;
import dev.execserver.sandbox.paths.FileView;
import dev.execserver.sandbox.paths.LinuxPath;
import dev.execserver.sandbox.paths.PathWalk;
import dev.execserver.sandbox.paths.PathWalk.Located;
import dev.execserver.sandbox.paths.PolicyRefusedException;
import dev.execserver.sandbox.paths.ProcPlaces;
import dev.execserver.sandbox.resolve.Grants.Grant;
import dev.execserver.sandbox.resolve.ResolvedPolicy.Kind;
import dev.execserver.sandbox.resolve.Rule.Origin;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Resolves one policy: turns its entries into rules. One thread uses it, once. */
final class Resolution {
    /** Largest number of rules of one policy. Each rule is a mount, see {@link GlobMasks}. */
    static final int MAX_RULES = 1000;

    private static final List<LinuxPath> PLATFORM = Stream.of(
                    "/bin", "/sbin", "/usr", "/etc", "/lib", "/lib64", "/nix/store", "/run/current-system/sw")
            .map(LinuxPath::of)
            .toList();

    private final FileView files;
    private final PathWalk walk;
    private final Supplier<Optional<Ripgrep>> ripgrep;
    private final ServerPaths reserved;
    private final PolicyDirectories directories;
    private final WantedEntries entries;
    private final Grants grants = new Grants();
    private final RuleDraft draft;
    private final List<String> warnings = new ArrayList<>();

    Resolution(
            FileView files, Supplier<Optional<Ripgrep>> ripgrep, ServerPaths reserved, PolicyDirectories directories) {
        this.files = files;
        this.walk = new PathWalk(files);
        this.ripgrep = ripgrep;
        this.reserved = reserved;
        this.directories = directories;
        this.entries = new WantedEntries(directories, walk);
        this.draft = new RuleDraft(files, walk);
    }

    ResolvedPolicy resolve(Kind kind, Restricted policy, NetworkPolicy network) {
        policy.entries().forEach(entries::add);
        List<Located> named = new ArrayList<>();
        entries.wanted().forEach(wanted -> {
            Located at = walk.locate(wanted.literal());
            grants.add(new Grant(wanted, at));
            named.add(at);
        });
        grants.all().stream()
                .filter(this::builtIn)
                .forEach(grant -> grants.remove(grant.at().path()));
        grants.all().forEach(this::checkLinks);
        boolean platform = PolicyProperties.platformDefaults(policy);
        List<Located> hidden = existing(reserved.hidden());
        List<Located> settings = reserved.settings().stream().map(walk::locate).toList();
        hidden.forEach(this::checkSecret);
        settings.forEach(this::checkSettings);
        List<Located> installation = existing(reserved.installation());
        installation.forEach(this::checkInstallation);

        for (Grant grant : grants.all()) {
            addEntry(grant);
        }
        // Of several entries for one place one decides, but the names of all of them must lead there.
        named.forEach(draft::reached);
        if (!PolicyProperties.fullWrite(policy)) {
            Protections protections = new Protections(files, walk, grants, draft);
            grants.all().stream()
                    .filter(grant -> grant.access().writable() && grant.at().directory())
                    .forEach(grant -> protections.protect(grant.at().path()));
        }
        if (platform) {
            addPlatform();
        }
        new SystemLinks(walk, draft).add(network.enabled());
        GlobRules globs = new GlobRules(files, walk, grants, draft, ripgrep);
        globs.add(entries.globs(), policy.globScanMaxDepth(), directories);
        settings.forEach(this::addSettings);
        unnamed(reserved.folders().settings(), Access::writable)
                .forEach(at -> draft.protect(at, Origin.SERVER_SETTINGS));
        installation.forEach(at -> draft.protect(at, Origin.INSTALLATION));
        hidden.forEach(at -> draft.force(at, Access.DENY, Origin.SERVER));
        unnamed(reserved.folders().hidden(), Access::readable)
                .forEach(at -> draft.force(at, Access.DENY, Origin.SERVER));

        List<Rule> rules = draft.finish(globs.searched());
        if (rules.size() > MAX_RULES) {
            long masks =
                    rules.stream().filter(rule -> rule.origin() == Origin.GLOB).count();
            throw new PolicyRefusedException("the profile needs " + rules.size() + " rules for files and " + MAX_RULES
                    + " is the limit"
                    + (masks > 0 ? ", " + masks + " hide what " + GlobScan.names(entries.globs()) + " match" : "")
                    + "; name directories instead of the files in them");
        }
        warnings.addAll(entries.warnings());
        return new ResolvedPolicy(
                kind,
                network,
                PolicyProperties.fullRead(policy),
                PolicyProperties.fullWrite(policy),
                platform,
                rules,
                draft.aliases(rules),
                draft.guardedLinks(),
                warnings);
    }

    /** Returns true if the entry only repeats a built-in protection: it makes a protected name of a writable root readable. */
    private boolean builtIn(Grant grant) {
        LinuxPath literal = grant.wanted().literal();
        if (grant.access() != Access.READ || literal.isRoot()) {
            return false;
        }
        Optional<Grant> root = grants.at(walk.locate(literal.parent()).path());
        return root.filter(above -> above.access().writable()).isPresent()
                && ProtectedNames.ALL.contains(new String(literal.name(), StandardCharsets.UTF_8));
    }

    /** Refuses an entry whose path crosses a link that the command can change: changing the link changes the entry's target. */
    private void checkLinks(Grant grant) {
        Optional<CrossedLink> link = grant.at().links().stream()
                .filter(crossed ->
                        grants.accessWithout(grant.at().path(), crossed.path()).writable())
                .findFirst();
        if (link.isEmpty()) {
            return;
        }
        LinuxPath path = grant.at().path();
        LinuxPath literal = grant.wanted().literal();
        String reason = switch (grant.access()) {
            case READ -> "cannot enforce sandbox read-only path " + literal;
            case DENY -> "cannot enforce sandbox deny-read path " + literal;
            case WRITE -> "cannot grant writing to the " + grant.wanted().role() + " " + literal;
        };
        if (grant.access().writable()) {
            if (grants.accessWithout(path, path).writable() || !grant.at().exists()) {
                return;
            }
            if (grant.wanted().optional()) {
                warnings.add(reason + " because it crosses writable symlink "
                        + link.get().path());
                grants.remove(path);
                return;
            }
        }
        throw new PolicyRefusedException(reason + " because it crosses writable symlink "
                + link.get().path() + "; name the path that it leads to, " + path);
    }

    private void addEntry(Grant grant) {
        Located at = grant.at();
        if (!grant.access().readable() && ProcPlaces.ofWhoeverAsks(at.links())) {
            throw new PolicyRefusedException("cannot enforce sandbox deny-read path "
                    + grant.wanted().literal() + " because it is another one for each process; deny /proc by path");
        }
        at.obstacle().filter(_ -> grants.writable(at.path().parent())).ifPresent(obstacle -> {
            throw new PolicyRefusedException(
                    "cannot tell what " + grant.wanted().literal() + " is, which the profile names: " + obstacle);
        });
        if (at.obstacle().isPresent() && grant.access().readable()) {
            warnings.add("the entry for " + grant.wanted().literal() + " has no effect: "
                    + at.obstacle().get());
        }
        // An entry cannot grant a missing file. A denied one needs a rule only if the command could make the file.
        if (at.exists() || !grant.access().writable()) {
            draft.add(at, grant.access(), Origin.ENTRY);
        }
    }

    private void addPlatform() {
        for (LinuxPath directory : PLATFORM) {
            Located at = walk.locate(directory);
            if (at.exists() && grants.at(at.path()).isEmpty()) {
                draft.add(at, Access.READ, Origin.PLATFORM_DEFAULT);
            }
        }
    }

    private List<Located> existing(List<LinuxPath> paths) {
        return paths.stream().map(walk::locate).filter(Located::exists).toList();
    }

    /** Returns the directories in which no entry asks for an access that would be lost. */
    private Stream<Located> unnamed(List<LinuxPath> folders, Predicate<Access> lost) {
        return existing(folders).stream()
                .filter(folder -> grants.all().stream()
                        .noneMatch(grant ->
                                lost.test(grant.access()) && grant.at().path().startsWith(folder.path())));
    }

    /** Adds the rule for a file that says what the server allows. The server believes one that is made later, too. */
    private void addSettings(Located file) {
        if (file.exists()) {
            draft.protect(file, Origin.SERVER_SETTINGS);
        } else if (file.obstacle().isEmpty()) {
            draft.add(file, Access.READ, Origin.SERVER_SETTINGS);
        }
    }

    private void checkSettings(Located file) {
        for (Grant grant : grants.all()) {
            if (grant.access().writable() && grant.at().path().startsWith(file.path())) {
                throw new PolicyRefusedException(
                        "the profile makes " + grant.wanted().literal()
                                + " writable, which says what the server allows; no command may change it");
            }
        }
    }

    private void checkInstallation(Located part) {
        grants.all().stream()
                .filter(grant -> grant.access().writable() && grant.at().path().startsWith(part.path()))
                .findFirst()
                .ifPresent(grant -> {
                    throw new PolicyRefusedException("the profile makes "
                            + grant.wanted().literal() + " writable, and the server runs from " + part.path()
                            + "; no command may change that");
                });
    }

    private void checkSecret(Located secret) {
        for (Grant grant : grants.all()) {
            if (grant.access().readable() && grant.at().path().startsWith(secret.path())) {
                throw new PolicyRefusedException("the profile names "
                        + grant.wanted().literal() + ", which belongs to the server itself; no command may see it");
            }
        }
    }
}
