package dev.execserver.sandbox.linux;

import java.util.Locale;

/**
 * Numbers of the system calls used here, see syscalls(2): first the x86-64 number, then that of the generic table, for arm64.
 */
enum Syscall {
    READ(0, 63),
    WRITE(1, 64),
    CLOSE(3, 57),
    LSEEK(8, 62),
    MMAP(9, 222),
    MUNMAP(11, 215),
    RT_SIGACTION(13, 134),
    IOCTL(16, 29),
    PREAD64(17, 67),
    PWRITE64(18, 68),
    MADVISE(28, 233),
    GETPID(39, 172),
    SOCKET(41, 198),
    CONNECT(42, 203),
    SENDTO(44, 206),
    RECVFROM(45, 207),
    SENDMSG(46, 211),
    RECVMSG(47, 212),
    SHUTDOWN(48, 210),
    BIND(49, 200),
    LISTEN(50, 201),
    GETSOCKNAME(51, 204),
    GETPEERNAME(52, 205),
    SOCKETPAIR(53, 199),
    SETSOCKOPT(54, 208),
    GETSOCKOPT(55, 209),
    DUP3(292, 24),
    EXECVE(59, 221),
    KILL(62, 129),
    FCNTL(72, 25),
    FLOCK(73, 32),
    FSYNC(74, 82),
    FTRUNCATE(77, 46),
    FCHMOD(91, 52),
    FCHOWN(93, 55),
    GETEUID(107, 175),
    GETPPID(110, 173),
    PTRACE(101, 117),
    CAPSET(126, 91),
    FSTATFS(138, 44),
    GETPRIORITY(140, 141),
    SETPRIORITY(141, 140),
    PRCTL(157, 167),
    FSETXATTR(190, 7),
    LGETXATTR(192, 9),
    FGETXATTR(193, 10),
    FREMOVEXATTR(199, 16),
    GETDENTS64(217, 61),
    EPOLL_CTL(233, 21),
    WAITID(247, 95),
    INOTIFY_ADD_WATCH(254, 27),
    INOTIFY_RM_WATCH(255, 28),
    OPENAT(257, 56),
    MKDIRAT(258, 34),
    UNLINKAT(263, 35),
    PPOLL(271, 73),
    LINKAT(265, 37),
    SYMLINKAT(266, 36),
    READLINKAT(267, 78),
    FACCESSAT(269, 48),
    EPOLL_PWAIT(281, 22),
    ACCEPT4(288, 242),
    SIGNALFD4(289, 74),
    EVENTFD2(290, 19),
    EPOLL_CREATE1(291, 20),
    SPLICE(275, 76),
    SYNC_FILE_RANGE(277, 84),
    PIPE2(293, 59),
    INOTIFY_INIT1(294, 26),
    PRLIMIT64(302, 261),
    KCMP(312, 272),
    RENAMEAT2(316, 276),
    SECCOMP(317, 277),
    MEMFD_CREATE(319, 279),
    COPY_FILE_RANGE(326, 285),
    PREADV2(327, 286),
    STATX(332, 291),
    PIDFD_SEND_SIGNAL(424, 424),
    PIDFD_OPEN(434, 434),
    OPENAT2(437, 437),
    PIDFD_GETFD(438, 438),
    FACCESSAT2(439, 439),
    LANDLOCK_CREATE_RULESET(444, 444),
    LANDLOCK_ADD_RULE(445, 445),
    LANDLOCK_RESTRICT_SELF(446, 446);

    private final long number;
    private final String call = name().toLowerCase(Locale.ROOT);

    Syscall(long x86, long generic) {
        this.number = Architecture.current() == Architecture.X86_64 ? x86 : generic;
    }

    long number() {
        return number;
    }

    /** Returns the name for {@link LinuxException#call()}. */
    String call() {
        return call;
    }
}
