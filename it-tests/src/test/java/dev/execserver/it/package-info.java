/**
 * Black-box tests of the packaged server, one class per behaviour. Tests that stand for a case of the acceptance list bear its number
 * ({@code b19_...}). Start reading at {@link dev.execserver.it.ProcessEndIT}; the harness is in {@code support}.
 *
 * <p>Rules: one server per class unless the test kills or configures it; every wait has a limit and a condition, none is a sleep; time
 * bounds are those of the promise times a generous factor, because the suite also runs on two busy cores.
 */
package dev.execserver.it;
