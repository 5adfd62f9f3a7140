package dev.execserver.server.sandbox.toml;

import dev.execserver.protocol.net.NetworkProxySettings;
import dev.execserver.protocol.permissions.PermissionProfile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.tomlj.Toml;
import org.tomlj.TomlParseError;
import org.tomlj.TomlParseResult;

/**
 * Reads the tables {@code [permissions.NAME]} of a {@code config.toml}. Its other tables are ignored, except the feature that gives
 * every network a proxy. Used by one thread, for one file.
 */
public final class TomlProfiles {
    private static final String PERMISSIONS = "permissions";

    private final Map<String, ProfileTable> tables = new LinkedHashMap<>();
    private final Map<String, ProfileTable> whole = new LinkedHashMap<>();
    private final Optional<TableReader> names;

    private TomlProfiles(Optional<TableReader> names) {
        this.names = names;
    }

    /**
     * Reads the profiles.
     *
     * @param home folder for which {@code ~} stands
     * @param check throws {@code RpcException} for rules that no proxy can have
     * @throws TomlFaultException if the text is no TOML, or a profile cannot be enforced as it is written
     */
    public static List<TomlProfile> read(String text, Optional<String> home, Consumer<NetworkProxySettings> check) {
        TomlParseResult parsed = Toml.parse(text);
        if (parsed.hasErrors()) {
            TomlParseError first = parsed.errors().getFirst();
            throw new TomlFaultException(first.position(), first.getMessage());
        }
        TableReader root = new TableReader(parsed, "config");
        TomlProfiles profiles = new TomlProfiles(root.table(PERMISSIONS));
        return profiles.all(new FilePaths(home), proxied(root), check);
    }

    /** Returns true if the feature is on that gives every network a proxy; it is a switch, or a table with one. */
    private static boolean proxied(TableReader root) {
        String feature = "network_proxy";
        return root.table("features")
                .flatMap(features -> features.hasTable(feature)
                        ? features.table(feature).flatMap(table -> table.bool("enabled"))
                        : features.bool(feature))
                .orElse(false);
    }

    private List<TomlProfile> all(FilePaths paths, boolean proxied, Consumer<NetworkProxySettings> check) {
        List<TomlProfile> found = new ArrayList<>();
        if (names.isEmpty()) {
            return found;
        }
        TableReader in = names.get();
        for (String name : in.keys()) {
            if (name.isEmpty() || name.startsWith(":") || name.startsWith("{") || name.contains("/")) {
                throw in.fault(
                        name,
                        "the name `" + name
                                + "` of a profile is empty, has a slash, or begins with a colon or a brace");
            }
            tables.put(name, ProfileTable.read(in.table(name).orElseThrow(), paths));
        }
        for (String name : in.keys()) {
            ProfileTable profile = whole(name, new LinkedHashSet<>());
            Optional<NetworkProxySettings> proxy = profile.network().proxy(proxied);
            in.table(name).orElseThrow().checked(ProfileTable.NETWORK, () -> {
                proxy.ifPresent(check);
                return proxy;
            });
            found.add(new TomlProfile(
                    name,
                    profile.description(),
                    new PermissionProfile.Managed(
                            profile.files().policy(profile.usedRoots()),
                            profile.network().policy()),
                    proxy));
        }
        return found;
    }

    /** Returns a profile with what it inherits. */
    private ProfileTable whole(String name, Set<String> heirs) {
        ProfileTable known = whole.get(name);
        if (known != null) {
            return known;
        }
        ProfileTable own = tables.get(name);
        heirs.add(name);
        ProfileTable complete = own.parent()
                .map(parent -> own.over(parent(name, parent, heirs)))
                .orElse(own);
        whole.put(name, complete);
        return complete;
    }

    private ProfileTable parent(String heir, String parent, Set<String> heirs) {
        if (ProfileTable.BUILT_IN.containsKey(parent)) {
            return ProfileTable.BUILT_IN.get(parent);
        }
        String fault = heirs.contains(parent)
                ? "the profile inherits itself: " + String.join(", ", heirs) + ", " + parent
                : "there is no profile `" + parent
                        + "` to extend; known are :read-only, :workspace and those of this file";
        if (heirs.contains(parent) || !tables.containsKey(parent)) {
            throw names.orElseThrow().table(heir).orElseThrow().fault(ProfileTable.EXTENDS, fault);
        }
        return whole(parent, heirs);
    }
}
