package dev.execserver.it.support;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Builds the parameters of one {@code process/start}. The defaults suit most tests: pipes, no stdin, cwd {@code /tmp}. */
public final class Start {
    private final ObjectNode params;

    private Start(String... argv) {
        params = Json.object(
                "processId",
                "p-" + UUID.randomUUID(),
                "argv",
                List.of(argv),
                "cwd",
                "file:///tmp",
                "env",
                Map.of("PATH", "/usr/local/bin:/usr/bin:/bin"),
                "tty",
                false,
                "pipeStdin",
                false,
                "arg0",
                null);
    }

    public static Start of(String... argv) {
        return new Start(argv);
    }

    public static Start shell(String script) {
        return new Start("sh", "-c", script);
    }

    public static Start bash(String script) {
        return new Start("bash", "-c", script);
    }

    public Start id(String processId) {
        return with("processId", processId);
    }

    public Start tty() {
        return with("tty", true);
    }

    public Start stdin() {
        return with("pipeStdin", true);
    }

    public Start env(String name, String value) {
        ((ObjectNode) params.get("env")).put(name, value);
        return this;
    }

    /** Gives the process and all its descendants a mark by which {@link ProcFs#marked} finds them. */
    public Start mark(String mark) {
        return env("IT_MARK", mark);
    }

    /** Sets any member, also to {@code null}. */
    public Start with(String member, Object value) {
        params.set(member, Json.value(value));
        return this;
    }

    public Start without(String member) {
        params.remove(member);
        return this;
    }

    public ObjectNode params() {
        return params.deepCopy();
    }

    String id() {
        return params.get("processId").textValue();
    }
}
