package dev.execserver.server.access;

import dev.execserver.protocol.rpc.TraceContext;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * One line of the access log in the making: kind, time, and members. Texts are cut, so that an event is small whatever a
 * client has sent. Secrets never become members: no environment, no token, no body, no input.
 *
 * <p>One thread at a time: the maker fills the event and hands it over to the log.
 */
public final class AccessEvent {
    /** Longest text of one member in characters. The rest is cut. */
    static final int MAX_TEXT = 1024;

    /** Largest number of texts in a list, and of their characters together. */
    static final int MAX_ITEMS = 64;

    static final int MAX_LIST_CHARS = 4 * 1024;

    /** Mark at the end of a text that was cut. */
    static final String CUT = "...";

    private static final int EMPTY_BYTES = 256;
    private static final int MEMBER_BYTES = 64;

    /** Number of characters of a session's id in the log: the whole id gives access to the session. */
    private static final int SESSION_CHARS = 8;

    private final AccessKind kind;
    private Instant time = Instant.now();
    private final long begunNanos = System.nanoTime();
    private final Map<AccessField, Object> members = new EnumMap<>(AccessField.class);
    private int bytes = EMPTY_BYTES;
    private boolean warning;
    private boolean errorTextHidden;

    private AccessEvent(AccessKind kind) {
        this.kind = kind;
    }

    public static AccessEvent of(AccessKind kind) {
        return new AccessEvent(kind);
    }

    public AccessEvent put(AccessField field, String text) {
        if (field == AccessField.ERROR && errorTextHidden) {
            return this;
        }
        String shown = cut(text, MAX_TEXT);
        return add(field, shown, 2 * shown.length());
    }

    public AccessEvent put(AccessField field, long number) {
        return add(field, number, 0);
    }

    public AccessEvent put(AccessField field, boolean value) {
        return add(field, value, 0);
    }

    public AccessEvent put(AccessField field, Optional<String> text) {
        text.ifPresent(value -> put(field, value));
        return this;
    }

    public AccessEvent put(AccessField field, OptionalLong number) {
        number.ifPresent(value -> put(field, value));
        return this;
    }

    public AccessEvent put(AccessField field, OptionalInt number) {
        number.ifPresent(value -> put(field, value));
        return this;
    }

    /** Adds the first texts of a list, as many as have room. */
    public AccessEvent put(AccessField field, List<String> texts) {
        List<String> shown = new ArrayList<>(Math.min(texts.size(), MAX_ITEMS));
        int room = MAX_LIST_CHARS;
        for (String text : texts) {
            if (shown.size() == MAX_ITEMS || room <= CUT.length()) {
                shown.add(CUT);
                break;
            }
            String item = cut(text, Math.min(room, MAX_TEXT));
            room -= item.length();
            shown.add(item);
        }
        return add(field, List.copyOf(shown), 2 * MAX_LIST_CHARS - 2 * room + MEMBER_BYTES * shown.size());
    }

    /** Adds the ids of a span, which belongs to this event. */
    public AccessEvent trace(Optional<TraceContext> span) {
        span.ifPresent(ids -> put(AccessField.TRACE_ID, ids.traceId()).put(AccessField.SPAN_ID, ids.spanId()));
        return this;
    }

    /** Adds the beginning of a session's id. */
    public AccessEvent session(String id) {
        return put(AccessField.SESSION, shortened(id));
    }

    /** Returns the beginning of a session's id, which does not give access to the session. */
    public static String shortened(String sessionId) {
        return sessionId.substring(0, Math.min(SESSION_CHARS, sessionId.length()));
    }

    /** Adds the parts of {@code 127.0.0.1:4711} or {@code [::1]:4711}; the port may be missing. */
    public AccessEvent client(String address) {
        return address(address, AccessField.CLIENT_ADDRESS, AccessField.CLIENT_PORT);
    }

    /** Adds the parts of the other end of the connection if it is a proxy, and not the client. */
    public AccessEvent peer(String address) {
        return address(address, AccessField.PEER_ADDRESS, AccessField.PEER_PORT);
    }

    private AccessEvent address(String text, AccessField address, AccessField port) {
        if (text.startsWith("unix:")) {
            return put(address, text); // it has no port
        }
        int bracket = text.indexOf(']');
        int colon = text.indexOf(':', Math.max(0, bracket));
        String host = colon < 0 ? text : text.substring(0, colon);
        put(address, host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host);
        return colon < 0 ? this : put(port, Long.parseLong(text.substring(colon + 1)));
    }

    /** Adds the time since the event was made. */
    public AccessEvent duration() {
        return put(AccessField.DURATION_MS, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos));
    }

    /** Moves the time of the event, which was made before what it is about, to now. */
    public AccessEvent now() {
        time = Instant.now();
        return this;
    }

    /** Leaves the text of an error out, because it repeats what is not logged. */
    public AccessEvent hideErrorText() {
        errorTextHidden = true;
        return this;
    }

    /** Marks the event as one that an operator should look at. */
    public AccessEvent warning() {
        warning = true;
        return this;
    }

    private AccessEvent add(AccessField field, Object value, int size) {
        members.put(field, value);
        bytes += MEMBER_BYTES + size;
        return this;
    }

    private static String cut(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        int end = Math.max(0, max - CUT.length());
        if (end > 0 && Character.isHighSurrogate(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(0, end) + CUT;
    }

    public AccessKind kind() {
        return kind;
    }

    Instant time() {
        return time;
    }

    boolean warns() {
        return warning;
    }

    /** Returns a member as a text; empty if the event has none of that name. */
    public Optional<String> text(AccessField field) {
        return Optional.ofNullable(members.get(field)).map(String::valueOf);
    }

    /** Returns a member that is a number. */
    public OptionalLong number(AccessField field) {
        return members.get(field) instanceof Long value ? OptionalLong.of(value) : OptionalLong.empty();
    }

    /** Members in the order of a line. Values are String, Long, Boolean or List of String. */
    Map<AccessField, Object> members() {
        return members;
    }

    /** Returns about as many bytes as the event takes while it waits. */
    int bytes() {
        return bytes;
    }
}
