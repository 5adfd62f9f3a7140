package dev.execserver.server.transport.auth;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Lets those who send wrong credentials wait for the refusal, longer each time. A good credential is never made to wait,
 * so nobody can lock others out, not even from the same address. Behind a proxy all clients share its address.
 *
 * <p>Connection threads wait, each for itself. {@code lock} guards the addresses, of which only the latest are kept, and is
 * not held while a thread waits.
 */
public final class SlowedLogins implements Authenticator {
    /** Number of addresses whose failures are remembered. */
    static final int MAX_ADDRESSES = 1024;

    /** Failures of an address that are not slowed: mistakes. */
    static final int FREE = 3;

    static final Duration STEP = Duration.ofMillis(200);
    static final Duration LONGEST = Duration.ofSeconds(3);
    /** Time without a failure after which an address begins anew. */
    static final Duration MEMORY = Duration.ofMinutes(5);

    /** Bytes of an IPv6 address that name the network, in which one machine has as many addresses as it likes. */
    private static final int NETWORK_BYTES = 8;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<ByteBuffer, Failures> failures = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ByteBuffer, Failures> eldest) {
            return size() > MAX_ADDRESSES;
        }
    };
    private final Authenticator authenticator;
    private final Consumer<Duration> pause;

    private record Failures(int number, long lastNanos) {}

    public SlowedLogins(Authenticator authenticator) {
        this(authenticator, time -> LockSupport.parkNanos(time.toNanos()));
    }

    SlowedLogins(Authenticator authenticator, Consumer<Duration> pause) {
        this.authenticator = authenticator;
        this.pause = pause;
    }

    @Override
    public Admission check(List<String> authorization) {
        return authenticator.check(authorization);
    }

    @Override
    public Admission check(Presented presented) {
        Admission admission = authenticator.check(presented);
        if (admission instanceof Admission.Refused && presented.peer() instanceof InetSocketAddress internet) {
            Duration wait = failed(network(internet.getAddress()), System.nanoTime());
            if (wait.isPositive()) {
                presented.delayed().accept(wait);
                pause.accept(wait);
            }
        }
        return admission;
    }

    /** Notes a failure and returns the time to wait for it. */
    private Duration failed(ByteBuffer address, long now) {
        lock.lock();
        try {
            Failures before = failures.get(address);
            int number = before == null || now - before.lastNanos() > MEMORY.toNanos() ? 1 : before.number() + 1;
            failures.put(address, new Failures(number, now));
            Duration wait = STEP.multipliedBy(Math.max(0, number - FREE));
            return wait.compareTo(LONGEST) < 0 ? wait : LONGEST;
        } finally {
            lock.unlock();
        }
    }

    /** Returns what counts as one address: an IPv4 address, or a network of IPv6 (/64). */
    public static ByteBuffer network(InetAddress address) {
        byte[] bytes = address.getAddress();
        return ByteBuffer.wrap(address instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
    }

    /** Returns the number of addresses that are remembered. */
    int remembered() {
        lock.lock();
        try {
            return failures.size();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return "SlowedLogins[" + authenticator + "]";
    }
}
