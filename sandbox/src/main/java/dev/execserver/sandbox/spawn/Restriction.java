package dev.execserver.sandbox.spawn;

/** A restriction of one child, which the thread that starts it puts on itself first. */
@FunctionalInterface
public interface Restriction {
    /**
     * Restricts the calling thread, which is made for this one start. Must neither start threads nor wake virtual ones,
     * because those would be restricted too.
     */
    void restrict();

    /** Called on a spawner thread, which is not restricted, after {@link #restrict} and before each attempt to start. */
    default void starting() {}

    /** Tells before the start that one more program is executed until the command's own program runs. */
    default void alsoExecuted() {}

    /** Returns both restrictions, this one first. */
    default Restriction then(Restriction second) {
        Restriction first = this;
        return new Restriction() {
            @Override
            public void restrict() {
                first.restrict();
                second.restrict();
            }

            @Override
            public void starting() {
                first.starting();
                second.starting();
            }

            @Override
            public void alsoExecuted() {
                first.alsoExecuted();
                second.alsoExecuted();
            }
        };
    }
}
