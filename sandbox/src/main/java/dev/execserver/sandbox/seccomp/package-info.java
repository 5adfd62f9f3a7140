/**
 * Assembles the system call filters of sandboxed commands. Start at {@link dev.execserver.sandbox.seccomp.SeccompFilter}.
 * {@link dev.execserver.sandbox.seccomp.FilterMode} lists the denied calls, {@link dev.execserver.sandbox.seccomp.Machine}
 * their numbers.
 *
 * <p>A filter is an array of bytes in the kernel's format, see seccomp(2). Bubblewrap reads it from a descriptor, or a thread
 * installs it on itself. Immutable values, any thread, no locks.
 */
package dev.execserver.sandbox.seccomp;
