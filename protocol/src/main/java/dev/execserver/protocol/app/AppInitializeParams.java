package dev.execserver.protocol.app;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Params of {@code initialize} in the app-server dialect.
 *
 * @param clientName name in {@code clientInfo}
 * @param clientVersion version in {@code clientInfo}
 * @param experimentalApi true if the client may use experimental methods and members
 * @param optOutNotificationMethods notifications that the client does not want
 */
public record AppInitializeParams(
        String clientName,
        String clientVersion,
        Optional<String> title,
        boolean experimentalApi,
        List<String> optOutNotificationMethods)
        implements JsonWritable {

    public AppInitializeParams {
        optOutNotificationMethods = List.copyOf(optOutNotificationMethods);
    }

    /** Returns true if these params of {@code initialize} begin the app-server dialect. */
    public static boolean begin(JsonSlice params) {
        boolean info = false;
        boolean name = false;
        try {
            ParamsReader in = ParamsReader.of(params, "InitializeParams");
            while (in.next()) {
                info |= in.name().equals("clientInfo");
                name |= in.name().equals("clientName");
            }
        } catch (RpcException notAnObject) {
            return false; // the other dialect reports what is wrong
        }
        return info && !name;
    }

    /** Errors are those of {@link ParamsReader}. */
    public static AppInitializeParams read(JsonSlice params) {
        ParamsReader in = ParamsReader.of(params, "InitializeParams");
        AppInitializeParams info = null;
        AppInitializeParams wishes = new AppInitializeParams("", "", Optional.empty(), false, List.of());
        while (in.next()) {
            switch (in.name()) {
                case "clientInfo" -> info = in.struct("ClientInfo", AppInitializeParams::readInfo);
                case "capabilities" ->
                    wishes = in.structOrNull("InitializeCapabilities", AppInitializeParams::readCapabilities)
                            .orElse(wishes);
                default -> {}
            }
        }
        AppInitializeParams client = in.required("clientInfo", info);
        return new AppInitializeParams(
                client.clientName,
                client.clientVersion,
                client.title,
                wishes.experimentalApi,
                wishes.optOutNotificationMethods);
    }

    private static AppInitializeParams readInfo(ParamsReader in) {
        String name = null;
        String version = null;
        Optional<String> title = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "name" -> name = in.string();
                case "version" -> version = in.string();
                case "title" -> title = in.stringOrNull();
                default -> {}
            }
        }
        return new AppInitializeParams(
                in.required("name", name), in.required("version", version), title, false, List.of());
    }

    private static AppInitializeParams readCapabilities(ParamsReader in) {
        boolean experimental = false;
        List<String> unwanted = List.of();
        while (in.next()) {
            switch (in.name()) {
                case "experimentalApi" -> experimental = in.bool();
                case "optOutNotificationMethods" ->
                    unwanted = in.stringsOrNull().orElse(List.of());
                default -> {}
            }
        }
        return new AppInitializeParams("", "", Optional.empty(), experimental, unwanted);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeObjectFieldStart("clientInfo");
        g.writeStringField("name", clientName);
        JsonFields.orNull(g, "title", title);
        g.writeStringField("version", clientVersion);
        g.writeEndObject();
        g.writeObjectFieldStart("capabilities");
        g.writeBooleanField("experimentalApi", experimentalApi);
        JsonFields.strings(g, "optOutNotificationMethods", optOutNotificationMethods);
        g.writeEndObject();
        g.writeEndObject();
    }
}
