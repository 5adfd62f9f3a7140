package dev.execserver.server.session;

import dev.execserver.protocol.rpc.RpcException;
import java.time.Instant;
import java.util.Optional;

/** Facts about a session by which people find it. Any thread; the fields are volatile. */
public final class SessionFacts {

    /** Most characters of a name. */
    static final int MAX_NAME_CHARS = 100;

    private final Instant startedAt = Instant.now();
    private volatile Optional<String> name = Optional.empty();
    private volatile String clientName;
    private volatile Instant since = startedAt;
    private volatile boolean listed;

    SessionFacts(String clientName) {
        this.clientName = clientName;
    }

    /**
     * Refuses a name that a list cannot show in one line.
     *
     * @throws RpcException -32602
     */
    public static void checkName(String name) {
        boolean invisible = name.codePoints().anyMatch(SessionFacts::unshown);
        if (name.isBlank() || name.length() > MAX_NAME_CHARS || invisible) {
            throw RpcException.invalidParams(
                    "sessionName must have 1 to " + MAX_NAME_CHARS + " characters, and none that is invisible");
        }
    }

    private static boolean unshown(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }

    /**
     * Called when a client of this protocol has begun or resumed the session, which puts it into lists. A client that gives no name leaves
     * the name as it is.
     */
    public void introduced(String client, Optional<String> newName) {
        listed = true;
        clientName = client;
        if (newName.isPresent()) {
            name = newName;
        }
    }

    /** Called when a connection has taken or lost the session. */
    void changed() {
        since = Instant.now();
    }

    /** Returns false for a session whose id nobody learns: of a single command over HTTP, or of a client with another protocol. */
    boolean listed() {
        return listed;
    }

    public Optional<String> name() {
        return name;
    }

    public String clientName() {
        return clientName;
    }

    public Instant startedAt() {
        return startedAt;
    }

    /** Time since which it is attached, or detached. */
    public Instant since() {
        return since;
    }
}
