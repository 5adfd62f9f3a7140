/**
 * The system call filters that every sandboxed command runs under, assembled here instruction by instruction. Start at
 * {@link dev.execserver.sandbox.seccomp.SeccompFilter}; what is denied stands in
 * {@link dev.execserver.sandbox.seccomp.FilterMode}, the numbers of the calls in
 * {@link dev.execserver.sandbox.seccomp.Machine}.
 *
 * <p>A filter is an array of bytes in the kernel's format, see seccomp(2): bubblewrap takes it from a descriptor, and a
 * thread can install it on itself. Immutable values, any thread, no locks.
 */
package dev.execserver.sandbox.seccomp;
