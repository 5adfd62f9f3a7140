/**
 * The permission model in messages: the permissions of a request.
 *
 * <p>Start at {@link dev.execserver.protocol.permissions.SandboxContext}, the {@code sandbox} member of a request, and
 * {@link dev.execserver.protocol.permissions.PermissionProfile}, its main part.
 * {@link dev.execserver.protocol.permissions.PolicyConversion} converts older forms
 * ({@link dev.execserver.protocol.permissions.SandboxPolicy}) on arrival. Nothing here accesses files: the sandbox
 * module resolves a profile for this machine.
 *
 * <p>Immutable values and pure functions; no threads, no locks.
 */
package dev.execserver.protocol.permissions;
