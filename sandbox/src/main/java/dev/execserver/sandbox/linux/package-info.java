/**
 * Linux, and the only place that knows how it is called: one small method per system call, which
 * repeats after EINTR and throws {@link dev.execserver.sandbox.linux.LinuxException} with call, object and errno. Start at
 * {@code Kernel}, the single door; {@code FileCalls}, {@code DirectoryCalls}, {@code ContentCalls}, {@code EntryCalls},
 * {@code MemoryFile}, {@code PipeCalls}, {@code SocketCalls}, {@code TcpCalls}, {@code DescriptorPassing}, {@code EpollCalls},
 * {@code InotifyCalls}, {@code ProcessCalls}, {@code LimitCalls}, {@code RestrictionCalls}, {@code TerminalCalls} and
 * {@code SpawnCalls} stand in front of it, grouped by subject.
 *
 * <p>Any thread may enter; the class comments say which calls can block and therefore belong on platform threads. There
 * are no locks and no state besides a lock-free pool of native scratch memory. Linux on x86-64 and arm64 with glibc 2.34
 * or newer; anything else gets an {@link dev.execserver.sandbox.linux.UnsupportedPlatformException}.
 */
package dev.execserver.sandbox.linux;
