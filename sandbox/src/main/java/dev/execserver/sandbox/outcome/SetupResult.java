package dev.execserver.sandbox.outcome;

/** The result of building the sandbox of a command. */
public sealed interface SetupResult {
    /** Everything is mounted; the command is being executed. */
    record Yes() implements SetupResult {}

    /** Bubblewrap gave up; nothing of the command has run. */
    record Failed(String message) implements SetupResult {}

    /**
     * Bubblewrap gave up while the mounts of the host changed; nothing of the command has run. Bubblewrap handles each
     * mount of the host one after the other and ends if one goes away meanwhile. A new attempt may work, because the
     * policy does not need the mount that vanished.
     */
    record Disturbed(String message) implements SetupResult {
        /**
         * Largest number of new attempts. A loop that mounts and unmounts without a pause disturbs up to every second
         * one.
         */
        public static final int ATTEMPTS = 60;
    }

    /** The caller cancelled the start; bubblewrap may still be alive. */
    record Cancelled() implements SetupResult {}
}
