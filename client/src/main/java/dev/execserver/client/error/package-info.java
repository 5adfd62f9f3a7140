/**
 * Exceptions for callers, one unchecked type for each kind of failure;
 * {@link dev.execserver.client.error.ExecServerException} is the base of all. Immutable; no threads, no locks.
 */
package dev.execserver.client.error;
