/**
 * Glob patterns of a profile: their syntax, and the search for the files that match, with ripgrep or by a walk.
 *
 * <p>Start at {@link dev.execserver.sandbox.glob.GlobPattern}, then {@link dev.execserver.sandbox.glob.GlobScan}.
 *
 * <p>Blocking code for the platform threads of the file workers. A search with ripgrep has virtual threads that read its output. No
 * locks.
 */
package dev.execserver.sandbox.glob;
