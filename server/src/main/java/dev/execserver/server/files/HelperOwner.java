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
public record HelperOwner(Object owner, Consumer<Runnable> atEnd, boolean returns, AnswerMemory memory) {

    /** Makes the user of a session. */
    public static HelperOwner of(Session session, AnswerMemory memory) {
        return new HelperOwner(session, work -> session.whenEnded(HelperOwner.class, work), true, memory);
    }

    /** Makes the user of a request: its session owns the helpers. */
    public static HelperOwner of(Call call) {
        return of(call.session(), call.memory());
    }
}
