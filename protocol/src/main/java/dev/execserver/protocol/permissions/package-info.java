/**
 * The permission model as it travels: what a request may touch.
 *
 * <p>Start at {@link dev.execserver.protocol.permissions.SandboxContext}, the {@code sandbox} member of a request, and
 * {@link dev.execserver.protocol.permissions.PermissionProfile}, its heart. Older shapes ({@link
 * dev.execserver.protocol.permissions.SandboxPolicy}) are converted on arrival by {@link
 * dev.execserver.protocol.permissions.PolicyConversion}. Nothing here looks at files: what a profile means on this
 * machine is worked out in the sandbox module.
 *
 * <p>Immutable values and pure functions; no threads, no locks.
 */
package dev.execserver.protocol.permissions;
