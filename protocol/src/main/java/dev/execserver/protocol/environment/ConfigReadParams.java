package dev.execserver.protocol.environment;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.paths.PathUri;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.util.List;

/**
 * Params of {@code environmentConfig/read}.
 *
 * @param cwd directory where the search for configuration starts
 * @param configPaths the wanted settings, each as the list of keys that leads to it
 * @param requirementsPaths the same for settings that an administrator requires
 */
public record ConfigReadParams(PathUri cwd, List<List<String>> configPaths, List<List<String>> requirementsPaths)
        implements JsonWritable {

    public ConfigReadParams {
        configPaths = configPaths.stream().map(List::copyOf).toList();
        requirementsPaths = requirementsPaths.stream().map(List::copyOf).toList();
    }

    /**
     * Errors are those of {@link ParamsReader} and of {@link PathUri#parse}. A request without any path and a path
     * without keys are refused too.
     */
    public static ConfigReadParams read(JsonSlice params, Dialect dialect) {
        ParamsReader in = ParamsReader.of(params, "EnvironmentConfigReadParams");
        PathUri cwd = null;
        List<List<String>> config = null;
        List<List<String>> requirements = null;
        while (in.next()) {
            switch (in.name()) {
                case "cwd" -> cwd = PathUri.parse(in.string(), dialect);
                case "configPaths" -> config = in.stringLists();
                case "requirementsPaths" -> requirements = in.stringLists();
                default -> {}
            }
        }
        in.required("cwd", cwd);
        in.required("configPaths", config);
        in.required("requirementsPaths", requirements);
        if (config.isEmpty() && requirements.isEmpty()) {
            throw RpcException.invalidParams("at least one config or requirements path is required");
        }
        refuseEmpty(config);
        refuseEmpty(requirements);
        return new ConfigReadParams(cwd, config, requirements);
    }

    private static void refuseEmpty(List<List<String>> paths) {
        if (paths.stream().anyMatch(List::isEmpty)) {
            throw RpcException.invalidParams("TOML paths must contain at least one key segment");
        }
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("cwd", cwd.toUri());
        lists(g, "configPaths", configPaths);
        lists(g, "requirementsPaths", requirementsPaths);
        g.writeEndObject();
    }

    private static void lists(JsonGenerator g, String name, List<List<String>> lists) throws IOException {
        g.writeFieldName(name);
        JsonFields.values(
                g,
                lists.stream()
                        .<JsonWritable>map(list -> out -> JsonFields.strings(out, list))
                        .toList());
    }
}
