package dev.execserver.server.session;

import dev.execserver.protocol.process.AllowApproverResult;
import dev.execserver.protocol.process.ApproveResult;
import dev.execserver.protocol.rpc.RpcException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Rights to answer the questions about programs of a session that one does not have. Such a right is a token: the client of the
 * session, or the operator, makes it, and one connection at a time uses it. It ends with the session.
 *
 * <p>Any thread; {@code making} makes counting and adding one step.
 */
public final class ApproverRights {
    /** Most rights of one session, and so most approvers. */
    static final int MAX_PER_SESSION = 8;

    private static final int ID_BYTES = 8;
    private static final int SECRET_BYTES = 32;

    private final SecureRandom random = new SecureRandom();
    private final ReentrantLock making = new ReentrantLock();
    private final Map<String, Right> rights = new ConcurrentHashMap<>();

    /**
     * A right.
     *
     * @param anybody true if the operator has given it: it holds for connections of other principals too
     */
    private record Right(String id, byte[] token, Session session, boolean anybody) {}

    /** The place of a connection among those who are asked. */
    public static final class Seat {
        private final Right right;
        private final Attachment connection;

        private Seat(Right right, Attachment connection) {
            this.right = right;
            this.connection = connection;
        }

        /** Leaves it. */
        public void leave() {
            right.session.questions().leave(right.id, connection);
        }

        /** Returns true if the session has ended. */
        public boolean over() {
            return right.session.ended();
        }

        /** Returns the name of the right, which is no secret. */
        public String right() {
            return right.id;
        }

        /** Returns the id of the session. */
        public String sessionId() {
            return right.session.id();
        }

        /** Describes it to the connection. */
        public ApproveResult describe() {
            return new ApproveResult(
                    right.id,
                    right.session.facts().clientName(),
                    right.session.facts().name());
        }
    }

    /**
     * Makes a right.
     *
     * @param anybody true if it holds for connections of other principals too
     * @throws RpcException -32600 with {@code data.reason} {@code "tooManyApprovers"} at the limit
     */
    public AllowApproverResult allow(Session session, boolean anybody) {
        String id = HexFormat.of().formatHex(random(ID_BYTES));
        String token = id + Base64.getUrlEncoder().withoutPadding().encodeToString(random(SECRET_BYTES));
        making.lock();
        try {
            if (rights.values().stream()
                            .filter(right -> right.session == session)
                            .count()
                    >= MAX_PER_SESSION) {
                throw RpcException.invalidRequest(
                                "the session has " + MAX_PER_SESSION + " rights for approvers and gets no more")
                        .withData("reason", "tooManyApprovers")
                        .withData("limit", MAX_PER_SESSION);
            }
            rights.put(id, new Right(id, bytes(token), session, anybody));
        } finally {
            making.unlock();
        }
        session.whenEnded(ApproverRights.class, () -> forget(session));
        return new AllowApproverResult(token, id);
    }

    private byte[] random(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private static byte[] bytes(String token) {
        return token.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Uses a right: the connection is asked from now on, and one that has used it before is not.
     *
     * @throws RpcException -32600 if the token is unknown, its session has ended or belongs to another principal, or the connection
     *     has the session itself
     */
    public Seat join(String token, Attachment connection) {
        Right right = rights.get(token.substring(0, Math.min(2 * ID_BYTES, token.length())));
        if (right == null
                || !MessageDigest.isEqual(right.token, bytes(token))
                || !(right.anybody || right.session.open(connection.subject()))) {
            throw RpcException.invalidRequest("unknown token of an approver");
        }
        if (right.session.attachedTo(connection)) {
            throw RpcException.invalidRequest("the connection that has the session is asked anyway");
        }
        right.session.questions().join(right.id, connection);
        return new Seat(right, connection);
    }

    private void forget(Session session) {
        rights.values().removeIf(right -> right.session == session);
    }
}
