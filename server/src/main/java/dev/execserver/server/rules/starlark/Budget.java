package dev.execserver.server.rules.starlark;

import java.time.Duration;

/**
 * Bounds of a program, which ends with an error when it passes one. Used by the thread of the run.
 *
 * <p>A rules file may come from a client; without bounds, recursion and repetition could take the server's memory and processors.
 */
public final class Budget {
    /** Evaluated expressions and statements. */
    public static final long MAX_STEPS = 5_000_000;
    /** Calls within calls. */
    public static final int MAX_DEPTH = 64;
    /** Characters of a string, elements of a list, tuple or dict. */
    public static final int MAX_SIZE = 1_000_000;
    /** Statements and expressions within others, those of all calls together; each takes about 1 KiB of a stack of 1 MiB. */
    public static final int MAX_EVALUATIONS = 400;
    /** Bits of an integer. */
    public static final int MAX_BITS = 65_536;
    /** Elements and characters that a program makes in all. */
    public static final long MAX_ALLOCATED = 50_000_000;
    /** Time of a run. */
    public static final Duration MAX_TIME = Duration.ofSeconds(5);

    /** Elements or characters that built-in code goes through in the time of about one step. */
    static final int ELEMENTS_PER_STEP = 16;

    /** Steps between two looks at the clock. */
    private static final int STEPS_PER_LOOK = 1024;

    private final long deadline = System.nanoTime() + MAX_TIME.toNanos();
    private long steps;
    private long allocated;
    private int depth;
    private int evaluations;

    /** Counts one step. */
    void step() {
        steps++;
        if (steps > MAX_STEPS) {
            throw new Failure("the program takes more than %d steps".formatted(MAX_STEPS));
        }
        if (steps % STEPS_PER_LOOK == 0) {
            look();
        }
    }

    long steps() {
        return steps;
    }

    private void look() {
        if (System.nanoTime() - deadline > 0) {
            throw new Failure("the program takes longer than %d s".formatted(MAX_TIME.toSeconds()));
        }
    }

    /** Counts the steps of work that goes through so many elements or characters at once. */
    void goThrough(long size) {
        if (size >= ELEMENTS_PER_STEP) {
            steps += size / ELEMENTS_PER_STEP - 1;
            look();
            step();
        }
    }

    /** Counts the steps of a comparison with so many elements, which costs more than to go through them. */
    void compare(long size) {
        goThrough(size * ELEMENTS_PER_STEP / 2);
    }

    void enter() {
        if (depth == MAX_DEPTH) {
            throw new Failure("calls are nested more than %d deep".formatted(MAX_DEPTH));
        }
        depth++;
    }

    void leave() {
        depth--;
    }

    void beginEvaluation() {
        if (evaluations == MAX_EVALUATIONS) {
            throw new Failure("evaluations are nested more than %d deep".formatted(MAX_EVALUATIONS));
        }
        evaluations++;
    }

    void endEvaluation() {
        evaluations--;
    }

    /** Counts the characters or elements of something that is about to be made. */
    void allocate(long size) {
        requireRoom(size);
        goThrough(size);
        allocated += size;
        if (allocated > MAX_ALLOCATED) {
            throw new Failure("the program makes more than %d characters and elements".formatted(MAX_ALLOCATED));
        }
    }

    /** Fails if a value would get too large. */
    static void requireRoom(long size) {
        if (size > MAX_SIZE) {
            throw new Failure("a value has more than %d characters or elements".formatted(MAX_SIZE));
        }
    }

    /** Fails if an integer would get too large. */
    static void bits(long bits) {
        if (bits > MAX_BITS) {
            throw new Failure("an integer has more than %d bits".formatted(MAX_BITS));
        }
    }
}
