/**
 * Translates a permission profile into rules for the present files of this machine.
 *
 * <p>Start at {@link dev.execserver.sandbox.resolve.PolicyResolver}. From profile, directories and files it makes a
 * {@link dev.execserver.sandbox.resolve.ResolvedPolicy}: the list of rules from which every enforcement backend builds its
 * view, and which tells if a path may be read or written. Below it: {@code glob} for patterns and {@code paths} for links and mounts.
 *
 * <p>Blocking code for the platform threads of the file workers. Values are immutable. The one lock guards the table of
 * {@code ResolutionMemory} and is never held during I/O.
 */
package dev.execserver.sandbox.resolve;
