package dev.execserver.server.mcp.shell;

import dev.execserver.protocol.rpc.JsonSlice;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Results of {@code tools/list}, which are files beside this class. */
final class ToolList {
    static final JsonSlice STANDARD = read("tools.json");
    static final JsonSlice ORIGINAL = read("tools-0.97.json");

    private ToolList() {}

    private static JsonSlice read(String name) {
        try (InputStream in = ToolList.class.getResourceAsStream(name)) {
            byte[] bytes = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .replace("\n", "") // a message is one line
                    .getBytes(StandardCharsets.UTF_8);
            return JsonSlice.of(bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new UncheckedIOException(name, e);
        }
    }
}
