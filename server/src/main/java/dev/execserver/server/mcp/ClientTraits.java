package dev.execserver.server.mcp;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;

/**
 * Params of {@code initialize}: the client and its abilities.
 *
 * @param version of the protocol that the client asks for
 * @param elicitation true if the client can ask its user to fill in a form
 * @param roots true if the client can name its workspace folders
 */
public record ClientTraits(String version, String name, boolean elicitation, boolean roots) {
    private static final String UNNAMED = "mcp";

    /** Errors are those of {@link ParamsReader}. */
    static ClientTraits read(JsonSlice params) {
        ParamsReader in = ParamsReader.of(params, "InitializeRequestParams");
        String version = null;
        String name = UNNAMED;
        Abilities abilities = new Abilities();
        while (in.next()) {
            switch (in.name()) {
                case "protocolVersion" -> version = in.string();
                case "capabilities" ->
                    abilities = in.structOrNull("ClientCapabilities", ClientTraits::abilities)
                            .orElse(abilities);
                case "clientInfo" ->
                    name = in.structOrNull("Implementation", ClientTraits::clientName)
                            .orElse(UNNAMED);
                default -> {}
            }
        }
        return new ClientTraits(in.required("protocolVersion", version), name, abilities.elicitation, abilities.roots);
    }

    private record Abilities(boolean elicitation, boolean roots) {
        Abilities() {
            this(false, false);
        }
    }

    private static Abilities abilities(ParamsReader in) {
        boolean elicitation = false;
        boolean roots = false;
        while (in.next()) {
            switch (in.name()) {
                case "elicitation" ->
                    elicitation = in.structOrNull("ElicitationCapability", ClientTraits::forms)
                            .orElse(false);
                case "roots" -> roots = in.sliceOrNull().isPresent();
                default -> {}
            }
        }
        return new Abilities(elicitation, roots);
    }

    /** An empty object stands for forms; newer clients name the modes that they know. */
    private static boolean forms(ParamsReader in) {
        boolean form = false;
        boolean url = false;
        while (in.next()) {
            switch (in.name()) {
                case "form" -> form = true;
                case "url" -> url = true;
                default -> {}
            }
        }
        return form || !url;
    }

    private static String clientName(ParamsReader in) {
        String name = UNNAMED;
        while (in.next()) {
            if (in.name().equals("name")) {
                name = in.string();
            }
        }
        return name;
    }
}
