package dev.execserver.server.transport.console;

import dev.execserver.server.rights.Rights;
import dev.execserver.server.transport.PresentedCredentials;
import dev.execserver.server.transport.auth.Admission;
import dev.execserver.server.transport.auth.Admitted;
import dev.execserver.server.transport.auth.Authenticator;
import dev.execserver.server.transport.auth.Presented;
import dev.execserver.server.transport.auth.Subject;
import io.helidon.common.socket.PeerInfo;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Headers;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Lets people in. They log in with a credential, and get a key for the page. A page shows the key in a header that only its own scripts
 * can write: browsers add it to no request of another page, as they would a cookie. Any thread.
 */
public final class ConsoleAccess {
    /** Subprotocol that a page offers for its WebSocket; the key of the log-in is the other one. */
    static final String SUBPROTOCOL = "exec-server-console";

    /** Line of the answer to an upgrade. */
    public static final String ANSWER = "Sec-WebSocket-Protocol: " + SUBPROTOCOL + "\r\n";

    private static final HeaderName PROTOCOLS = HeaderNames.create("Sec-WebSocket-Protocol");
    private static final String BEARER = "Bearer ";
    private static final String ENDED = "you are not logged in any more";

    /** Methods of people who look only. */
    private static final Set<String> LOOKING = Set.of(
            "session/list",
            "session/observe",
            "session/end",
            "process/wait",
            "process/list",
            "environment/info",
            "environment/status",
            "sandbox/status",
            "rpc.discover",
            "fs/getMetadata",
            "fs/readDirectory",
            "fs/readFile",
            Rights.READ_FILES);

    private final ConsoleLogins logins = new ConsoleLogins(System::nanoTime);
    private final Authenticator authenticator;
    private final ConsoleOrigins origins;
    private final boolean writing;

    /** @param writing true if people may do what their credential allows, and not look only */
    public ConsoleAccess(Authenticator authenticator, ConsoleOrigins origins, boolean writing) {
        this.authenticator = authenticator;
        this.origins = origins;
        this.writing = writing;
    }

    boolean writing() {
        return writing;
    }

    ConsoleOrigins origins() {
        return origins;
    }

    /** Returns the reason why an upgrade is refused for where it comes from. */
    public Optional<String> refusal(Headers headers) {
        return origins.refusal(headers);
    }

    /** Returns true if an upgrade is that of a page of the console. */
    public static boolean asked(Headers headers) {
        return offered(headers).contains(SUBPROTOCOL);
    }

    /** Returns the key that an upgrade shows. */
    public static Optional<String> key(Headers headers) {
        List<String> others = offered(headers).stream()
                .filter(name -> !name.equals(SUBPROTOCOL))
                .toList();
        return others.size() == 1 ? Optional.of(others.getFirst()) : Optional.empty();
    }

    private static List<String> offered(Headers headers) {
        return headers.contains(PROTOCOLS)
                ? headers.get(PROTOCOLS).allValues().stream()
                        .flatMap(value -> Arrays.stream(value.split(",", -1)))
                        .map(String::strip)
                        .toList()
                : List.of();
    }

    /** Returns the key that an ordinary request shows. */
    static Optional<String> bearer(Headers headers) {
        return headers.contains(HeaderNames.AUTHORIZATION)
                ? Optional.of(headers.get(HeaderNames.AUTHORIZATION).get())
                        .filter(value -> value.startsWith(BEARER))
                        .map(value -> value.substring(BEARER.length()))
                : Optional.empty();
    }

    /** Log-in that was tried. */
    sealed interface Attempt {
        record Begun(String key) implements Attempt {}

        record Refused(String why) implements Attempt {}
    }

    /**
     * Tries to log in.
     *
     * @param token that somebody has typed; empty if only a certificate is shown
     * @param delayed is told how long the refusal will wait
     */
    Attempt login(PeerInfo peer, Headers headers, String token, Consumer<Duration> delayed) {
        List<String> authorization = token.isEmpty() ? List.of() : List.of(BEARER + token);
        return switch (check(peer, headers, authorization, delayed)) {
            case Admission.Granted(var subject) -> new Attempt.Begun(logins.begin(authorization, subject));
            case Admission.Refused(String why) -> new Attempt.Refused(why);
        };
    }

    void logout(String key) {
        logins.end(key);
    }

    /** Decides about a request with a key. The credential behind it is looked at anew. */
    public Admission check(PeerInfo peer, Headers headers, Optional<String> key, Consumer<Duration> delayed) {
        Optional<List<String>> authorization = key.flatMap(logins::find);
        return authorization.isPresent()
                ? check(peer, headers, authorization.get(), delayed)
                : new Admission.Refused(ENDED);
    }

    private Admission check(PeerInfo peer, Headers headers, List<String> authorization, Consumer<Duration> delayed) {
        Presented shown = PresentedCredentials.of(peer, headers, delayed);
        return authenticator.check(new Presented(authorization, shown.peer(), shown.certificate(), delayed));
    }

    /** Returns what the owner of a credential may do in the console. */
    public Admitted admitted(Optional<Subject> subject) {
        Rights rights = Subject.rights(subject);
        return new Admitted(subject, writing ? rights : rights.only(LOOKING));
    }
}
