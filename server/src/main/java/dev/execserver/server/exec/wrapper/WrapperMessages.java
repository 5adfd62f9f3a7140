package dev.execserver.server.exec.wrapper;

import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.MalformedMessageException;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** JSON of the escalation protocol. */
final class WrapperMessages {
    private static final int MAX_DESCRIPTOR = 4095;

    private WrapperMessages() {}

    /**
     * Request of a wrapper. Its working directory is not read from here.
     *
     * @param file path of the program
     * @param env variables of the program, without those of the wrapper
     */
    record EscalateRequest(String file, List<String> argv, Map<String, String> env) {
        static EscalateRequest read(byte[] json) throws IOException {
            return WrapperMessages.read(json, "EscalateRequest", EscalateRequest::members);
        }

        private static EscalateRequest members(ParamsReader in) {
            String file = null;
            List<String> argv = null;
            Map<String, String> env = null;
            while (in.next()) {
                switch (in.name()) {
                    case "file" -> file = in.string();
                    case "argv" -> argv = in.strings();
                    case "env" -> env = in.stringMap();
                    default -> {}
                }
            }
            return new EscalateRequest(in.required("file", file), in.required("argv", argv), in.required("env", env));
        }

        byte[] fileBytes() {
            return bytes(file);
        }

        List<byte[]> argvBytes() {
            return argv.stream().map(WrapperMessages::bytes).toList();
        }

        List<byte[]> envBytes() {
            return env.entrySet().stream()
                    .map(entry -> bytes(entry.getKey() + "=" + entry.getValue()))
                    .toList();
        }
    }

    /** Returns the numbers of the descriptors of a {@code SuperExecMessage}. */
    static List<Integer> descriptors(byte[] json) throws IOException {
        return read(json, "SuperExecMessage", in -> {
            List<Integer> numbers = null;
            while (in.next()) {
                if (in.name().equals("fds")) {
                    numbers = in.integers(0, MAX_DESCRIPTOR, "fd");
                }
            }
            return in.required("fds", numbers);
        });
    }

    private static <T> T read(byte[] json, String name, Function<ParamsReader, T> members) throws IOException {
        try {
            return members.apply(ParamsReader.of(JsonSlice.parse(json, 0, json.length), name));
        } catch (MalformedMessageException | RpcException e) {
            throw new IOException("not a " + name + ": " + e.getMessage(), e);
        }
    }

    static MessageBuffer run() {
        return action("\"Run\"");
    }

    static MessageBuffer escalate() {
        return action("\"Escalate\"");
    }

    private static MessageBuffer action(String action) {
        MessageBuffer out = new MessageBuffer();
        out.ascii("{\"action\":" + action + "}");
        return out;
    }

    static MessageBuffer deny(String reason) {
        MessageBuffer out = new MessageBuffer();
        out.ascii("{\"action\":{\"Deny\":{\"reason\":");
        out.string(reason);
        out.ascii("}}}");
        return out;
    }

    static MessageBuffer ended(int exitCode) {
        MessageBuffer out = new MessageBuffer();
        out.ascii("{\"exit_code\":");
        out.number(exitCode);
        out.ascii("}");
        return out;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
