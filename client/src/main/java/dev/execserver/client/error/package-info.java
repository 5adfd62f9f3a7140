/**
 * What can go wrong for a caller, one unchecked type per kind: {@link dev.execserver.client.error.ExecServerException}
 * is the base of all. Immutable; no threads, no locks.
 */
package dev.execserver.client.error;
