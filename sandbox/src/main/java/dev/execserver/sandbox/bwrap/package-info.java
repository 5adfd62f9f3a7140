/**
 * The bubblewrap backend: one run of {@code bwrap} per command, without anything of ours inside the sandbox. Start at
 * {@link dev.execserver.sandbox.bwrap.BwrapLauncher}, which starts a {@link dev.execserver.sandbox.bwrap.BwrapRun}; {@link
 * dev.execserver.sandbox.bwrap.BwrapArguments} and {@link dev.execserver.sandbox.bwrap.ViewBuilder} turn a resolved policy into
 * arguments, {@link dev.execserver.sandbox.bwrap.BwrapFinder} chooses the program and {@link
 * dev.execserver.sandbox.bwrap.Placeholders} holds what has to exist on the host for the time of a run.
 *
 * <p>Planning and launching touch files: platform threads of the file workers. Waiting parks virtual threads. One lock, that
 * of the placeholders, guards the table of what is in use.
 */
package dev.execserver.sandbox.bwrap;
