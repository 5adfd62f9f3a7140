package dev.execserver.helper.wire;

/**
 * What a server says when nobody waits for the answer to a request any more: a request of this name with the number of that
 * other one as its id. It has no answer of its own; the other one is still answered, as soon as its work has noticed.
 */
public final class AbandonMethod {

    public static final String NAME = "abandon";

    private AbandonMethod() {}
}
