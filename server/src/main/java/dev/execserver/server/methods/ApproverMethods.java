package dev.execserver.server.methods;

import dev.execserver.protocol.process.AllowApproverResult;
import dev.execserver.protocol.process.ApproveParams;
import dev.execserver.protocol.process.ProcessMethodNames;
import dev.execserver.protocol.rpc.JsonSlice;
import dev.execserver.protocol.rpc.RpcException;
import dev.execserver.server.access.AccessEvent;
import dev.execserver.server.access.AccessField;
import dev.execserver.server.access.AccessKind;
import dev.execserver.server.access.AccessLog;
import dev.execserver.server.rpc.Answer;
import dev.execserver.server.rpc.ConnectionState;
import dev.execserver.server.rpc.FloorRule;
import dev.execserver.server.rpc.Method;
import dev.execserver.server.rpc.Method.Call;
import dev.execserver.server.rpc.Method.Work;
import dev.execserver.server.rpc.MethodFamily;
import dev.execserver.server.session.ApproverRights;
import dev.execserver.server.session.ApproverRights.Seat;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Methods by which another connection gets to answer the questions about programs: {@code exec/allowApprover} and
 * {@code exec/approve}. Handlers run on reader threads; no state of its own.
 */
public final class ApproverMethods {

    private final ApproverRights rights;
    private final AccessLog access;

    public ApproverMethods(ApproverRights rights, AccessLog access) {
        this.rights = rights;
        this.access = access;
    }

    public List<Method<?>> methods() {
        return List.of(
                Method.ordinary(
                                ProcessMethodNames.EXEC_ALLOW_APPROVER,
                                MethodFamily.PROCESS,
                                FloorRule.OWN,
                                (params, dialect) -> params,
                                this::allow)
                        .asAdditive(),
                Method.ordinary(
                                ProcessMethodNames.EXEC_APPROVE,
                                MethodFamily.PROCESS,
                                FloorRule.OWN,
                                ApproveParams::read,
                                this::join)
                        .asAdditive());
    }

    private Work allow(Call call, JsonSlice params) {
        return () -> {
            AllowApproverResult right = rights.allow(call.session(), false);
            log(
                    AccessKind.APPROVER_ALLOWED,
                    call,
                    event -> event.session(call.session().id()).put(AccessField.APPROVER, right.approverId()));
            return Answer.of(right);
        };
    }

    /** Joins at once, so that a connection that ends now has left too. */
    private Work join(Call call, ApproveParams params) {
        Seat seat;
        try {
            seat = rights.join(params.token(), call.connection());
        } catch (RpcException refused) {
            log(
                    AccessKind.APPROVER_JOINED,
                    call,
                    event -> event.put(AccessField.ERROR_CODE, refused.code())
                            .put(AccessField.ERROR, refused.message())
                            .warning());
            throw refused;
        }
        call.connection().belonging(Seats.class, Seats::new).add(seat);
        log(
                AccessKind.APPROVER_JOINED,
                call,
                event -> event.session(seat.sessionId()).put(AccessField.APPROVER, seat.right()));
        return () -> Answer.of(seat.describe());
    }

    private void log(AccessKind kind, Call call, Consumer<AccessEvent> more) {
        if (access.on()) {
            AccessEvent event = AccessEvent.of(kind)
                    .put(AccessField.CONNECTION, call.connection().number());
            more.accept(event);
            call.connection().subject().ifPresent(subject -> event.put(AccessField.USER, subject.name()));
            access.write(event);
        }
    }

    /** The places that a connection has among those who are asked. Reader thread only. */
    private static final class Seats implements ConnectionState {
        private final Map<String, Seat> taken = new HashMap<>();

        void add(Seat seat) {
            taken.values().removeIf(Seat::over);
            taken.put(seat.right(), seat);
        }

        @Override
        public void connectionEnded() {
            taken.values().forEach(Seat::leave);
        }
    }
}
