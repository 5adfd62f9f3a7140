package dev.execserver.server.cli.wrapper;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.MalformedMessageException;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.protocol.text.SurrogateEscapedText;
import dev.execserver.sandbox.io.BlockingBytes;
import dev.execserver.sandbox.linux.DescriptorPassing;
import dev.execserver.sandbox.linux.Fd;
import dev.execserver.sandbox.linux.SocketCalls;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Conversation of a wrapper with its server: frames of four bytes with the length, the lowest first, and JSON. One thread. */
final class WrapperClient implements AutoCloseable {
    private static final String SOCKET = "CODEX_ESCALATE_SOCKET";

    /** Variables that are the wrapper's, not the program's. */
    private static final Set<String> OWN = Set.of(SOCKET, "BASH_EXEC_WRAPPER", "EXEC_WRAPPER");

    private static final int HEADER = 4;

    /** Bytes of an answer, which has a reason at most. */
    private static final int MAX_ANSWER = 64 * 1024;

    private final Fd stream;
    private final int introduction;

    /** Answer of the server about a program. */
    sealed interface Answer {
        record Run() implements Answer {}

        record Escalate() implements Answer {}

        record Deny(Optional<String> reason) implements Answer {}
    }

    private WrapperClient(Fd stream, int introduction) {
        this.stream = stream;
        this.introduction = introduction;
    }

    /**
     * Sends one end of a new connection to the server.
     *
     * @throws IOException if the variable with the socket is missing or no number
     */
    static WrapperClient introduced(Map<String, String> environment) throws IOException {
        String text = environment.getOrDefault(SOCKET, "");
        if (!text.matches("[0-9]{1,6}")) {
            throw new IOException(SOCKET + " is not a valid file descriptor: " + text);
        }
        int socket = Integer.parseInt(text);
        SocketCalls.SocketPair pair = SocketCalls.streamPair();
        try (Fd theirs = pair.theirs()) {
            DescriptorPassing.send(socket, new byte[1], 0, 1, theirs);
            return new WrapperClient(pair.ours(), socket);
        }
    }

    /** Asks about a program. Variables that are not UTF-8 cannot be told. */
    Answer ask(String file, List<String> argv, Map<String, String> environment) throws IOException {
        for (String word : argv) {
            requireUtf8(word);
        }
        requireUtf8(file);
        send(g -> {
            g.writeStartObject();
            g.writeStringField("file", file);
            g.writeArrayFieldStart("argv");
            for (String word : argv) {
                g.writeString(word);
            }
            g.writeEndArray();
            g.writeStringField("workdir", System.getProperty("user.dir"));
            g.writeObjectFieldStart("env");
            for (Map.Entry<String, String> entry : environment.entrySet()) {
                if (!OWN.contains(entry.getKey())
                        && SurrogateEscapedText.utf8(entry.getKey())
                        && SurrogateEscapedText.utf8(entry.getValue())) {
                    g.writeStringField(entry.getKey(), entry.getValue());
                }
            }
            g.writeEndObject();
            g.writeEndObject();
        });
        return receive("EscalateResponse", WrapperClient::answer);
    }

    private static void requireUtf8(String word) throws IOException {
        if (!SurrogateEscapedText.utf8(word)) {
            throw new IOException("an argument is not UTF-8: " + SurrogateEscapedText.shown(word));
        }
    }

    private static Answer answer(ParamsReader in) {
        Answer answer = null;
        while (in.next()) {
            if (in.name().equals("action")) {
                JsonSlice action = in.slice();
                answer = switch (action.toString()) {
                    case "\"Run\"" -> new Answer.Run();
                    case "\"Escalate\"" -> new Answer.Escalate();
                    default -> new Answer.Deny(reason(ParamsReader.of(action, "EscalateAction")));
                };
            }
        }
        return in.required("action", answer);
    }

    private static Optional<String> reason(ParamsReader in) {
        Optional<String> reason = Optional.empty();
        while (in.next()) {
            reason = in.structOrNull("Deny", WrapperClient::text).flatMap(found -> found);
        }
        return reason;
    }

    private static Optional<String> text(ParamsReader in) {
        Optional<String> text = Optional.empty();
        while (in.next()) {
            text = in.stringOrSkip();
        }
        return text;
    }

    /** Hands the descriptors over, waits for the end of the program and returns its exit code. */
    int handOver() throws IOException {
        List<Integer> numbers = InheritableDescriptors.passable(introduction);
        MessageBuffer frame = frame(g -> {
            g.writeStartObject();
            g.writeArrayFieldStart("fds");
            for (int number : numbers) {
                g.writeNumber(number);
            }
            g.writeEndArray();
            g.writeEndObject();
        });
        // Each descriptor with a byte of its own: the server collects those of a frame. There are more bytes than
        // numbers.
        int at = frame.offset();
        for (int number : numbers) {
            DescriptorPassing.send(stream.number(), frame.array(), at++, 1, new Fd(number));
        }
        BlockingBytes.write(stream, frame.array(), at, frame.offset() + frame.length() - at);
        return receive("SuperExecResult", in -> {
            Integer code = null;
            while (in.next()) {
                if (in.name().equals("exit_code")) {
                    code = in.integer(0, 255, "exit_code");
                }
            }
            return in.required("exit_code", code);
        });
    }

    private void send(JsonWritable message) throws IOException {
        MessageBuffer frame = frame(message);
        BlockingBytes.write(stream, frame.array(), frame.offset(), frame.length());
    }

    private static MessageBuffer frame(JsonWritable message) {
        MessageBuffer json = new MessageBuffer();
        MessageEncoder.value(json, message);
        MessageBuffer frame = new MessageBuffer();
        byte[] length = ByteBuffer.allocate(HEADER)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(json.length())
                .array();
        frame.write(length, 0, HEADER);
        frame.write(json.array(), json.offset(), json.length());
        return frame;
    }

    private <T> T receive(String name, Function<ParamsReader, T> reader) throws IOException {
        int length = ByteBuffer.wrap(BlockingBytes.read(stream, HEADER))
                .order(ByteOrder.LITTLE_ENDIAN)
                .getInt();
        if (length < 0 || length > MAX_ANSWER) {
            throw new IOException("an answer of " + Integer.toUnsignedString(length) + " bytes");
        }
        byte[] json = BlockingBytes.read(stream, length);
        try {
            return reader.apply(ParamsReader.of(JsonSlice.parse(json, 0, json.length), name));
        } catch (MalformedMessageException | RpcException e) {
            throw new IOException("not a " + name + ": " + new String(json, StandardCharsets.UTF_8), e);
        }
    }

    @Override
    public void close() {
        stream.close();
    }
}
