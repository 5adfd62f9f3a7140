package dev.execserver.protocol.environment;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Result of {@code environment/info}, and a member of the result of {@code initialize}. A reader requires only
 * {@code shell}.
 *
 * @param executorVersion {@code 0.0.0} when absent
 * @param cwd directory in which the server was started
 * @param platformOs {@code linux}, {@code macos} or {@code windows}
 * @param prependPathDirs directories that belong at the start of a child's PATH
 * @param temporaryDirectories absent means unknown; an empty list means none
 * @param warnings sentences for people, an addition; left out when there are none
 */
public record EnvironmentInfo(
        ShellInfo shell,
        String executorVersion,
        Optional<String> providerId,
        Optional<PathUri> cwd,
        Optional<PathUri> userHomeDir,
        Optional<String> platformOs,
        List<PathUri> prependPathDirs,
        Optional<List<PathUri>> temporaryDirectories,
        Optional<PathUri> tempDir,
        Capabilities capabilities,
        List<String> warnings)
        implements JsonWritable {

    public EnvironmentInfo {
        prependPathDirs = List.copyOf(prependPathDirs);
        warnings = List.copyOf(warnings);
        temporaryDirectories = temporaryDirectories.map(List::copyOf);
    }

    /** Makes an info without warnings. */
    public EnvironmentInfo(
            ShellInfo shell,
            String executorVersion,
            Optional<String> providerId,
            Optional<PathUri> cwd,
            Optional<PathUri> userHomeDir,
            Optional<String> platformOs,
            List<PathUri> prependPathDirs,
            Optional<List<PathUri>> temporaryDirectories,
            Optional<PathUri> tempDir,
            Capabilities capabilities) {
        this(
                shell,
                executorVersion,
                providerId,
                cwd,
                userHomeDir,
                platformOs,
                prependPathDirs,
                temporaryDirectories,
                tempDir,
                capabilities,
                List.of());
    }

    /** Returns the same info with these warnings. */
    public EnvironmentInfo withWarnings(List<String> newWarnings) {
        return new EnvironmentInfo(
                shell,
                executorVersion,
                providerId,
                cwd,
                userHomeDir,
                platformOs,
                prependPathDirs,
                temporaryDirectories,
                tempDir,
                capabilities,
                newWarnings);
    }

    /** Errors are those of {@link ParamsReader}. */
    public static EnvironmentInfo read(JsonSlice result, Dialect dialect) {
        ParamsReader in = ParamsReader.of(result, "EnvironmentInfo");
        return read(in, dialect);
    }

    /** Does the same as {@link #read(JsonSlice, Dialect)} for an object that is a member of another one. */
    public static EnvironmentInfo read(ParamsReader in, Dialect dialect) {
        ShellInfo shell = null;
        String version = "0.0.0";
        Optional<String> providerId = Optional.empty();
        Optional<PathUri> cwd = Optional.empty();
        Optional<PathUri> home = Optional.empty();
        Optional<String> platform = Optional.empty();
        List<PathUri> prepend = List.of();
        Optional<List<PathUri>> temporary = Optional.empty();
        Optional<PathUri> tempDir = Optional.empty();
        Capabilities capabilities = Capabilities.NONE;
        List<String> warnings = List.of();
        while (in.next()) {
            switch (in.name()) {
                case "shell" -> shell = in.struct("ShellInfo", ShellInfo::read);
                case "executorVersion" -> version = in.string();
                case "providerId" -> providerId = in.stringOrNull();
                case "cwd" -> cwd = path(in, dialect);
                case "userHomeDir" -> home = path(in, dialect);
                case "platformOs" -> platform = in.stringOrNull();
                case "prependPathDirs" -> prepend = paths(in.strings(), dialect);
                case "temporaryDirectories" -> temporary = in.stringsOrNull().map(all -> paths(all, dialect));
                case "tempDir" -> tempDir = path(in, dialect);
                case "capabilities" -> capabilities = in.struct("EnvironmentCapabilities", Capabilities::read);
                case "warnings" -> warnings = in.strings();
                default -> {}
            }
        }
        return new EnvironmentInfo(
                in.required("shell", shell),
                version,
                providerId,
                cwd,
                home,
                platform,
                prepend,
                temporary,
                tempDir,
                capabilities,
                warnings);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeFieldName("shell");
        shell.writeTo(g);
        g.writeStringField("executorVersion", executorVersion);
        JsonFields.orNull(g, "providerId", providerId);
        JsonFields.orNull(g, "cwd", cwd.map(PathUri::toUri));
        JsonFields.orNull(g, "userHomeDir", userHomeDir.map(PathUri::toUri));
        JsonFields.orNull(g, "platformOs", platformOs);
        JsonFields.strings(g, "prependPathDirs", uris(prependPathDirs));
        if (temporaryDirectories.isPresent()) {
            JsonFields.strings(g, "temporaryDirectories", uris(temporaryDirectories.get()));
        } else {
            g.writeNullField("temporaryDirectories");
        }
        JsonFields.orNull(g, "tempDir", tempDir.map(PathUri::toUri));
        g.writeFieldName("capabilities");
        capabilities.writeTo(g);
        if (!warnings.isEmpty()) {
            JsonFields.strings(g, "warnings", warnings);
        }
        g.writeEndObject();
    }

    private static Optional<PathUri> path(ParamsReader in, Dialect dialect) {
        return in.stringOrNull().map(text -> PathUri.parse(text, dialect));
    }

    private static List<PathUri> paths(List<String> texts, Dialect dialect) {
        return texts.stream().map(text -> PathUri.parse(text, dialect)).toList();
    }

    private static List<String> uris(List<PathUri> paths) {
        return paths.stream().map(PathUri::toUri).toList();
    }
}
