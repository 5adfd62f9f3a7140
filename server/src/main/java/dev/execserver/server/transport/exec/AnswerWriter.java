package dev.execserver.server.transport.exec;

import dev.execserver.protocol.app.CommandExecResult;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.transport.files.FileRefusal;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.http.RoutingResponse;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Writes the answer of one command in its form. Used by the connection's thread. */
final class AnswerWriter implements CommandAccess.Output {

    private static final byte[] LINE_END = {'\n'};
    private static final byte[] EVENT_END = {'\n', '\n'};

    private final ServerResponse response;
    private final AnswerForm form;
    private final AnswerMemory memory;
    private OutputStream stream;

    AnswerWriter(ServerResponse response, AnswerForm form, AnswerMemory memory) {
        this.response = response;
        this.form = form;
        this.memory = memory;
    }

    /** Begins the answer. A client that takes output learns that its command runs. */
    void begin() {
        response.header(HeaderValues.create(HeaderNames.CACHE_CONTROL, "no-store"));
        if (form.streams()) {
            response.header(HeaderNames.CONTENT_TYPE, form.type());
            stream = response.outputStream();
            MessageBuffer nothing = new MessageBuffer();
            nothing.ascii("{}");
            write("started", nothing);
        }
    }

    @Override
    public void send(boolean stdout, byte[] bytes, boolean capReached) {
        MessageBuffer out = new MessageBuffer();
        out.ascii(stdout ? "{\"stream\":\"stdout\",\"deltaBase64\":\"" : "{\"stream\":\"stderr\",\"deltaBase64\":\"");
        out.base64(bytes, 0, bytes.length);
        out.ascii("\",\"capReached\":");
        out.bool(capReached);
        out.write('}');
        write("outputDelta", out);
    }

    void result(CommandExecResult result) {
        MessageBuffer out = new MessageBuffer(memory);
        result.writeDirect(out);
        if (form.streams()) {
            write("result", out);
            close();
        } else {
            response.header(HeaderNames.CONTENT_TYPE, form.type());
            out.write('\n');
            response.send(out.toByteArray());
        }
    }

    /** Announces that the connection ends with the answer, unless the head was sent. */
    void closing() {
        if (stream == null) {
            response.header(HeaderValues.CONNECTION_CLOSE);
        }
    }

    /** Sends an error in place of the result. */
    void error(ServerRequest request, FileRefusal refusal) {
        if (stream == null) {
            refusal.send(request, response);
        } else {
            write("error", FileRefusal.members(refusal.error()));
            close();
        }
    }

    private void write(String name, MessageBuffer value) {
        String begin = form == AnswerForm.EVENTS ? "event: " + name + "\ndata: " : "{\"" + name + "\":";
        try {
            stream.write(begin.getBytes(StandardCharsets.US_ASCII));
            stream.write(value.array(), value.offset(), value.length());
            if (form == AnswerForm.LINES) {
                stream.write('}');
            }
            stream.write(form == AnswerForm.EVENTS ? EVENT_END : LINE_END);
            stream.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void close() {
        try {
            stream.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // Helidon sends the end of the body when the handler has returned, and this one waits for the next request.
        ((RoutingResponse) response).commit();
    }
}
