package dev.execserver.server.transport.console;

import dev.execserver.server.transport.auth.Subject;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * People who are logged in at the console. Each has a random key, of which only the digest is kept, and the credential with which
 * it was got: the key is worth what the credential is worth at that moment. {@code lock} guards the log-ins.
 */
final class ConsoleLogins {
    /** Log-ins that are kept; the oldest one ends for the next. */
    static final int MAX_LOGINS = 1_024;

    /** Log-ins of one client that are kept; its oldest one ends for the next, so that nobody ends those of others alone. */
    static final int MAX_OF_ONE = 128;

    static final Duration LIFETIME = Duration.ofHours(12);

    private static final int KEY_BYTES = 32;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Login> logins = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Login> eldest) {
            return size() > MAX_LOGINS;
        }
    };
    private final SecureRandom random = new SecureRandom();
    private final LongSupplier nanos;

    private record Login(List<String> authorization, Optional<Subject> subject, long beganNanos) {
        @Override
        public String toString() {
            return "Login[hidden]";
        }
    }

    /** @param nanos clock */
    ConsoleLogins(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * Begins a log-in.
     *
     * @param authorization the value of an Authorization header, or nothing if the client has shown a certificate
     * @param subject that the credential names
     * @return its key: letters, digits, dash and underscore
     */
    String begin(List<String> authorization, Optional<Subject> subject) {
        byte[] bytes = new byte[KEY_BYTES];
        random.nextBytes(bytes);
        String key = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        lock.lock();
        try {
            logins.values().removeIf(this::over);
            makeRoom(subject);
            logins.put(digest(key), new Login(List.copyOf(authorization), subject, nanos.getAsLong()));
        } finally {
            lock.unlock();
        }
        return key;
    }

    private void makeRoom(Optional<Subject> subject) {
        List<String> own = logins.entrySet().stream()
                .filter(entry -> entry.getValue().subject().equals(subject))
                .map(Map.Entry::getKey)
                .toList();
        if (own.size() >= MAX_OF_ONE) {
            logins.remove(own.getFirst());
        }
    }

    /** Returns the credential of a log-in; empty if there is no such log-in any more. */
    Optional<List<String>> find(String key) {
        lock.lock();
        try {
            logins.values().removeIf(this::over);
            return Optional.ofNullable(logins.get(digest(key))).map(Login::authorization);
        } finally {
            lock.unlock();
        }
    }

    void end(String key) {
        lock.lock();
        try {
            logins.remove(digest(key));
        } finally {
            lock.unlock();
        }
    }

    private boolean over(Login login) {
        return nanos.getAsLong() - login.beganNanos() > LIFETIME.toNanos();
    }

    private static String digest(String key) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha.digest(key.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
