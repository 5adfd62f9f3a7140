package dev.execserver.protocol.process;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.execserver.protocol.rpc.JsonFields;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.ParamsReader;
import java.io.IOException;
import java.util.Optional;

/**
 * The client's answer to {@code exec/approval}.
 *
 * @param reason for a denial, which the program prints
 * @param remember for how long the same program with the same arguments gets this answer without a question; empty for this
 *     time only
 */
public record ExecApprovalAnswer(Decision decision, Optional<String> reason, Optional<Remember> remember)
        implements JsonWritable {

    /** Decision of a client. */
    public enum Decision {
        /** In the sandbox of the command. */
        RUN,
        /** Outside of it. */
        ESCALATE,
        DENY
    }

    /** Validity of a remembered answer. */
    public enum Remember {
        /** Until the end of this process. */
        COMMAND,
        /** For all processes of the session. */
        SESSION
    }

    /** Makes an answer that is not remembered. */
    public static ExecApprovalAnswer of(Decision decision) {
        return new ExecApprovalAnswer(decision, Optional.empty(), Optional.empty());
    }

    /** Errors are those of {@link ParamsReader}. */
    public static ExecApprovalAnswer read(JsonSlice result) {
        ParamsReader in = ParamsReader.of(result, "ExecApprovalResponse");
        Decision decision = null;
        Optional<String> reason = Optional.empty();
        Optional<Remember> remember = Optional.empty();
        while (in.next()) {
            switch (in.name()) {
                case "decision" -> decision = ExecWords.parse(in.string(), Decision.values());
                case "reason" -> reason = in.stringOrNull();
                case "remember" -> remember = in.stringOrNull().map(word -> ExecWords.parse(word, Remember.values()));
                default -> {}
            }
        }
        return new ExecApprovalAnswer(in.required("decision", decision), reason, remember);
    }

    @Override
    public void writeTo(JsonGenerator g) throws IOException {
        g.writeStartObject();
        g.writeStringField("decision", ExecWords.word(decision));
        JsonFields.ifPresent(g, "reason", reason);
        JsonFields.ifPresent(g, "remember", remember.map(ExecWords::word));
        g.writeEndObject();
    }
}
