package dev.execserver.server.mcp.shell;

import dev.execserver.protocol.process.ExecApprovalAnswer;
import dev.execserver.protocol.process.ExecApprovalAnswer.Decision;
import dev.execserver.protocol.process.ExecApprovalAnswer.Remember;
import dev.execserver.protocol.process.ExecApprovalRequest;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.MessageBuffer;
import dev.execserver.protocol.rpc.MessageEncoder;
import dev.execserver.protocol.rpc.ParamsReader;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.mcp.ClientAccess;
import dev.execserver.server.mcp.Peer;
import dev.execserver.server.session.Unasked;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the client about programs, as MCP has it: {@code elicitation/create}. A client whose answer cannot be read has
 * denied. Any thread; no state.
 */
final class ExecQuestions {
    static final String UNSUPPORTED = "Execution requires approval, but the client does not support elicitation";

    private static final String DECLINED = "User declined execution";
    private static final String CANCELLED = "User cancelled execution";

    private static final Logger LOG = LoggerFactory.getLogger(ExecQuestions.class);

    private final ClientAccess client;
    private final Predicate<ExecApprovalRequest> escalates;
    private final boolean reasons;

    /**
     * @param escalates tells if an accepted program leaves the sandbox
     * @param reasons true if a question has the rule's reason, and an answer the user's and its validity
     */
    ExecQuestions(ClientAccess client, Predicate<ExecApprovalRequest> escalates, boolean reasons) {
        this.reasons = reasons;
        this.client = client;
        this.escalates = escalates;
    }

    /** Returns true if the client can be asked. */
    boolean possible() {
        return client.traits().elicitation();
    }

    /** Returns the future answer in the form of {@code exec/approval}. Cancelling it takes the question back. */
    CompletableFuture<JsonSlice> ask(Peer peer, ExecApprovalRequest question) {
        if (!possible()) {
            return CompletableFuture.failedFuture(Unasked.because(UNSUPPORTED));
        }
        CompletableFuture<JsonSlice> sent = client.ask(peer, "elicitation/create", new Elicitation(question, reasons));
        CompletableFuture<JsonSlice> answer = sent.handle((result, failure) -> encoded(
                failure == null ? answer(question, result) : denied("the client could not ask: " + text(failure))));
        var _ = answer.whenComplete((_, _) -> sent.cancel(false));
        return answer;
    }

    private static String text(Throwable failure) {
        return failure.getCause() == null
                ? failure.getMessage()
                : failure.getCause().getMessage();
    }

    private ExecApprovalAnswer answer(ExecApprovalRequest question, JsonSlice result) {
        try {
            ParamsReader in = ParamsReader.of(result, "ElicitResult");
            String action = null;
            Content content = new Content(Optional.empty(), Optional.empty());
            while (in.next()) {
                switch (in.name()) {
                    case "action" -> action = in.string();
                    case "content" ->
                        content = in.structOrNull("Content", Content::read)
                                .filter(_ -> reasons)
                                .orElse(content);
                    default -> {}
                }
            }
            return switch (in.required("action", action)) {
                case "accept" ->
                    new ExecApprovalAnswer(
                            escalates.test(question) ? Decision.ESCALATE : Decision.RUN,
                            Optional.empty(),
                            content.remember());
                case "decline" ->
                    new ExecApprovalAnswer(Decision.DENY, Optional.of(content.because(DECLINED)), content.remember());
                default -> denied(CANCELLED);
            };
        } catch (RpcException e) {
            LOG.warn("the client's answer cannot be read: {}", e.message());
            return denied("the client's answer cannot be read");
        }
    }

    private record Content(Optional<String> reason, Optional<Remember> remember) {
        static Content read(ParamsReader in) {
            Optional<String> reason = Optional.empty();
            Optional<Remember> remember = Optional.empty();
            while (in.next()) {
                switch (in.name()) {
                    case Elicitation.REASON -> reason = in.stringOrSkip();
                    case Elicitation.REMEMBER -> remember = in.stringOrSkip().flatMap(Content::validity);
                    default -> {}
                }
            }
            return new Content(reason, remember);
        }

        private static Optional<Remember> validity(String word) {
            return switch (word) {
                case "command" -> Optional.of(Remember.COMMAND);
                case "session" -> Optional.of(Remember.SESSION);
                default -> Optional.empty();
            };
        }

        String because(String what) {
            return reason.filter(text -> !text.isBlank())
                    .map(text -> what + ": " + text)
                    .orElse(what);
        }
    }

    private static ExecApprovalAnswer denied(String why) {
        return new ExecApprovalAnswer(Decision.DENY, Optional.of(why), Optional.empty());
    }

    private static JsonSlice encoded(JsonWritable value) {
        MessageBuffer out = new MessageBuffer();
        MessageEncoder.value(out, value);
        return JsonSlice.of(out.array(), out.offset(), out.length());
    }
}
