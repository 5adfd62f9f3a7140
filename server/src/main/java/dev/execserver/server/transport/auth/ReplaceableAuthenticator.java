package dev.execserver.server.transport.auth;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Authenticator whose secret can be replaced while clients connect. The replaced one may be accepted for some time beside
 * the new one. Any thread; the state is one volatile reference.
 */
public final class ReplaceableAuthenticator implements Authenticator {
    /**
     * The authenticators.
     *
     * @param replaced accepted until {@code untilNanos}
     */
    private record Current(Authenticator authenticator, Optional<Authenticator> replaced, long untilNanos) {}

    private volatile Current current;

    public ReplaceableAuthenticator(Authenticator first) {
        current = new Current(first, Optional.empty(), 0);
    }

    /**
     * Replaces the secret. Does nothing if it is the same. One thread at a time.
     *
     * @param overlap time for which the old secret is accepted too
     * @return true if it is another secret
     */
    public boolean replace(Authenticator next, Duration overlap) {
        Authenticator old = current.authenticator();
        if (next.equals(old)) {
            return false;
        }
        current = new Current(
                next, Optional.of(old).filter(_ -> overlap.isPositive()), System.nanoTime() + overlap.toNanos());
        return true;
    }

    @Override
    public Admission check(List<String> authorization) {
        return check(authenticator -> authenticator.check(authorization));
    }

    @Override
    public Admission check(Presented presented) {
        return check(authenticator -> authenticator.check(presented));
    }

    private Admission check(Function<Authenticator, Admission> asked) {
        Current now = current;
        Admission admission = asked.apply(now.authenticator());
        if (admission instanceof Admission.Granted
                || now.replaced().isEmpty()
                || System.nanoTime() - now.untilNanos() >= 0) {
            return admission;
        }
        Admission before = asked.apply(now.replaced().get());
        return before instanceof Admission.Granted ? before : admission;
    }

    @Override
    public String toString() {
        return "ReplaceableAuthenticator[" + current.authenticator() + "]";
    }
}
