package dev.execserver.server.mcp.shell;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.DirectWritable;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Result of {@code tools/call}: a value as structured content, and the same as text for clients that know only that.
 *
 * @param failed true if the tool could not do what was asked
 */
record ToolResult(JsonWritable value, boolean failed) implements DirectWritable {

    static ToolResult of(JsonWritable value) {
        return new ToolResult(value, false);
    }

    @Override
    public void writeDirect(MessageBuffer out) {
        MessageBuffer inner = new MessageBuffer();
        MessageEncoder.value(inner, value);
        out.ascii("{\"content\":[{\"type\":\"text\",\"text\":");
        out.string(new String(inner.array(), inner.offset(), inner.length(), StandardCharsets.UTF_8));
        out.ascii("}],\"structuredContent\":");
        out.write(inner.array(), inner.offset(), inner.length());
        out.ascii(",\"isError\":");
        out.bool(failed);
        out.write('}');
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        MessageBuffer out = new MessageBuffer();
        writeDirect(out);
        g.writeRawValue(new String(out.array(), out.offset(), out.length(), StandardCharsets.UTF_8));
    }
}
