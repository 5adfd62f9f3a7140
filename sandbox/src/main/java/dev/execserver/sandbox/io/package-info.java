/**
 * Descriptors that virtual threads can wait for: pipes, sockets and terminals without blocking a carrier thread.
 *
 * <p>Start at {@link dev.execserver.sandbox.io.AsyncFd}, then {@link dev.execserver.sandbox.io.Poller}.
 *
 * <p>Callers are virtual threads, which park and never block in native code. The one thread of this package is the platform thread
 * {@code poller} (epoll, reaping). Locks: one in each {@code AsyncFd} (waiters, arming). It is not held while another is taken or
 * across a call that can block.
 */
package dev.execserver.sandbox.io;
