package dev.execserver.server.files;

import dev.execserver.server.memory.AnswerMemory;
import dev.execserver.server.rpc.Method.Call;
import dev.execserver.server.session.Session;
import java.util.function.Consumer;

/**
 * On whose behalf file helpers work.
 *
 * @param owner they serve nobody else
 * @param atEnd takes what is to be done, once, when the owner ends; does it at once when that has happened
 * @param returns whether it will probably ask again
 * @param memory for what helpers answer
 */
public record HelperUser(Object owner, Consumer<Runnable> atEnd, boolean returns, AnswerMemory memory) {

    /** A session. */
    public static HelperUser of(Session session, AnswerMemory memory) {
        return new HelperUser(session, work -> session.whenEnded(HelperUser.class, work), true, memory);
    }

    /** A request of a connection: the helpers are its session's. */
    public static HelperUser of(Call call) {
        return of(call.session(), call.memory());
    }
}
