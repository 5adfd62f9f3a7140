package dev.execserver.server.net;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.net.HttpRequestResult;
import dev.execserver.protocol.rpc.DirectWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import java.io.IOException;

/**
 * The answer before a stream. If there is no memory to write it, the stream never begins.
 *
 * @param abandon releases the resources of the stream
 */
public record StreamedAnswer(HttpRequestResult result, Runnable abandon) implements DirectWritable {

    @Override
    public void writeDirect(MessageBuffer out) {
        try {
            result.writeDirect(out);
        } catch (RuntimeException e) {
            abandon.run();
            throw e;
        }
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        result.writeTo(g);
    }
}
