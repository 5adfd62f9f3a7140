package dev.execserver.server.sandbox;

import dev.execserver.protocol.net.NetworkProxySettings;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.ErrorData;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MalformedMessageException;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads {@code {"profiles": {"NAME": {PROFILE}}}}, where a profile may have a {@code description} and a {@code networkProxy}. Used by
 * one thread, for one file.
 */
final class JsonProfiles {
    private static final String PROFILES = "profiles";
    private static final String PROXY = "networkProxy";

    private final byte[] json;
    private final Consumer<NetworkProxySettings> check;

    /** @param check throws {@code RpcException} for rules that no proxy can have */
    JsonProfiles(byte[] json, Consumer<NetworkProxySettings> check) {
        this.json = json;
        this.check = check;
    }

    /** @throws RpcException if it is JSON, and not of profiles; the text begins with the line and the column */
    List<NamedProfile> read() throws MalformedMessageException {
        JsonSlice whole = JsonSlice.parse(json, 0, json.length);
        Map<String, JsonSlice> profiles = new LinkedHashMap<>();
        try {
            collect(whole, profiles);
        } catch (RpcException e) {
            throw at(List.of(PROFILES), e.message());
        }
        List<NamedProfile> read = new ArrayList<>();
        profiles.forEach((id, profile) -> read.add(profile(id, profile)));
        return List.copyOf(read);
    }

    private static void collect(JsonSlice whole, Map<String, JsonSlice> profiles) {
        ParamsReader in = ParamsReader.of(whole, "Profiles");
        while (in.next()) {
            if (!in.name().equals(PROFILES)) {
                throw RpcException.invalidParams("unknown member `" + in.name() + "`, expected `profiles`");
            }
            in.struct("Profiles", names -> {
                while (names.next()) {
                    String id = names.name();
                    if (profiles.put(id, names.slice()) != null) {
                        throw RpcException.invalidParams("the profile `" + id + "` stands there twice");
                    }
                }
                return true;
            });
        }
    }

    private NamedProfile profile(String id, JsonSlice value) {
        if (id.isEmpty() || id.startsWith(":") || id.startsWith("{") || id.contains("/")) {
            throw at(
                    List.of(PROFILES, id),
                    "the name `" + id + "` of a profile is empty, has a slash, or begins with a colon or a brace");
        }
        try {
            Optional<String> description = Optional.empty();
            Optional<JsonSlice> proxy = Optional.empty();
            ParamsReader in = ParamsReader.of(value, "PermissionProfile");
            while (in.next()) {
                switch (in.name()) {
                    case "description" -> description = in.stringOrNull();
                    case PROXY -> proxy = in.sliceOrNull();
                    default -> {}
                }
            }
            PermissionProfile permissions = PermissionProfile.read(value, Dialect.OPEN);
            return new NamedProfile(id, description, permissions, proxy.map(rules -> proxy(rules, permissions)));
        } catch (RpcException e) {
            List<String> path = new ArrayList<>(List.of(PROFILES, id));
            e.data()
                    .map(ErrorData::members)
                    .map(data -> data.get("member"))
                    .ifPresent(member -> path.addAll(
                            List.of(member.toString().replace("]", "").split("[.\\[]+"))));
            throw at(path, "profile `" + id + "`: " + e.message());
        }
    }

    private NetworkProxySettings proxy(JsonSlice rules, PermissionProfile permissions) {
        try {
            if (!(permissions instanceof PermissionProfile.Managed managed)
                    || !managed.network().enabled()) {
                throw RpcException.invalidParams("it needs a `managed` profile with an enabled network");
            }
            NetworkProxySettings settings = NetworkProxySettings.ofProfile(rules);
            check.accept(settings);
            return settings;
        } catch (RpcException e) {
            throw RpcException.invalidParams("`" + PROXY + "`: " + e.message()).withData("member", PROXY);
        }
    }

    private RpcException at(List<String> path, String message) {
        return RpcException.invalidParams(JsonPosition.of(json, path) + ": " + message);
    }
}
