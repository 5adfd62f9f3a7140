/**
 * Makes system calls: one small method for each, which repeats after EINTR and throws
 * {@link dev.execserver.sandbox.linux.LinuxException} with call, object and errno. No other package calls Linux directly.
 * Start at {@code Kernel}, through which all system calls go. In front of it are classes by subject: {@code FileCalls},
 * {@code DirectoryCalls}, {@code ContentCalls}, {@code EntryCalls}, {@code AttributeCalls},
 * {@code MemoryFile}, {@code PipeCalls}, {@code SocketCalls}, {@code TcpCalls}, {@code DescriptorPassing},
 * {@code EpollCalls}, {@code InotifyCalls}, {@code ProcessCalls}, {@code SignalCalls}, {@code LimitCalls},
 * {@code NamespaceCalls}, {@code RestrictionCalls}, {@code NotifyCalls}, {@code PtraceCalls}, {@code TerminalCalls} and {@code SpawnCalls}.
 *
 * <p>Any thread may call; the class comments say which calls can block and therefore need platform threads. Pools of native
 * memory are lock-free. The one lock is that of {@code MountGeneration}, held across a call that does not block. Linux on
 * x86-64 and arm64 with glibc 2.34 or newer; on others {@link dev.execserver.sandbox.linux.UnsupportedPlatformException} is
 * thrown.
 */
package dev.execserver.sandbox.linux;
