package dev.execserver.server.exec;

import dev.execserver.protocol.process.ExecApprovalAnswer;
import dev.execserver.protocol.process.ExecApprovalRequest;
import dev.execserver.protocol.rpc.JsonWritable;
import java.time.Duration;
import java.util.Optional;

/** The client of a command, as its rules see it. */
public interface ApprovalClient {

    /**
     * An answer and who has given it.
     *
     * @param approver the right by which a connection has answered that does not have the session
     */
    record Reply(ExecApprovalAnswer answer, Optional<String> approver) {

        /** Makes the reply of the client. */
        public static Reply ofClient(ExecApprovalAnswer answer) {
            return new Reply(answer, Optional.empty());
        }
    }

    /**
     * Asks the client and waits for the answer, at most for {@code limit} and across a reconnect if necessary. One that cannot be
     * read is a denial.
     *
     * @param own true if it is about the command's own program, whose start has no answer yet
     * @return empty if no answer came in time
     */
    Optional<Reply> ask(ExecApprovalRequest question, boolean own, Duration limit) throws InterruptedException;

    /** Sends a notification. Never waits. */
    void report(String method, JsonWritable params);
}
