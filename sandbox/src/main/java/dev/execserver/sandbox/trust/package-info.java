/**
 * Checks if other users could make a path of the file system lead elsewhere.
 *
 * <p>Start at {@link dev.execserver.sandbox.trust.OwnershipWalk}. Used at the start of a program, when blocking file access is
 * fine. No threads of its own, no locks.
 */
package dev.execserver.sandbox.trust;
