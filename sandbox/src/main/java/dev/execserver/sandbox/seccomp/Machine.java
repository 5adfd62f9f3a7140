package dev.execserver.sandbox.seccomp;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A processor architecture with its system call numbers. Both are little endian. */
public enum Machine {
    X86_64(0xC000003E, """
            execve 59  execveat 322  clone 56  unshare 272  setns 308  clone3 435
            ioctl 16  socket 41  connect 42  accept 43  sendto 44  bind 49  listen 50  socketpair 53  ptrace 101
            add_key 248  request_key 249  keyctl 250  accept4 288  perf_event_open 298  recvmmsg 299
            sendmmsg 307  process_vm_readv 310  process_vm_writev 311  bpf 321  userfaultfd 323
            io_uring_setup 425  io_uring_enter 426  io_uring_register 427
            chmod 90  fchmod 91  chown 92  fchown 93  lchown 94  utime 132  setxattr 188  lsetxattr 189
            fsetxattr 190  removexattr 197  lremovexattr 198  fremovexattr 199  utimes 235  fchownat 260
            futimesat 261  fchmodat 268  utimensat 280  fchmodat2 452  setxattrat 463  removexattrat 466
            file_setattr 469
            shmget 29  shmat 30  shmctl 31  semget 64  semop 65  semctl 66  msgget 68  msgsnd 69  msgrcv 70  msgctl 71
            setpriority 141  setrlimit 160  sched_setparam 142  sched_setscheduler 144  sched_setaffinity 203  semtimedop 220
            mq_open 240  mq_unlink 241  ioprio_set 251  migrate_pages 256  move_pages 279  prlimit64 302  kcmp 312
            sched_setattr 314  pidfd_getfd 438  process_madvise 440  process_mrelease 448
            """),
    AARCH64(0xC00000B7, """
            execve 221  execveat 281  unshare 97  clone 220  setns 268  clone3 435
            ioctl 29  ptrace 117  socket 198  socketpair 199  bind 200  listen 201  accept 202  connect 203  sendto 206
            add_key 217  request_key 218  keyctl 219  perf_event_open 241  accept4 242  recvmmsg 243
            sendmmsg 269  process_vm_readv 270  process_vm_writev 271  bpf 280  userfaultfd 282
            io_uring_setup 425  io_uring_enter 426  io_uring_register 427
            setxattr 5  lsetxattr 6  fsetxattr 7  removexattr 14  lremovexattr 15  fremovexattr 16  fchmod 52
            fchmodat 53  fchownat 54  fchown 55  utimensat 88  fchmodat2 452  setxattrat 463
            removexattrat 466  file_setattr 469
            ioprio_set 30  sched_setparam 118  sched_setscheduler 119  sched_setaffinity 122  setpriority 140  setrlimit 164
            mq_open 180  mq_unlink 181  msgget 186  msgctl 187  msgrcv 188  msgsnd 189  semget 190  semctl 191
            semtimedop 192  semop 193  shmget 194  shmctl 195  shmat 196  migrate_pages 238  move_pages 239
            prlimit64 261  kcmp 272  sched_setattr 274  pidfd_getfd 438  process_madvise 440  process_mrelease 448
            """);

    private final int auditArchitecture;
    private final Map<String, Integer> numbers = new HashMap<>();

    Machine(int auditArchitecture, String table) {
        this.auditArchitecture = auditArchitecture;
        String[] words = table.strip().split("\\s+");
        for (int i = 0; i < words.length; i += 2) {
            numbers.put(words[i], Integer.valueOf(words[i + 1]));
        }
    }

    /** Returns the machine of this JVM; empty if there are no filters for it. */
    public static Optional<Machine> current() {
        return switch (System.getProperty("os.arch", "")) {
            case "amd64", "x86_64" -> Optional.of(X86_64);
            case "aarch64", "arm64" -> Optional.of(AARCH64);
            default -> Optional.empty();
        };
    }

    /** Returns AUDIT_ARCH of linux/audit.h, the {@code arch} of struct seccomp_data. */
    int auditArchitecture() {
        return auditArchitecture;
    }

    /** Returns true if a second set of numbers exists above {@link SeccompFilter#X32_BIT}, with the same {@code arch}. */
    boolean hasX32() {
        return this == X86_64;
    }

    /** @throws IllegalArgumentException if the machine has no such call */
    int number(String call) {
        return find(call).orElseThrow(() -> new IllegalArgumentException(this + " has no system call " + call));
    }

    Optional<Integer> find(String call) {
        return Optional.ofNullable(numbers.get(call));
    }
}
