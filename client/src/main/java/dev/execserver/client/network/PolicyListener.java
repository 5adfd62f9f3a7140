package dev.execserver.client.network;

import dev.execserver.client.error.ConnectionLostException;
import dev.execserver.client.rpc.LinkListener;
import dev.execserver.protocol.net.NetMethodNames;
import dev.execserver.protocol.net.PolicyAnswer;
import dev.execserver.protocol.net.PolicyDecision;
import dev.execserver.protocol.net.PolicyRequest;
import dev.execserver.protocol.rpc.Dialect;
import dev.execserver.protocol.rpc.JsonWritable;
import dev.execserver.protocol.rpc.Notification;
import dev.execserver.protocol.rpc.Request;
import java.util.Optional;
import java.util.function.Supplier;

/** Passes questions and decisions of a link to a {@link NetworkPolicy}. Immutable. */
public final class PolicyListener implements LinkListener {

    private static final System.Logger LOG = System.getLogger(PolicyListener.class.getName());

    private final NetworkPolicy policy;

    public PolicyListener(NetworkPolicy policy) {
        this.policy = policy;
    }

    @Override
    public Optional<JsonWritable> answer(Request request) {
        if (!request.method().equals(NetMethodNames.POLICY_REQUEST)) {
            return Optional.empty();
        }
        return Optional.of(decide(PolicyRequest.read(request.params(), Dialect.OPEN)));
    }

    private PolicyAnswer decide(PolicyRequest request) {
        try {
            return policy.decide(request);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "a network policy failed; the connection is denied", e);
            return NetworkPolicy.DENY.decide(request);
        }
    }

    @Override
    public void notified(Notification notification) {
        if (notification.method().equals(NetMethodNames.POLICY_DECISION)) {
            policy.decided(PolicyDecision.read(notification.params(), Dialect.OPEN));
        }
    }

    @Override
    public void interrupted() {
        // The server repeats its questions.
    }

    @Override
    public void resumed() {
        // Nothing was missed: decisions wait for their client.
    }

    @Override
    public void ended(Supplier<ConnectionLostException> why) {
        // No more questions come.
    }
}
