package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Condition of a process that {@code process/wait} waits for. It is an object with exactly one member. */
public sealed interface WaitCondition extends JsonWritable {

    /** Most characters of a text or of a regular expression. */
    int MAX_PATTERN_CHARS = 1_000;

    /** Largest number of a TCP port. */
    int MAX_PORT = 65_535;

    /** The process has exited: {@code {"exit": true}}. */
    record Exit() implements WaitCondition {}

    /** The process has exited and its output has ended: {@code {"closed": true}}. */
    record Closed() implements WaitCondition {}

    /** The output contains this text: {@code {"text": ...}}. */
    record OutputText(String text) implements WaitCondition {

        public OutputText {
            requireLength(text);
        }
    }

    /** The output contains a match of this regular expression (java.util.regex, multiline): {@code {"regex": ...}}. */
    record OutputRegex(String regex) implements WaitCondition {

        public OutputRegex {
            requireLength(regex);
        }
    }

    /** The process has written nothing for so many milliseconds: {@code {"idleMs": ...}}. */
    record Idle(long milliseconds) implements WaitCondition {}

    /** A program listens on this TCP port, in the network namespace of the process: {@code {"port": ...}}. */
    record Port(int number) implements WaitCondition {

        public Port {
            if (number < 1 || number > MAX_PORT) {
                throw RpcException.invalidParams("until.port must be between 1 and " + MAX_PORT);
            }
        }
    }

    private static void requireLength(String pattern) {
        if (pattern.isEmpty() || pattern.length() > MAX_PATTERN_CHARS) {
            throw RpcException.invalidParams(
                    "until.text and until.regex have 1 to " + MAX_PATTERN_CHARS + " characters");
        }
    }

    /** Errors are those of {@link ParamsReader}. No member or several members are refused too. */
    static WaitCondition read(ParamsReader in) {
        List<WaitCondition> found = new ArrayList<>();
        while (in.next()) {
            switch (in.name()) {
                case "exit" -> {
                    if (in.bool()) {
                        found.add(new Exit());
                    }
                }
                case "closed" -> {
                    if (in.bool()) {
                        found.add(new Closed());
                    }
                }
                case "text" -> found.add(new OutputText(in.string()));
                case "regex" -> found.add(new OutputRegex(in.string()));
                case "idleMs" -> found.add(new Idle(in.u64()));
                case "port" -> found.add(new Port(in.i32()));
                default -> {}
            }
        }
        if (found.size() != 1) {
            throw RpcException.invalidParams(
                    "until must have one of `exit: true`, `closed: true`, `text`, `regex`, `idleMs` and `port`");
        }
        return found.getFirst();
    }

    @Override
    default void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        switch (this) {
            case Exit() -> g.writeBooleanField("exit", true);
            case Closed() -> g.writeBooleanField("closed", true);
            case OutputText(String text) -> g.writeStringField("text", text);
            case OutputRegex(String regex) -> g.writeStringField("regex", regex);
            case Idle(long milliseconds) -> g.writeNumberField("idleMs", milliseconds);
            case Port(int number) -> g.writeNumberField("port", number);
        }
        g.writeEndObject();
    }
}
