package dev.execserver.server.environment;

import dev.execserver.cli.local.LocalFile;
import dev.execserver.protocol.environment.Capabilities;
import dev.execserver.protocol.environment.ConfigReadResult;
import dev.execserver.protocol.environment.EnvironmentInfo;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.server.environment.PasswdFile.Entry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Examines the machine once, when the server starts, and computes the answer to {@code environment/info}. Reads files,
 * so it must run on the starting platform thread.
 *
 * @param environment the server's own variables
 * @param uid the user that the server runs as
 * @param passwd the user database, passwd(5)
 * @param machineId the file of machine-id(5)
 * @param cwd the folder in which the server was started
 */
public record EnvironmentProbe(Map<String, String> environment, long uid, Path passwd, Path machineId, Path cwd) {
    private static final String LINUX = "linux";
    private static final Path HOSTNAME = Path.of("/proc/sys/kernel/hostname");
    private static final Path SYSTEM_TEMPORARY_DIRECTORY = Path.of("/tmp");

    public EnvironmentProbe {
        environment = Map.copyOf(environment);
    }

    /** Makes a probe of the machine as this process sees it. */
    public static EnvironmentProbe ofThisProcess(Map<String, String> environment) {
        return new EnvironmentProbe(
                environment,
                ownUid(),
                Path.of("/etc/passwd"),
                Path.of("/etc/machine-id"),
                LocalFile.workingDirectory());
    }

    /** @param capabilities the capabilities that this server really has */
    public EnvironmentInfo probe(Capabilities capabilities) {
        Optional<Entry> user = new PasswdFile(passwd).byUid(uid);
        String version = ServerVersion.text();
        List<PathUri> temporary = temporaryDirectories();
        return new EnvironmentInfo(
                ShellChoice.of(variable("SHELL"), user.map(Entry::shell)),
                version,
                Optional.of(ProviderId.of(machineId, Installation.place(), version)),
                Optional.of(uri(cwd)),
                variable("HOME")
                        .or(() -> user.map(Entry::home))
                        .filter(home -> home.startsWith("/"))
                        .map(PathUri::ofNative),
                Optional.of(LINUX),
                List.of(),
                Optional.of(temporary),
                temporary.stream().findFirst(),
                capabilities);
    }

    /**
     * Returns the answer to {@code environmentConfig/read}: the folders where a client's files would be, without any
     * file.
     */
    public ConfigReadResult noConfig(EnvironmentInfo info) {
        Optional<PathUri> ofClient = variable("CODEX_HOME")
                .filter(folder -> folder.startsWith("/"))
                .or(() -> info.userHomeDir().flatMap(PathUri::text).map(home -> home + "/.codex"))
                .map(PathUri::ofNative);
        return new ConfigReadResult(info.userHomeDir(), ofClient, hostname());
    }

    private static String hostname() {
        try {
            return Files.readString(HOSTNAME).strip();
        } catch (IOException procIsNotMounted) {
            return "localhost";
        }
    }

    /** Returns TMPDIR first, if it names a folder, then /tmp. */
    private List<PathUri> temporaryDirectories() {
        return Stream.concat(
                        variable("TMPDIR").filter(folder -> folder.startsWith("/")).map(Path::of).stream(),
                        Stream.of(SYSTEM_TEMPORARY_DIRECTORY))
                .filter(Files::isDirectory)
                .map(Path::normalize)
                .distinct()
                .map(EnvironmentProbe::uri)
                .toList();
    }

    private Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isEmpty());
    }

    /**
     * Converts a path by its URI, because the URI of the JDK keeps every byte of a file name. The text of a path may
     * lose some: the encoding of the locale can be ASCII.
     */
    public static PathUri uri(Path path) {
        String uri = path.toUri().getRawPath();
        String withoutSlash = uri.length() > 1 && uri.endsWith("/") ? uri.substring(0, uri.length() - 1) : uri;
        return PathUri.parse("file://" + withoutSlash, Dialect.STRICT);
    }

    /** Returns our effective user, who owns our entry in /proc, see proc(5). */
    private static long ownUid() {
        try {
            return ((Number) Files.getAttribute(Path.of("/proc/self"), "unix:uid")).longValue();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot learn the user of this process from /proc/self: " + e.getMessage(), e);
        }
    }
}
