package dev.execserver.server.mcp.shell;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.ParamsReader;
import java.util.List;
import java.util.Optional;

/**
 * Arguments of the tool {@code shell_input}, which take effect in this order.
 *
 * @param keys names of keys
 * @param eof true to end the input
 */
record InputArguments(String id, Optional<String> text, List<String> keys, boolean eof) {
    static InputArguments read(JsonSlice arguments) {
        return ShellArguments.reading(() -> members(arguments));
    }

    private static InputArguments members(JsonSlice arguments) {
        ParamsReader in = ParamsReader.of(arguments, "InputParams");
        String id = null;
        Optional<String> text = Optional.empty();
        List<String> keys = List.of();
        boolean eof = false;
        while (in.next()) {
            switch (in.name()) {
                case "id" -> id = in.string();
                case "text" -> text = in.stringOrNull();
                case "keys" -> keys = in.stringsOrNull().orElse(List.of());
                case "eof" -> eof = in.boolOrNull().orElse(false);
                default -> {}
            }
        }
        return new InputArguments(in.required("id", id), text, keys, eof);
    }
}
