package dev.execserver.server.sandbox;

import dev.execserver.cli.local.ConfigException;
import dev.execserver.protocol.permissions.PermissionProfile;
import dev.execserver.protocol.permissions.PolicyConversion;
import dev.execserver.protocol.permissions.SandboxContext;
import dev.execserver.protocol.permissions.SandboxPolicy;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The profiles that clients can name: those built in, and those of the operator's file.
 *
 * <p>Any thread looks profiles up. {@link #refresh} reads a changed file and blocks, so it runs on file workers; a file
 * that cannot be read any more leaves the last good profiles in force. {@code lock} lets one thread read; the list is
 * replaced as a whole.
 */
public final class NamedProfiles {

    public static final String READ_ONLY = ":read-only";
    public static final String WORKSPACE = ":workspace";
    public static final String FULL_ACCESS = ":danger-full-access";

    private static final Logger LOG = LoggerFactory.getLogger(NamedProfiles.class);

    private static final byte[] MEMBER = "\"profile\"".getBytes(StandardCharsets.US_ASCII);

    private static final List<NamedProfile> BUILT_IN = List.of(
            new NamedProfile(READ_ONLY, PolicyConversion.toProfile(new SandboxPolicy.ReadOnly(false))),
            new NamedProfile(
                    WORKSPACE,
                    PolicyConversion.toProfile(new SandboxPolicy.WorkspaceWrite(List.of(), false, false, false))),
            new NamedProfile(FULL_ACCESS, PermissionProfile.DISABLED));

    /** The profiles without a file. */
    public static final NamedProfiles BUILT_IN_ONLY = new NamedProfiles(Optional.empty(), READ_ONLY);

    private final ReentrantLock lock = new ReentrantLock();
    private final Optional<Path> file;
    private final String defaultId;
    private final Map<String, NamedProfile> fixed = new ConcurrentHashMap<>();
    private volatile List<NamedProfile> configured = List.of();
    private String version = "";

    /**
     * Reads the file.
     *
     * @param defaultId profile of commands that name none
     * @throws ConfigException if the file cannot be read, or has no default profile of that name
     */
    public NamedProfiles(Optional<Path> file, String defaultId) {
        this.file = file;
        this.defaultId = defaultId;
        if (file.isPresent()) {
            version = versionOf(file.get());
            configured = ProfilesFile.read(file.get());
        }
        requireConfigured("--default-profile", defaultId);
    }

    /** @throws ConfigException if there is no profile of the name that an option gives */
    public void requireConfigured(String option, String id) {
        NamedProfile _ = configured(option, id);
    }

    /**
     * Returns the profile that an option of the operator names.
     *
     * @throws ConfigException if there is none of this name
     */
    NamedProfile configured(String option, String id) {
        return known(id)
                .orElseThrow(() -> ConfigException.failure(option + ": there is no profile `" + id + "`; known are "
                        + String.join(", ", all().stream().map(NamedProfile::id).toList())
                        + "; a file is written with a slash, as in ./" + id));
    }

    /**
     * Returns the profile that an option names and that stays as it is until the end of the server. A later change of it is
     * reported.
     *
     * @throws ConfigException if there is none of this name
     */
    NamedProfile fixed(String option, String id) {
        NamedProfile found = configured(option, id);
        fixed.put(option, found);
        return found;
    }

    /** Returns the file of a profile; empty if it is built in. */
    Optional<Path> fileOf(String id) {
        return id.startsWith(":") ? Optional.empty() : file;
    }

    /** Returns true if the profiles can change. */
    boolean changeable() {
        return file.isPresent();
    }

    /** Reads the file again if it has changed. Blocks. */
    public void refresh() {
        if (file.isEmpty()) {
            return;
        }
        lock.lock();
        try {
            String now = versionOf(file.get());
            if (now.equals(version)) {
                return;
            }
            version = now; // a broken file is reported once
            configured = ProfilesFile.read(file.get());
            LOG.info("the permission profiles of {} were read again", file.get());
            fixed.forEach(this::reportChange);
        } catch (ConfigException e) {
            LOG.warn("{}; the profiles that were read before stay in force", e.getMessage());
        } finally {
            lock.unlock();
        }
    }

    private void reportChange(String option, NamedProfile before) {
        if (!known(before.id()).equals(Optional.of(before))) {
            LOG.warn(
                    "the profile `{}` has changed in {}; {} stays as it was at the start, until the server is started again",
                    before.id(),
                    file.orElseThrow(),
                    option);
        }
    }

    /** Returns a text that changes when the file does. */
    private static String versionOf(Path file) {
        try {
            BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
            return now.fileKey() + " " + now.size() + " " + now.lastModifiedTime();
        } catch (IOException e) {
            return "gone";
        }
    }

    /** Returns all profiles: those built in first, then those of the file by their names. */
    public List<NamedProfile> all() {
        List<NamedProfile> all = new ArrayList<>(BUILT_IN);
        configured.stream().sorted(Comparator.comparing(NamedProfile::id)).forEach(all::add);
        return all;
    }

    /** Returns the profile of commands that name none. */
    public NamedProfile standard() {
        return find(defaultId);
    }

    /** @throws RpcException -32602 if there is none with this id, in the words of the reference server */
    public NamedProfile find(String id) {
        return known(id).orElseThrow(() -> unknown(id));
    }

    private Optional<NamedProfile> known(String id) {
        return all().stream().filter(profile -> profile.id().equals(id)).findFirst();
    }

    private RpcException unknown(String id) {
        String why;
        if (id.startsWith(":")) {
            why = "default_permissions refers to unknown built-in profile `" + id + "`";
        } else if (configured.isEmpty()) {
            why = "default_permissions requires a `[permissions]` table";
        } else {
            why = "default_permissions refers to undefined profile `" + id + "`";
        }
        return RpcException.invalidParams("invalid permission profile: " + why).withData("reason", "profile");
    }

    /**
     * Returns true if the {@code sandbox} of a request may name its profile. Looks at the text only.
     */
    public static boolean mayBeNamed(JsonSlice sandbox) {
        return sandbox.mentions(MEMBER);
    }

    /** Does the same as {@link #wanted} for a request that uses no network. */
    public SandboxContext context(JsonSlice sandbox, Dialect dialect) {
        return wanted(sandbox, dialect).context();
    }

    /**
     * Reads the {@code sandbox} of a request. In the open dialect it may name its profile: {@code {"profile": "NAME"}}.
     *
     * @throws RpcException as {@link SandboxContext#read}; -32602 if there is no such profile, or two are given
     */
    public WantedSandbox wanted(JsonSlice sandbox, Dialect dialect) {
        if (!dialect.open() || !mayBeNamed(sandbox)) {
            return new WantedSandbox(SandboxContext.read(sandbox, dialect), Optional.empty());
        }
        Optional<String> id = Optional.empty();
        boolean own = false;
        ParamsReader in = ParamsReader.of(sandbox, "FileSystemSandboxContext");
        while (in.next()) {
            String member = in.name();
            if (member.equals("profile")) {
                id = in.stringOrNull();
            }
            own |= member.equals("permissions") || member.equals("sandboxPolicy");
        }
        if (id.isPresent() && own) {
            throw RpcException.invalidParams(
                    "`profile` cannot be combined with `permissions` or `sandboxPolicy`; send one of them");
        }
        Optional<NamedProfile> profile = id.map(this::find);
        SandboxContext context = profile.isPresent()
                ? SandboxContext.read(sandbox, dialect, profile.get().profile())
                : SandboxContext.read(sandbox, dialect);
        return new WantedSandbox(context, profile.flatMap(NamedProfile::proxy));
    }
}
