/**
 * The bubblewrap backend: one run of {@code bwrap} per command; no process of the server stays in the sandbox. Start at
 * {@link dev.execserver.sandbox.bwrap.BwrapLauncher}, which starts a {@link dev.execserver.sandbox.bwrap.BwrapRun}.
 * {@link dev.execserver.sandbox.bwrap.BwrapArguments} and {@link dev.execserver.sandbox.bwrap.ViewBuilder} turn a resolved
 * policy into arguments, {@link dev.execserver.sandbox.bwrap.BwrapFinder} selects the program, and
 * {@link dev.execserver.sandbox.bwrap.Placeholders} makes the objects that must exist on the host during a run.
 *
 * <p>Planning and launching touch files: platform threads of the file workers. Waiting parks virtual threads. Locks:
 * {@code Placeholders} guards its table, {@code ServerFolder} the present folder, {@code BwrapCandidates} its list; these are
 * held across file operations. {@code ProxyListeners} guards its list of sockets.
 */
package dev.execserver.sandbox.bwrap;
