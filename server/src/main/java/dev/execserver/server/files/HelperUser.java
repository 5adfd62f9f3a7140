package dev.execserver.server.files;

import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.rpc.Method.Call;
import dev.execserver.server.session.Session;
import java.util.function.Consumer;

/**
 * The user of file helpers: a session, or one transfer over HTTP.
 *
 * @param owner the helpers work for this owner only
 * @param atEnd registers work that runs once when the owner ends, or at once if it has ended
 * @param returns true if the owner will probably ask again
 * @param memory memory for the helpers' answers
 */
public record HelperUser(Object owner, Consumer<Runnable> atEnd, boolean returns, AnswerMemory memory) {

    /** Makes the user of a session. */
    public static HelperUser of(Session session, AnswerMemory memory) {
        return new HelperUser(session, work -> session.whenEnded(HelperUser.class, work), true, memory);
    }

    /** Makes the user of a request: its session owns the helpers. */
    public static HelperUser of(Call call) {
        return of(call.session(), call.memory());
    }
}
