package dev.execserver.client.session;

import java.util.OptionalLong;

/**
 * Output with which an observer begins and goes on.
 *
 * @param lastBytes at the begin, about so much of the newest output; empty for all that is kept
 * @param behindBytes later, most output that may wait for the observer before it passes over the oldest; empty if it only passes over what
 *     the server no longer keeps
 */
public record Backlog(OptionalLong lastBytes, OptionalLong behindBytes) {

    /** All output that the server has kept, and none passed over as long as it is kept. */
    public static final Backlog ALL = new Backlog(OptionalLong.empty(), OptionalLong.empty());

    /** Bytes that may wait for a person who watches. */
    private static final long WATCHED_BYTES = 256 * 1024L;

    /** Makes the backlog of somebody who watches: about the last so many bytes, and then what is new. */
    public static Backlog watching(long lastBytes) {
        return new Backlog(OptionalLong.of(lastBytes), OptionalLong.of(WATCHED_BYTES));
    }
}
