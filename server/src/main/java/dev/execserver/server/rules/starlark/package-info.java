/**
 * Interpreter of Starlark, the language of rules files: the extended dialect (statements at the top, recursion, f-strings, type
 * annotations) without load, print and sets. {@link dev.execserver.server.rules.starlark.Program} reads a file and runs it;
 * {@link dev.execserver.server.rules.starlark.Interpreter} evaluates.
 *
 * <p>A program has bounds on its steps, depth, sizes and time ({@link dev.execserver.server.rules.starlark.Budget}), so a rules file
 * of a client can be run. It reaches nothing but the functions that it is given.
 *
 * <p>Threads: each run belongs to one thread. Locks: none.
 */
package dev.execserver.server.rules.starlark;
