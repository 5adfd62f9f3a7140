/**
 * Finds, signals and ends whole process trees: while the server lives, and after it was killed.
 *
 * <p>Start at {@link dev.execserver.sandbox.tree.ProcessTree}, which ends a tree by scans of /proc, then
 * {@link dev.execserver.sandbox.tree.Guardian}, a small shell process that ends all of them after this server itself was killed.
 * {@link dev.execserver.sandbox.tree.BoundedRun} runs a short program and ends its tree when it takes too long.
 *
 * <p>Threads of this package: the platform thread {@code process-tree} (scans of /proc) and the virtual thread
 * {@code guardian-watch}. Locks: one in {@code ProcessTree} (waiting callers) and one in {@code Guardian} (current shell). Neither is
 * held while another is taken or across a call that can block.
 */
package dev.execserver.sandbox.tree;
